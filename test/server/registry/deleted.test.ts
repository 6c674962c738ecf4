import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type Artifact, buildImage, toBlob } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

test('a manifest that is deleted by its digest is refused at once with its layers, of a deleted tag only the tag', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const authorization = server.as.admin;
  const send = (method: string, path: string, body?: Buffer) =>
    server.fetch(`/v2/app/${path}`, { method, headers: { authorization }, body: body ?? null });
  const ask = async (method: string, path: string): Promise<number> => (await send(method, path)).status;
  const push = (image: Artifact, tag: string) =>
    pushArtifactOverHttp({ registry: server.url, repository: 'app', authorization }, image, tag);
  const shared = toBlob('in both', mediaTypes.ociLayer);
  const [image, other] = ['gone', 'other'].map((name) => buildImage(name, { layers: [shared] }));
  await push(image!, 'v1');
  await push(other!, 'v2');
  const manifest = `manifests/${image!.manifest.descriptor.digest}`;
  const blobs = image!.blobs.map(({ descriptor }) => descriptor.digest);
  const read = () =>
    Promise.all([manifest, ...blobs.map((digest) => `blobs/${digest}`)].map((path) => ask('GET', path)));
  // a blob that an operator asks about is kept on the disk for a day
  for (const digest of blobs) assert.equal(await ask('HEAD', `blobs/${digest}`), 200);

  assert.equal(await ask('DELETE', 'manifests/v1'), 202);
  assert.equal(await ask('GET', 'manifests/v1'), 404);
  assert.deepEqual(new Set(await read()), new Set([200]));

  assert.equal(await ask('DELETE', manifest), 202);
  const expected = [404, ...blobs.map((digest) => (digest === shared.descriptor.digest ? 200 : 404))];
  assert.deepEqual(await read(), expected, 'but what another manifest there has');
  assert.ok(expected.includes(200));

  // an upload is readable where it was made, until it is deleted
  const bytes = Buffer.from('uploaded and never named');
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  assert.equal((await send('POST', `blobs/uploads/?digest=${digest}`, bytes)).status, 201);
  assert.equal(await ask('GET', `blobs/${digest}`), 200);
  assert.equal(await ask('DELETE', `blobs/${digest}`), 202);
  assert.equal(await ask('GET', `blobs/${digest}`), 404);
});
