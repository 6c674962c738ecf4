import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { Clearance } from '../../../src/engine/medium/clearance.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { adoptStore } from '../../../src/store/adoption/adopt-store.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { buildImage, buildIndex, pushArtifact, toManifest } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';
import { listHeldAt } from '../../kit/result/held-at.ts';

const owner = { provenance: 'recipe', recipe: 'app@1.0.0', cookbook: 'x.io/c' } as const;
const index = buildIndex('carried', ['linux/amd64', 'linux/arm64'], { layerSize: 9000 });
const [amd64, arm64] = index.children.map(({ artifact }) => artifact);
const good = amd64!.blobs.at(-1)!.descriptor;
const bad = arm64!.blobs.at(-1)!.descriptor;

/** A server over the store of another maker, in which one layer does not match its name. */
async function serveCarried(folder: string, options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  await using temp = await openTempStore({ mode: 'mirror' });
  await pushArtifact(openRepository(temp.store, 'app', { owner }), index, 'v1');
  await temp.close();
  await mkdir(folder, { recursive: true });
  await cp(temp.root, join(folder, 'store'), { recursive: true });
  await damageFile(join(folder, 'store', blobPath(bad.digest)), 8500);
  return reopen(folder, options);
}

const reopen = (folder: string, { zone }: Partial<TestServerOptions> = {}): Promise<TestServer> =>
  startTestServer({
    folder,
    ...(zone === undefined ? {} : { zone }),
    gate: (store) => new Clearance({ store, zone, report: createRecordingReport() }),
  });

const pull = (server: TestServer, digest: Digest, init: RequestInit = {}, repository = 'app') =>
  server.fetch(`/v2/${repository}/blobs/${digest}`, init);
const range = { headers: { range: 'bytes=0-99' } };

async function requireAbsent(server: TestServer, digest: Digest, repository?: string): Promise<void> {
  for (const init of [{ method: 'HEAD' }, {}, range, { headers: { range: 'bytes=-1' } }]) {
    const answer = await pull(server, digest, init, repository);
    assert.equal(answer.status, 404, JSON.stringify(init));
    await answer.arrayBuffer();
  }
}

test('tampered bytes of a store that is still foreign are not sent, neither whole nor in part', async () => {
  await using folder = await openTempFolder('svc-adopted-');
  await using server = await serveCarried(folder.path);
  await requireAbsent(server, bad.digest);
  const part = await pull(server, good.digest, range);
  // a blob that is hashed while it is sent is sent whole
  assert.equal(part.status, 200);
  assert.equal((await part.arrayBuffer()).byteLength, good.size);
  assert.equal((await pull(server, good.digest, { method: 'HEAD' })).status, 200);
  assert.equal(server.store.standing, 'foreign');
});

test('a push of something unrelated adopts a store, and still nothing tampered is sent', async () => {
  await using folder = await openTempFolder('svc-adopted-');
  {
    await using server = await serveCarried(folder.path);
    const at = { registry: server.url, repository: 'mine', authorization: server.as.operator };
    await pushArtifactOverHttp(at, buildImage('mine'), 'v1');
    assert.equal(server.store.standing, 'ours');
    await requireAbsent(server, bad.digest);
    const part = await pull(server, good.digest, range);
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 100]);
    const mounted = await server.fetch(`/v2/mine/blobs/uploads/?mount=${bad.digest}&from=app`, {
      method: 'POST',
    });
    assert.equal(mounted.status, 202, 'a mount that cannot be done becomes an upload');
  }
  await using again = await reopen(folder.path);
  await requireAbsent(again, bad.digest);
  assert.equal((await pull(again, good.digest, range)).status, 206);
});

test('pushing the original bytes repairs a tampered blob of an adopted store', async () => {
  await using folder = await openTempFolder('svc-adopted-');
  await using server = await serveCarried(folder.path);
  const at = { registry: server.url, repository: 'app', authorization: server.as.operator };
  await requireAbsent(server, bad.digest);
  await pushArtifactOverHttp(at, arm64!);
  assert.equal((await listHeldAt(at, index)).length, 8);
});

test('held content of an adopted store is not served through an index that an operator pushes', async () => {
  await using folder = await openTempFolder('svc-adopted-');
  await using server = await serveCarried(folder.path, { zone: 'ship' });
  await adoptStore(server.store);
  const around = toManifest({
    schemaVersion: 2,
    mediaType: index.manifest.descriptor.mediaType,
    manifests: [arm64!.manifest.descriptor],
  });
  const answer = await server.fetch('/v2/mine/manifests/v1', {
    method: 'PUT',
    headers: { 'content-type': around.descriptor.mediaType, authorization: server.as.operator },
    body: new Uint8Array(around.bytes),
  });
  const { errors } = (await answer.json()) as { errors: { code: string; detail: { code: string } }[] };
  assert.deepEqual([answer.status, errors[0]?.code, errors[0]?.detail.code], [403, 'DENIED', 'SVC-MED-030']);
  await requireAbsent(server, good.digest, 'mine');
  await requireAbsent(server, bad.digest, 'mine');
  assert.equal((await server.fetch(`/v2/mine/manifests/${arm64!.manifest.descriptor.digest}`)).status, 404);
  assert.equal((await server.fetch('/v2/app/manifests/v1')).status, 403);
});

test('a platform that a recipe of the zone did not ask for is sent as it was signed or not at all', async () => {
  await using folder = await openTempFolder('svc-adopted-');
  await using server = await serveCarried(folder.path, { zone: 'ship' });
  await adoptStore(server.store);
  const target = openRepository(server.store, 'app', { owner });
  await pushArtifact(target, amd64!);
  await target.pushManifest('v1', index.manifest);
  assert.equal((await pull(server, good.digest)).status, 200);
  await requireAbsent(server, bad.digest);
});
