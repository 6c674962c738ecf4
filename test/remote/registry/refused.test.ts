import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Credentials } from '../../../src/remote/model.ts';
import { toRefused } from '../../../src/remote/registry/refused.ts';
import { toEnvironment } from '../../../src/remote/transport/environment.ts';
import { fr } from '../../../src/text/language.ts';
import { renderError } from '../../../src/text/message.ts';
import { rule } from '../../../src/text/rule.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('a login that docker knows is named where none is configured for the host, and only then', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'config.json');
  await writeFile(path, JSON.stringify({ auths: { 'https://registry.test/v1/': { auth: 'eDp5' } } }));
  const environment = toEnvironment({ DOCKER_CONFIG: folder.path });
  const none: Credentials = { lookup: () => undefined };
  const some: Credentials = { lookup: () => ({ kind: 'registry', token: 'x' }) };
  const detail = rule(['answered 401', fr`a répondu 401`]);
  const actionOf = async (host: string, credentials: Credentials) =>
    renderError(await toRefused(host, detail, credentials, environment), 'en').action;
  const hint = `docker knows a login for this host (${path}); registries.credentialsFile names the file to use.`;
  assert.ok((await actionOf('registry.test', none)).endsWith(hint));
  assert.ok(!(await actionOf('other.test', none)).includes('docker'));
  assert.ok(!(await actionOf('registry.test', some)).includes('docker'));
});
