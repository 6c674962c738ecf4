import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { createSampleImage } from '../kit/content/sample-image.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const image = createSampleImage({ seed: 'reset', platforms: ['linux/amd64'] });
const push = ({ url, authorization }: Instance, repository: string) =>
  pushArtifactOverHttp(
    { registry: url, repository, authorization },
    { blobs: image.blobs, manifest: image.root },
    '1.0',
  );
const audits = (instance: Instance) =>
  instance
    .log()
    .split('\n')
    .filter((line) => line.includes('"action":"store.reset"'))
    .map((line) => JSON.parse(line));

test('an administrator empties a running instance by the exact word; it goes on serving, and stays empty', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  await push(instance, 'some/app');
  const before = (await instance.api('GET', '/content')).body;
  assert.equal(before.total, 1);

  const wrong = await instance.api('POST', '/store/reset', { confirmation: 'reset' });
  assert.equal(wrong.status, 422);
  assert.equal(wrong.body.code, 'SVC-STO-006');
  for (const malformed of [{}, { confirmation: 1 }, { confirmation: 'RESET', force: true }, [], 'RESET']) {
    const { status, body } = await instance.api('POST', '/store/reset', malformed);
    assert.equal(status, 422);
    assert.equal(body.code, 'SVC-VAL-001');
  }
  for (const role of ['viewer', 'operator'] as const) {
    const response = await fetch(`${instance.url}/api/v1/store/reset`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await instance.createToken(role)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ confirmation: 'RESET' }),
    });
    assert.equal(response.status, 403);
  }
  assert.equal((await instance.api('GET', '/content')).body.total, 1);

  const done = await instance.api('POST', '/store/reset', { confirmation: 'RESET' });
  assert.equal(done.status, 200);
  assert.equal(done.body.repositories, 1);
  assert.ok(done.body.bytes > 0);
  assert.equal((await instance.api('GET', '/content')).body.total, 0);
  const headers = { authorization: instance.authorization };
  assert.equal((await fetch(`${instance.url}/v2/some/app/manifests/1.0`, { headers })).status, 404);
  assert.deepEqual(readdirSync(join(folder.path, 'store', 'blobs', 'sha256')), []);

  const records = audits(instance);
  assert.deepEqual(
    records.map(({ outcome, code }) => code ?? outcome),
    ['SVC-STO-006', ...Array.from({ length: 5 }, () => 'SVC-VAL-001'), 'success'],
  );
  const log = instance.log();
  assert.equal(
    log.match(/"action":"api.access"[^\n]*store\/reset/g)?.length,
    2,
    'refused roles are audited too',
  );

  await push(instance, 'other/app');
  assert.equal((await instance.api('GET', '/content')).body.total, 1);
  assert.equal(await instance.stop(), 0);
  const index = JSON.parse(await readFile(join(folder.path, 'store', 'index.json'), 'utf8'));
  assert.equal(index.manifests.length, 1);

  await using again = await startInstance({ folder: folder.path });
  const { body } = await again.api('GET', '/content');
  assert.deepEqual(
    body.repositories.map(({ name }: { name: string }) => name),
    ['other/app'],
  );
});

test('with authentication disabled the word stays, and the record says that nobody signed in', async () => {
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path, config: { auth: { disabled: true } } });
  const post = async (confirmation: string) =>
    fetch(`${instance.url}/api/v1/store/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ confirmation }),
    });
  const unreadable = await fetch(`${instance.url}/api/v1/store/reset`, { method: 'POST', body: 'RESET' });
  assert.equal(unreadable.status, 415);
  assert.equal((await post('no')).status, 422);
  assert.equal((await post('RESET')).status, 200);
  for (const record of audits(instance)) {
    assert.equal(record.actor, 'anonymous');
    assert.equal(record.authentication, 'disabled');
    assert.equal(record.target, join(folder.path, 'store'));
  }
  assert.equal(audits(instance).length, 3);
  assert.ok(existsSync(join(folder.path, 'store', 'oci-layout')));
});
