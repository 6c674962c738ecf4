import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Gate } from '../../../server/gate.ts';
import type { Digest } from '../../../src/base/digest.ts';
import type { GateRefusal } from '../../../src/base/gate-refusal.ts';
import { toBlob, toImage, toManifest } from '../../kit/content/oci-content.ts';
import { exhaustDescriptors } from '../../kit/hostile/exhaust-descriptors.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

async function push(server: TestServer, repository: string, bytes: Buffer) {
  const blob = toBlob(bytes);
  const response = await server.fetch(`/v2/${repository}/blobs/uploads/?digest=${blob.digest}`, {
    method: 'POST',
    body: blob.bytes as never,
  });
  assert.equal(response.status, 201, await response.text());
  return blob;
}

async function overwrite(server: TestServer, digest: string, position: number): Promise<void> {
  const file = await open(join(server.store.root, 'blobs', 'sha256', digest.slice(7)), 'r+');
  try {
    await file.write(Buffer.from([1, 2, 3, 4]), 0, 4, position);
  } finally {
    await file.close();
  }
}

test('while the gate is closed nothing is served or accepted, but clients can still sign in', async () => {
  await using folder = await openTempFolder();
  let refusal: GateRefusal | undefined;
  await using server = await startTestServer({
    folder: folder.path,
    gate: () => ({ ...createOpenGate({ rehash: false }), guarded: true, refusal: () => refusal }),
  });
  const blob = await push(server, 'closed', randomBytes(10));
  const image = toManifest({ schemaVersion: 2, manifests: [] });
  for (const code of ['SVC-MED-030', 'SVC-MED-032'] as const) {
    refusal = { code, mediaId: 'med_1' };
    for (const [method, path] of [
      ['GET', `/v2/closed/blobs/${blob.digest}`],
      ['HEAD', `/v2/closed/blobs/${blob.digest}`],
      ['GET', '/v2/closed/manifests/x'],
      ['GET', '/v2/closed/tags/list'],
      ['GET', '/v2/_catalog'],
      ['GET', `/v2/closed/referrers/${blob.digest}`],
      ['POST', '/v2/closed/blobs/uploads/'],
      ['PUT', `/v2/closed/manifests/${image.digest}`],
      ['DELETE', `/v2/closed/blobs/${blob.digest}`],
    ] as const) {
      const response = await server.fetch(path, { method });
      const text = await response.text();
      assert.equal(response.status, 403, `${method} ${path}`);
      if (method === 'HEAD') continue;
      const [error] = (JSON.parse(text) as { errors: any[] }).errors;
      assert.equal(error.code, 'DENIED');
      assert.deepEqual(error.detail, { code, params: { mediaId: 'med_1' } });
    }
    assert.equal((await server.fetch('/v2/')).status, 200);
    const list = await server.fetch('/api/v1/content');
    const { repositories } = (await list.json()) as { repositories: object[] };
    for (const repository of repositories) assert.deepEqual(Object.keys(repository), ['name']);
    const detail = await server.fetch('/api/v1/content/closed');
    assert.equal(((await detail.json()) as any).code, code);
  }
});

