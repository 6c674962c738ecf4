import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { startNginxCache } from '../../kit/program/nginx-cache.ts';
import { needs } from '../../kit/program/peers.ts';
import { openTlsDoor } from '../../kit/program/tls-door.ts';

const slice = 64 << 10;
const ofRack = 10;

test('caches behind a cache: each slice leaves the instance once, and the instance judges every request', async (t) => {
  const program = needs(t, 'nginx');
  if (program === undefined) return;
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, trustedProxies: ['127.0.0.1'] });
  await using door = await openTlsDoor(Number(new URL(server.url).port));
  const startCache = (name: string, upstream: number, changes: readonly (readonly [string, string])[] = []) =>
    startNginxCache({
      ...{ program, folder: join(folder.path, name), upstream },
      changes: [['slice 32m;', 'slice 64k;'], ...changes],
    });
  await using inner = await startCache('inner', door.port, [
    ['# server_name outer-1.example outer-2.example;', 'server_name outer.test;'],
    ['# set_real_ip_from 192.0.2.30;', 'set_real_ip_from 127.0.0.1;'],
    ['# real_ip_header', 'real_ip_header'],
  ]);
  await using first = await startCache('rack-1', inner.port);
  await using second = await startCache('rack-2', inner.port);

  const image = buildImage('tree', { layers: [], ownLayers: 1, layerSize: 3 * slice + 100 });
  const place = { registry: server.url, repository: 'tree', authorization: server.as.admin };
  await pushArtifactOverHttp(place, image, '1.0');
  const { descriptor, bytes } = image.blobs.find((blob) => blob.bytes.length > slice)!;
  const path = `/v2/tree/blobs/${descriptor.digest}`;
  const headers = { authorization: server.as.viewer };
  const pulled = await Promise.all(
    [first, second].flatMap((cache) => Array.from({ length: ofRack }, () => cache.ask(path, { headers }))),
  );
  for (const { status, body } of pulled) {
    assert.equal(status, 200);
    assert.ok(body.equals(bytes));
  }
  const fetched = (await inner.records()).filter(({ method, cache }) => method === 'GET' && cache === 'MISS');
  assert.equal(fetched.length, 4, 'one request for each slice');
  const judged = (await inner.records()).filter(({ method }) => method === 'HEAD');
  assert.equal(judged.length, 2 * ofRack, 'the instance was asked for each pull');

  const tag = await second.ask('/v2/tree/manifests/1.0', { headers });
  assert.equal(tag.headers['docker-content-digest'], image.manifest.descriptor.digest);
  // as a cache with that name asks
  assert.equal((await inner.ask(path, { headers: { ...headers, host: 'outer.test' } })).status, 200);
  const wrong = { authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
  assert.equal((await second.ask(path, { headers: wrong, from: '127.0.0.7' })).status, 401);
  const { origin } = server.report.audits.findLast(({ action }) => action === 'auth.authenticate')!;
  assert.equal(origin, '127.0.0.7', 'the address of the node');
  const { digest } = image.manifest.descriptor;
  const gone = await fetch(`${server.url}/v2/tree/manifests/${digest}`, {
    method: 'DELETE',
    headers: { authorization: server.as.admin },
  });
  assert.equal(gone.status, 202);
  assert.equal((await first.ask(path, { headers })).status, 404);
});
