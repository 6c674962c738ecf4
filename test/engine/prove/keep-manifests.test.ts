import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { keepManifests } from '../../../src/engine/prove/carried-folder.ts';
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
      fetchBlob: () => Promise.reject(new Error('not asked for')),
      listReferrers: async () => [],
      hasBlob: async () => isWhole,
      hasManifest: async () => isWhole,
    },
  };
}

test('a manifest is read from the first folder, and found on the next one that has it whole', async () => {
  const keeping = keepManifests();
  const [first, second, damaged] = [openFolder(true), openFolder(true), openFolder(false)];
  assert.equal(await keeping(first.source).fetchManifest(digest), manifest);
  assert.equal(await keeping(second.source).fetchManifest(digest), manifest);
  assert.deepEqual(await keeping(second.source).resolve(digest), manifest.descriptor);
  assert.equal(await keeping(damaged.source).fetchManifest(digest), undefined);
  assert.deepEqual([first.asked, second.asked, damaged.asked], [[digest], [], []]);
});

test('a tag is asked for in each folder', async () => {
  const keeping = keepManifests();
  const folder = openFolder(true);
  const source = keeping(folder.source);
  await source.fetchManifest('1.0');
  await source.fetchManifest('1.0');
  assert.deepEqual(folder.asked, ['1.0', '1.0']);
});
