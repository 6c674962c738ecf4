import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { keepDocuments } from '../../../src/engine/prove/carried-folder.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent, Prober, SignedSource } from '../../../src/oci/ports.ts';

const bytes = Buffer.from('{}');
const digest: Digest = hashBytes(bytes);
const manifest: ManifestContent = {
  bytes,
  descriptor: { mediaType: mediaTypes.ociManifest, digest, size: bytes.length },
};

/** A folder that has the manifest, or has it damaged. */
function openFolder(isWhole: boolean): { readonly source: SignedSource & Prober; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    source: {
      resolve: async () => manifest.descriptor,
      fetchManifest: async (reference) => {
        asked.push(reference);
        return isWhole ? manifest : undefined;
      },
      fetchBlob: async ({ digest }) => {
        asked.push(digest);
        if (!isWhole) throw new Error('damaged');
        return Readable.from([bytes]);
      },
      listReferrers: async () => [],
      hasBlob: async () => isWhole,
      hasManifest: async () => isWhole,
    },
  };
}

test('a manifest is read from the first folder, and found on the next one that has it whole', async () => {
  const keeping = keepDocuments();
  const [first, second, damaged] = [openFolder(true), openFolder(true), openFolder(false)];
  assert.equal(await keeping(first.source).fetchManifest(digest), manifest);
  assert.equal(await keeping(second.source).fetchManifest(digest), manifest);
  assert.deepEqual(await keeping(second.source).resolve(digest), manifest.descriptor);
  assert.equal(await keeping(damaged.source).fetchManifest(digest), undefined);
  assert.deepEqual([first.asked, second.asked, damaged.asked], [[digest], [], []]);
});

test('a small blob is read from the first folder, and where it is damaged not at all', async () => {
  const keeping = keepDocuments();
  const [first, second, damaged] = [openFolder(true), openFolder(true), openFolder(false)];
  const blob = manifest.descriptor;
  for (const { source } of [first, second])
    assert.deepEqual(await buffer(await keeping(source).fetchBlob(blob)), bytes);
  await assert.rejects(keeping(damaged.source).fetchBlob(blob));
  assert.deepEqual([first.asked, second.asked, damaged.asked], [[digest], [], [digest]]);
});

test('a blob with other bytes is kept for no folder', async () => {
  const keeping = keepDocuments();
  const folder = openFolder(true);
  const blob = { ...manifest.descriptor, digest: hashBytes('other'), size: bytes.length };
  const source = keeping(folder.source);
  await source.fetchBlob(blob);
  await source.fetchBlob(blob);
  assert.deepEqual(folder.asked, [blob.digest, blob.digest]);
});

test('a tag is asked for in each folder', async () => {
  const keeping = keepDocuments();
  const folder = openFolder(true);
  const source = keeping(folder.source);
  await source.fetchManifest('1.0');
  await source.fetchManifest('1.0');
  assert.deepEqual(folder.asked, ['1.0', '1.0']);
});
