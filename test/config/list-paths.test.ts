import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listConfigFiles } from '../../src/config/list-paths.ts';
import { loadConfig } from '../../src/config/load-config.ts';

test('the keys of an instance, their passwords and the keys of peers are files that nothing else may touch', async () => {
  const { config } = await loadConfig({ configPath: '/nowhere/svc.yaml', explicit: false });
  const listed = listConfigFiles({
    ...config,
    signing: { keyFile: '/keys/own.key', passwordFile: '/keys/password' },
    peers: [{ name: 'zone-b', keyFile: '/keys/zone-b.pub', for: ['receipt'] }],
  });
  assert.deepEqual(
    listed.map(({ setting, path }) => [setting, path]),
    [
      ['signing.keyFile', '/keys/own.key'],
      ['signing.passwordFile', '/keys/password'],
      ['peers', '/keys/zone-b.pub'],
    ],
  );
});
