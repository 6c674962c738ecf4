import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { pushAsClient } from '../../kit/content/push-as-client.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;
let refusal: GateRefusal | undefined;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({
    folder: folder.path,
    gate: () => ({ ...createOpenGate({ rehash: false }), refusal: () => refusal }),
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const owners = {
  import: { provenance: 'import' },
  recipe: { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'registry.example/cookbook' },
} as const;

async function put(repository: string, tag: string, by: keyof typeof owners | 'push'): Promise<void> {
  const image = buildImage(`${repository} ${tag}`);
  if (by === 'push') await pushAsClient(server.store, repository, image, tag);
  else await pushArtifact(openRepository(server.store, repository, { owner: owners[by] }), image, tag);
}

async function remove(path: string): Promise<{ status: number; code?: string; params?: any }> {
  const response = await server.fetch(`/api/v1/content/${path}`, { method: 'DELETE' });
  const text = await response.text();
  return { status: response.status, ...(text === '' ? {} : JSON.parse(text)) };
}

test('a deleted repository is removed from every surface, its neighbours are not, and the audit names the removed tags', async () => {
  await put('gone/app', 'v1', 'import');
  await put('gone/app', 'v2', 'import');
  await put('gone/app/worker', 'v1', 'import');
  server.report.audits.length = 0;
  assert.deepEqual(await remove('gone/app'), { status: 204 });
  assert.equal((await server.fetch('/api/v1/content/gone/app')).status, 404);
  assert.equal((await server.fetch('/v2/gone/app/manifests/v1')).status, 404);
  assert.equal((await server.fetch('/v2/gone/app/worker/manifests/v1')).status, 200);
  const list: any = await (await server.fetch('/api/v1/content?prefix=gone')).json();
  assert.deepEqual(
    list.repositories.map(({ name }: any) => name),
    ['gone/app/worker'],
  );
  const [record] = server.report.audits.filter(({ action }) => action === 'content.delete');
  assert.equal(record?.outcome, 'success');
  assert.equal(record?.target, 'gone/app');
  assert.equal(record?.details?.removed, 2);
  assert.match(String(record?.details?.tags), /^v1@sha256:[0-9a-f]{64},v2@sha256:/);
  assert.equal((await remove('gone/app')).code, 'SVC-REG-005');
});

test('deleting content that is no import is refused with the reason, and the attempt is audited', async () => {
  await put('kept/recipe', 'v1', 'recipe');
  await put('kept/push', 'v1', 'push');
  server.report.audits.length = 0;
  const managed = await remove('kept/recipe');
  assert.deepEqual(
    [managed.status, managed.code, managed.params.recipes],
    [403, 'SVC-POL-002', ['shop@1.0.0']],
  );
  const pushed = await remove('kept/push');
  assert.deepEqual([pushed.status, pushed.code], [403, 'SVC-POL-003']);
  assert.deepEqual(
    server.report.audits
      .filter(({ action }) => action === 'content.delete')
      .map(({ target, outcome, details }) => [target, outcome, details?.code]),
    [
      ['kept/recipe', 'denied', 'SVC-POL-002'],
      ['kept/push', 'denied', 'SVC-POL-003'],
    ],
  );
});

test('a mixed repository loses its imports, and the answer lists the remaining tags', async () => {
  await put('mixed', 'imported', 'import');
  await put('mixed', 'pushed', 'push');
  server.report.audits.length = 0;
  assert.equal((await remove('mixed')).status, 204);
  const [record] = server.report.audits.filter(({ action }) => action === 'content.delete');
  assert.deepEqual(record?.details?.kept, ['pushed']);
  const left: any = await (await server.fetch('/api/v1/content/mixed')).json();
  assert.deepEqual(
    left.tags.map(({ tag }: any) => tag),
    ['pushed'],
  );
  assert.deepEqual(left.provenance, ['push']);
});

test('while the gate is closed nothing is deleted', async () => {
  await put('closed', 'v1', 'import');
  for (const code of ['SVC-MED-030', 'SVC-MED-032'] as const) {
    refusal = { code, mediaId: 'm' };
    const { status, code: told } = await remove('closed');
    assert.deepEqual([status, told], [403, code]);
  }
  refusal = undefined;
  assert.ok(server.store.index.hasRepository('closed'));
});

test('unusual names are unknown, never an internal error', async () => {
  for (const path of ['UPPER', 'a//b', 'a%2fb', '..%2f..', 'gone', `${'a/'.repeat(200)}a`, 'x/-/tags']) {
    const { status, code } = await remove(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.match(code!, /^SVC-(REG-005|SRV-002)$/, path);
  }
});

test('a deletion is previewed for administrators, and a preview that no longer holds deletes nothing', async () => {
  await put('previewed', 'v1', 'import');
  await put('previewed', 'v2', 'push');
  const path = '/api/v1/content/previewed/-/delete-preview';
  const refused = await server.fetch(path, { headers: { authorization: server.as.operator } });
  assert.equal(refused.status, 403);
  const preview: any = await (await server.fetch(path)).json();
  assert.deepEqual(
    [preview.removed.map(({ tag }: any) => tag), preview.kept.map(({ tag }: any) => tag)],
    [['v1'], ['v2']],
  );
  const confirm = (fingerprint: string) =>
    server.fetch('/api/v1/content/previewed', {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fingerprint }),
    });
  await put('previewed', 'v3', 'import');
  const stale = await confirm(preview.fingerprint);
  assert.deepEqual([stale.status, ((await stale.json()) as any).code], [409, 'SVC-STO-015']);
  const next: any = await (await server.fetch(path)).json();
  assert.equal((await confirm(next.fingerprint)).status, 204);
  const left: any = await (await server.fetch('/api/v1/content/previewed')).json();
  assert.deepEqual(
    left.tags.map(({ tag }: any) => tag),
    ['v2'],
  );
});
