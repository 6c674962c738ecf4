import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestManifest, toBlob, toImage, toRecipe } from '../../kit/oci-content.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/temp-folder.ts';

let folder: TempFolder;
let server: TestServer;

before(async () => {
  folder = await openTempFolder();
  server = await startTestServer({ folder: folder.path });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function push(repository: string, content: string) {
  const blob = toBlob(content);
  await server.fetch(`/v2/${repository}/blobs/uploads/?digest=${blob.digest}`, {
    method: 'POST',
    body: blob.bytes as never,
  });
  return blob;
}

function put(repository: string, reference: string, manifest: TestManifest): Promise<Response> {
  return server.fetch(`/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': manifest.mediaType },
    body: manifest.bytes as never,
  });
}

async function firstError(response: Response): Promise<{ code: string; detail: { code: string } }> {
  return ((await response.json()) as { errors: any[] }).errors[0];
}

async function tagDigest(repository: string, tag: string): Promise<string | null> {
  const head = await server.fetch(`/v2/${repository}/manifests/${tag}`, { method: 'HEAD' });
  return head.headers.get('docker-content-digest');
}

test('a published recipe keeps its document: another is refused, the same one moves nothing', async () => {
  await push('cookbook/app', '{}');
  const document = await push('cookbook/app', 'kind: Recipe\nname: app\n');
  const other = await push('cookbook/app', 'kind: Recipe\nname: changed\n');
  const published = toRecipe(document, '2026-01-01T00:00:00Z');
  assert.equal((await put('cookbook/app', '1.0.0', published)).status, 201);
  const refused = await put('cookbook/app', '1.0.0', toRecipe(other, '2026-01-01T00:00:00Z'));
  assert.equal(refused.status, 403);
  const error = await firstError(refused);
  assert.deepEqual([error.code, error.detail.code], ['DENIED', 'SVC-POL-004']);
  const again = toRecipe(document, '2026-02-02T00:00:00Z');
  assert.notEqual(again.digest, published.digest);
  const same = await put('cookbook/app', '1.0.0', again);
  assert.equal(same.status, 201);
  assert.equal(await tagDigest('cookbook/app', '1.0.0'), published.digest);
  assert.equal(
    (await server.fetch(`/v2/cookbook/app/manifests/${again.digest}`, { method: 'HEAD' })).status,
    200,
  );
  const image = toImage(await push('cookbook/app', '{"x":1}'), []);
  const replaced = await put('cookbook/app', '1.0.0', image);
  assert.equal((await firstError(replaced)).detail.code, 'SVC-POL-004');
});

test('a tag that a recipe owns is neither re-pointed nor deleted, nor is what it reaches', async () => {
  const config = await push('owned', '{"a":1}');
  const image = toImage(config, []);
  await server.store.putManifest(
    'owned',
    {
      descriptor: { mediaType: image.mediaType, digest: image.digest, size: image.bytes.length },
      bytes: image.bytes,
    },
    { owner: { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'reg.example/cookbook' }, tag: 'v1' },
  );
  const other = toImage(await push('owned', '{"b":1}'), []);
  for (const response of [
    await put('owned', 'v1', other),
    await server.fetch('/v2/owned/manifests/v1', { method: 'DELETE' }),
    await server.fetch(`/v2/owned/manifests/${image.digest}`, { method: 'DELETE' }),
  ]) {
    assert.equal(response.status, 403);
    const error = await firstError(response);
    assert.deepEqual([error.code, error.detail.code], ['DENIED', 'SVC-POL-002']);
  }
  const audit = server.report.audits.at(-1);
  assert.deepEqual([audit?.action, audit?.outcome], ['registry.access', 'denied']);
  assert.equal((await put('owned', 'v1', image)).status, 201);
  assert.equal((await put('owned', 'v2', other)).status, 201);
  assert.equal(await tagDigest('owned', 'v1'), image.digest);
});

test('signature tags stay writable, whoever brought them', async () => {
  const config = await push('signed', '{"s":1}');
  const first = toImage(config, []);
  const tag = `sha256-${'a'.repeat(64)}.sig`;
  await server.store.putManifest(
    'signed',
    {
      descriptor: { mediaType: first.mediaType, digest: first.digest, size: first.bytes.length },
      bytes: first.bytes,
    },
    { owner: { provenance: 'recipe', recipe: 'app@1.0.0' }, tag },
  );
  const second = toImage(config, [], { annotations: { second: 'signature' } });
  assert.equal((await put('signed', tag, second)).status, 201);
  assert.equal(await tagDigest('signed', tag), second.digest);
});
