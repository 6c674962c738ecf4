import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('no answer of the registry may be stored by a shared cache, and only what never changes by another one without asking', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const image = buildImage('cached');
  const place = { registry: server.url, repository: 'app', authorization: server.as.admin };
  await pushArtifactOverHttp(place, image, '1.0');
  const layer = image.blobs.at(-1)!.descriptor.digest;
  const { digest } = image.manifest.descriptor;
  const blob = 'private, max-age=31536000, immutable';
  const manifest = 'private, no-cache';
  const nothing = 'no-store';
  const absent = `sha256:${'0'.repeat(64)}`;
  const asked: [status: number, control: string, path: string, init?: RequestInit][] = [
    [200, blob, `/v2/app/blobs/${layer}`],
    [200, blob, `/v2/app/blobs/${layer}`, { method: 'HEAD' }],
    [206, blob, `/v2/app/blobs/${layer}`, { headers: { range: 'bytes=1-2' } }],
    [304, blob, `/v2/app/blobs/${layer}`, { headers: { 'if-none-match': `"${layer}"` } }],
    [416, nothing, `/v2/app/blobs/${layer}`, { headers: { range: 'bytes=999999999-' } }],
    [401, nothing, `/v2/app/blobs/${layer}`, { headers: { authorization: 'Bearer wrong' } }],
    [404, nothing, `/v2/app/blobs/${absent}`],
    [404, nothing, `/v2/other/blobs/${layer}`],
    [200, manifest, '/v2/app/manifests/1.0'],
    [200, manifest, '/v2/app/manifests/1.0', { method: 'HEAD' }],
    [200, manifest, `/v2/app/manifests/${digest}`],
    [304, manifest, '/v2/app/manifests/1.0', { headers: { 'if-none-match': `"${digest}"` } }],
    [404, nothing, '/v2/app/manifests/2.0'],
    [200, nothing, '/v2/'],
    [200, nothing, '/v2/_catalog'],
    [200, nothing, '/v2/app/tags/list'],
    [200, nothing, `/v2/app/referrers/${digest}`],
    [202, nothing, '/v2/app/blobs/uploads/', { method: 'POST' }],
    [405, nothing, '/v2/', { method: 'POST' }],
  ];
  for (const [status, control, path, init] of asked) {
    const answer = await server.fetch(path, init);
    const name = `${init?.method ?? 'GET'} ${path}`;
    assert.equal(answer.status, status, name);
    assert.equal(answer.headers.get('cache-control'), control, name);
    await answer.arrayBuffer();
  }
});
