import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { resolveLayoutPath } from '../../src/operation/layout-paths.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('a layout lies in no folder of the kernel, except folders for files in memory', async () => {
  await using folder = await openTempFolder();
  const env = { HOME: folder.path };
  const { config } = await loadConfig({ configPath: join(folder.path, 'absent.yaml'), explicit: false, env });
  const configured = { config };
  for (const path of [
    '/',
    '/dev',
    '/dev/null',
    '/dev/shm/../null',
    '/dev/shm-other',
    '/proc/self/fd',
    '/sys/kernel',
  ])
    for (const use of ['input', 'output', 'disk'] as const)
      await assert.rejects(
        resolveLayoutPath(configured, path, use),
        { code: 'SVC-FIL-003' },
        `${use} ${path}`,
      );
  for (const use of ['input', 'output'] as const)
    await assert.rejects(resolveLayoutPath(configured, '/dev/shm/x.tar', use), { code: 'SVC-FIL-003' });
  for (const use of ['input', 'output', 'disk'] as const)
    assert.equal(await resolveLayoutPath(configured, '/dev/shm/svc/disk', use), '/dev/shm/svc/disk');
});
