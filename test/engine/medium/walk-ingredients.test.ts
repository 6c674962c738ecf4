import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { MediumFiles } from '../../../src/engine/medium/judge-file.ts';
import { checkIngredients } from '../../../src/engine/medium/walk-ingredients.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { parseRecipe, requireCooked } from '../../../src/recipe/document.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

/** A folder of blobs that has been read and found right, except for the lies of a test. */
async function openBlobs() {
  const folder = await openTempFolder();
  await mkdir(join(folder.path, 'blobs', 'sha256'), { recursive: true });
  const sizes = new Map<string, { digest: Digest; size: number }>();
  const put = async (bytes: string | Buffer, digest: Digest = hashBytes(bytes)): Promise<Digest> => {
    await writeFile(join(folder.path, blobPath(digest)), bytes);
    sizes.set(blobPath(digest), { digest, size: bytes.length });
    return digest;
  };
  const files: MediumFiles = {
    root: folder.path,
    listed: (path) => sizes.get(path),
    has: (path) => sizes.has(path),
    outcome: (path) => {
      const known = sizes.get(path);
      return (
        known && { digest: known.digest, identity: { device: 1n, inode: 1n, size: known.size, ctimeNs: 1n } }
      );
    },
  };
  return { files, put, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const toRecipe = (digest: Digest, more: object = {}, others: readonly object[] = []) => {
  const document = {
    apiVersion: 'recipe.tobby.dev/v1alpha1',
    kind: 'Recipe',
    metadata: { name: 'r', version: '1.0.0' },
    spec: {
      ingredients: [
        { name: 'i', kind: 'OCIArtifact', ref: 'origin.example/i', version: 'v1', digest, ...more },
        ...others,
      ],
    },
  };
  return requireCooked(parseRecipe(Buffer.from(JSON.stringify(document)), 'r'), 'r');
};
const image = (layers: object[], config: object) =>
  JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers });
const index = (manifests: object[]) =>
  JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests });
const describe = (mediaType: string, digest: Digest, size: number) => ({ mediaType, digest, size });
const needed = () => ({ reached: new Map(), away: new Map() });
const code = (expected: string) => (error: unknown) => isSvcError(error) && error.code === expected;

test('indexes may be nested, but not without end', async () => {
  await using blobs = await openBlobs();
  const config = describe(mediaTypes.ociEmpty, await blobs.put('{}'), 2);
  let text = image([], config);
  let type: string = mediaTypes.ociManifest;
  for (let depth = 0; depth <= 6; depth += 1) {
    const digest = await blobs.put(text);
    const reached = new Map();
    const walk = checkIngredients(blobs.files, toRecipe(digest), { reached, away: new Map() });
    if (depth <= 4) {
      await walk;
      assert.equal(reached.size, depth + 2);
    } else await assert.rejects(walk, code('SVC-MED-014'));
    text = index([describe(type, digest, text.length)]);
    type = mediaTypes.ociIndex;
  }
});

test('an index of ten thousand and one children is refused before any is looked for', async () => {
  await using blobs = await openBlobs();
  const child = describe(mediaTypes.ociManifest, hashBytes('x'), 1);
  const digest = await blobs.put(index(Array.from({ length: 10_001 }, () => child)));
  await assert.rejects(checkIngredients(blobs.files, toRecipe(digest), needed()), code('SVC-MED-014'));
});

test('a manifest that names itself is not what its name says', async () => {
  await using blobs = await openBlobs();
  const own = hashBytes('a name that the content cannot have');
  await blobs.put(index([describe(mediaTypes.ociIndex, own, 1)]), own);
  await assert.rejects(checkIngredients(blobs.files, toRecipe(own), needed()), code('SVC-MED-012'));
});

test('a child that a thousand parents share is walked once', async () => {
  await using blobs = await openBlobs();
  const config = describe(mediaTypes.ociEmpty, await blobs.put('{}'), 2);
  const text = image([], config);
  const shared = describe(mediaTypes.ociManifest, await blobs.put(text), text.length);
  const middle = index(Array.from({ length: 1000 }, () => shared));
  const parent = describe(mediaTypes.ociIndex, await blobs.put(middle), middle.length);
  const root = await blobs.put(index(Array.from({ length: 1000 }, () => parent)));
  const reached = new Map();
  await checkIngredients(blobs.files, toRecipe(root), { reached, away: new Map() });
  assert.equal(reached.size, 4);
});

test('content that is no manifest where one is needed is unreadable', async () => {
  await using blobs = await openBlobs();
  for (const bytes of ['', 'x', '[]', '{"schemaVersion":1}', Buffer.from([0xff, 0xfe])]) {
    const digest = await blobs.put(bytes);
    await assert.rejects(checkIngredients(blobs.files, toRecipe(digest), needed()), code('SVC-MED-014'));
  }
});

test('a layer that need not be distributed may be absent, and is reached when it is there', async () => {
  await using blobs = await openBlobs();
  const config = describe(mediaTypes.ociEmpty, await blobs.put('{}'), 2);
  const type = 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip';
  const layer = describe(type, hashBytes('windows'), 7);
  const digest = await blobs.put(image([layer], config));
  const reached = new Map();
  await checkIngredients(blobs.files, toRecipe(digest), { reached, away: new Map() });
  assert.equal(reached.has(layer.digest), false);
  await blobs.put('windows');
  await checkIngredients(blobs.files, toRecipe(digest), { reached, away: new Map() });
  assert.equal(reached.has(layer.digest), true);
  const plain = await blobs.put(image([describe(mediaTypes.ociLayer, hashBytes('gone'), 4)], config));
  await assert.rejects(checkIngredients(blobs.files, toRecipe(plain), needed()), code('SVC-MED-010'));
});

test('an artifact of another type than the recipe demands is refused', async () => {
  await using blobs = await openBlobs();
  const config = describe(mediaTypes.ociEmpty, await blobs.put('{}'), 2);
  const digest = await blobs.put(image([], config));
  const demand = (artifactType: string) =>
    checkIngredients(blobs.files, toRecipe(digest, { artifactType }), needed());
  await demand(mediaTypes.ociEmpty);
  await assert.rejects(demand('application/vnd.example.other'), code('SVC-SIG-003'));
});

test('of several ingredients that fail the gravest reason blocks the recipe', async () => {
  await using blobs = await openBlobs();
  const config = describe(mediaTypes.ociEmpty, await blobs.put('{}'), 2);
  const whole = await blobs.put(image([], config));
  const some = await blobs.put(
    index([
      { ...describe(mediaTypes.ociManifest, whole, 2), platform: { os: 'linux', architecture: 'arm64' } },
    ]),
  );
  const demanding = { kind: 'ContainerImage', platforms: ['linux/amd64'] };
  await assert.rejects(
    checkIngredients(blobs.files, toRecipe(some, demanding), needed()),
    code('SVC-REG-008'),
  );
  const gone = {
    name: 'gone',
    kind: 'OCIArtifact',
    ref: 'origin.example/gone',
    version: 'v1',
    digest: hashBytes('gone'),
  };
  await assert.rejects(
    checkIngredients(blobs.files, toRecipe(some, demanding, [gone]), needed()),
    code('SVC-MED-010'),
  );
});
