import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type ContentAnswers, rememberContent } from '../../../src/remote/registry/remember-content.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';

const bytes = Buffer.from('a layer');
const blob = { mediaType: mediaTypes.ociLayer, digest: hashBytes(bytes), size: bytes.length };

async function open(t: TestContext) {
  const double = await createRegistryDouble();
  t.after(() => double.close());
  const registry = openRemoteRegistry(t, [double.host]);
  const answers: ContentAnswers = new Map();
  return {
    double,
    heads: () => double.count(/^HEAD /),
    /** A repository of a later round. */
    round: (repository = 'team/app') =>
      rememberContent(registry, answers).repository({ host: double.host, repository }, { access: 'push' }),
  };
}

test('a blob is asked for until it is there, once more after its push, and by itself in each repository', async (t) => {
  const { double, heads, round } = await open(t);
  assert.equal(await round().hasBlob(blob), false);
  assert.equal(heads(), 1);
  // another import pushes it
  double.putBlob('team/app', bytes);
  assert.equal(await round().hasBlob(blob), true);
  assert.equal(await round().hasBlob(blob), true);
  assert.equal(heads(), 2);
  await round().pushBlob(blob, () => Readable.from([bytes]));
  assert.equal(await round().lacksBlob(blob), false);
  assert.equal(heads(), 3);
  assert.equal(await round().hasBlob(blob), true);
  assert.equal(await round().lacksBlob(blob), false);
  assert.equal(heads(), 3);
  assert.equal(await round('team/other').hasBlob(blob), false);
  assert.equal(await round().hasBlob({ ...blob, size: 1 }), false);
  assert.equal(heads(), 5);
});

test('a blob that the registry accepted and does not have is asked for again', async (t) => {
  const { double, round } = await open(t);
  await round().hasBlob(blob);
  double.intercept(({ method, path }, response) => {
    if (method !== 'HEAD' || !path.includes(blob.digest)) return false;
    response.writeHead(404).end();
    return true;
  });
  await round().pushBlob(blob, () => Readable.from([bytes]));
  assert.equal(await round().lacksBlob(blob), true);
  assert.equal(await round().hasBlob(blob), false);
});

test('a refused manifest makes everything of its repository be asked for again', async (t) => {
  const { double, heads, round } = await open(t);
  double.putBlob('team/app', bytes);
  const manifest = double.putManifest('team/app', {
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [],
  });
  assert.equal(await round().hasBlob(blob), true);
  assert.equal(await round().hasManifest(manifest.digest), true);
  assert.equal(await round().hasManifest(manifest.digest), true);
  assert.equal(heads(), 2);
  double.failNext(/^PUT .*manifests/, 400);
  const refused = Buffer.from('{"schemaVersion":2,"manifests":[]}');
  const descriptor = { mediaType: mediaTypes.ociIndex, digest: hashBytes(refused), size: refused.length };
  await assert.rejects(round().pushManifest('1.0', { descriptor, bytes: refused }));
  assert.equal(await round().hasBlob(blob), true);
  assert.equal(await round().hasManifest(manifest.digest), true);
  assert.equal(heads(), 4);
});

test('a manifest is asked for again after it was put or removed', async (t) => {
  const { round } = await open(t);
  const document = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] }),
  );
  const descriptor = { mediaType: mediaTypes.ociIndex, digest: hashBytes(document), size: document.length };
  assert.equal(await round().hasManifest(descriptor.digest), false);
  await round().pushManifest(descriptor.digest, { descriptor, bytes: document });
  assert.equal(await round().hasManifest(descriptor.digest), true);
  await round().deleteManifest(descriptor.digest);
  assert.equal(await round().hasManifest(descriptor.digest), false);
});

test('an answer of absence that arrives after the push of a manifest does not hide it', async (t) => {
  const { double, round } = await open(t);
  const document = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] }),
  );
  const descriptor = { mediaType: mediaTypes.ociIndex, digest: hashBytes(document), size: document.length };
  const [asked, pushed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stop = double.intercept(async ({ method }, response) => {
    if (method !== 'HEAD') return false;
    asked.resolve();
    await pushed.promise;
    response.writeHead(404).end();
    return true;
  });
  const late = round().hasManifest(descriptor.digest);
  await asked.promise;
  await round().pushManifest(descriptor.digest, { descriptor, bytes: document });
  pushed.resolve();
  assert.equal(await late, false);
  stop();
  assert.equal(await round().hasManifest(descriptor.digest), true);
});