test('content that the gate does not allow is answered as unknown', async () => {
  await using folder = await openTempFolder();
  const allowed = new Set<string>();
  const gate: Gate = {
    ...createOpenGate({ rehash: false }),
    guarded: true,
    allowsRepository: (name) => name === 'shown',
    allowsTag: (_name, tag) => allowed.has(tag),
    allowsManifest: (_name, digest) => allowed.has(digest),
    allowsBlob: (_name, digest) => allowed.has(digest),
  };
  await using server = await startTestServer({ folder: folder.path, gate: () => gate });
  const config = await push(server, 'shown', Buffer.from('{}'));
  const other = await push(server, 'shown', Buffer.from('{"other":1}'));
  for (const [tag, blob] of [
    ['cleared', config],
    ['not-cleared', other],
  ] as const) {
    const image = toImage(blob, []);
    const put = await server.fetch(`/v2/shown/manifests/${tag}`, {
      method: 'PUT',
      headers: { 'content-type': image.mediaType },
      body: image.bytes as never,
    });
    assert.equal(put.status, 201);
    if (tag === 'cleared') for (const name of [tag, image.digest, blob.digest]) allowed.add(name);
  }
  await push(server, 'hidden', Buffer.from('{}'));
  const status = async (path: string) => {
    const response = await server.fetch(path);
    await response.arrayBuffer();
    return response.status;
  };
  assert.equal(await status('/v2/shown/manifests/cleared'), 200);
  assert.equal(await status(`/v2/shown/blobs/${config.digest}`), 200);
  assert.equal(await status('/v2/shown/manifests/not-cleared'), 403);
  assert.equal(await status(`/v2/shown/manifests/${toImage(other, []).digest}`), 404);
  assert.equal(await status(`/v2/shown/blobs/${other.digest}`), 404);
  assert.equal(await status('/v2/hidden/tags/list'), 404);
  const tags = await server.fetch('/v2/shown/tags/list');
  assert.deepEqual(((await tags.json()) as any).tags, ['cleared']);
  const catalog = await server.fetch('/v2/_catalog');
  assert.deepEqual(((await catalog.json()) as any).repositories, ['shown']);
});

test('an altered blob of a foreign store is never sent completely, and is reported', async () => {
  await using folder = await openTempFolder();
  const altered: Digest[] = [];
  await using server = await startTestServer({
    folder: folder.path,
    gate: () => createOpenGate({ rehash: true, onAltered: (digest) => altered.push(digest) }),
  });
  for (const size of [100, 3_000_000]) {
    const blob = await push(server, 'altered', randomBytes(size));
    const path = `/v2/altered/blobs/${blob.digest}`;
    const good = await server.fetch(path);
    assert.deepEqual(Buffer.from(await good.arrayBuffer()), blob.bytes);
    await overwrite(server, blob.digest, 50);
    await assert.rejects(async () => (await server.fetch(path)).arrayBuffer());
    assert.deepEqual(altered.splice(0), [blob.digest]);
  }
});

test('a range is sent only of the verified file; another file is hashed and sent completely', async () => {
  await using folder = await openTempFolder();
  let verified = true;
  await using server = await startTestServer({
    folder: folder.path,
    gate: () => ({ ...createOpenGate({ rehash: true }), guarded: true, isVerifiedFile: () => verified }),
  });
  const blob = await push(server, 'parts', randomBytes(5000));
  const get = () => server.fetch(`/v2/parts/blobs/${blob.digest}`, { headers: { range: 'bytes=100-199' } });
  const part = await get();
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), blob.bytes.subarray(100, 200));
  verified = false;
  const whole = await get();
  assert.equal(whole.status, 200);
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), blob.bytes);
});

test('without free descriptors a pull is answered 503, and nothing is withdrawn', async (t) => {
  await using folder = await openTempFolder();
  const altered: Digest[] = [];
  await using server = await startTestServer({
    folder: folder.path,
    gate: () => createOpenGate({ rehash: true, onAltered: (digest) => altered.push(digest) }),
  });
  const blob = await push(server, 'short', randomBytes(100));
  // one connection, opened while there are descriptors
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const pull = async () => {
    const asked = get(`${server.url}/v2/short/blobs/${blob.digest}`, {
      agent,
      headers: { authorization: server.as.viewer },
    });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return { response, bytes: await buffer(response) };
  };
  assert.deepEqual((await pull()).bytes, blob.bytes);
  {
    using short = exhaustDescriptors(t);
    if (short === undefined) return;
    const { response, bytes } = await eventually('no descriptor is left for the blob', async () => {
      short.takeAgain();
      const pulled = await pull();
      return pulled.response.statusCode !== 200 && pulled;
    });
    assert.equal(response.statusCode, 503, bytes.toString());
    assert.equal(response.headers['retry-after'], '5');
    const { errors } = JSON.parse(bytes.toString());
    assert.equal(errors[0].code, 'UNAVAILABLE');
    assert.equal(errors[0].detail.code, 'SVC-STO-014');
  }
  assert.deepEqual(altered, []);
  assert.deepEqual((await pull()).bytes, blob.bytes);
});
