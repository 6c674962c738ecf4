import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { planExport } from '../../src/engine/layout/plan-export.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { deleteManifest } from '../../src/store/delete-content.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { readParsed } from '../../src/view/kept-manifests.ts';
import { absentLayersOf, platformsOf } from '../../src/view/versions.ts';
import { toManifest } from '../kit/content/content.ts';
import { pushArtifact } from '../kit/content/push-artifact.ts';
import { buildWideIndex, type WideIndex } from '../kit/content/wide-index.ts';
import { createOpenGate } from '../kit/instance/open-gate.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';

let temp: TempStore;
before(async () => {
  temp = await openTempStore();
});
after(() => temp[Symbol.asyncDispose]());

const at = (store: Store) => openRepository(store, 'team/wide', { owner: { provenance: 'import' } });

async function put(store: Store, { indexes, image, config }: WideIndex): Promise<void> {
  await pushArtifact(at(store), { manifest: image, blobs: [config] });
  for (const manifest of indexes) await pushArtifact(at(store), { manifest, blobs: [] });
}

/** Digests that were asked of the cache of manifests while `work` ran: one for each manifest that was read. */
async function countReads(store: Store, work: () => Promise<unknown>): Promise<Map<Digest, number>> {
  const counts = new Map<Digest, number>();
  const { cache } = store.core;
  const get = cache.get.bind(cache);
  const spy = mock.method(cache, 'get', (digest: Digest) => {
    counts.set(digest, (counts.get(digest) ?? 0) + 1);
    return get(digest);
  });
  try {
    await work();
  } finally {
    spy.mock.restore();
  }
  return counts;
}

for (const shape of [
  { levels: 2, width: 1000 },
  { levels: 4, width: 60 },
]) {
  test(`a version of ${shape.levels} levels of ${shape.width} entries is shown with one read of each`, async () => {
    const { store } = temp;
    const wide = buildWideIndex(shape);
    await put(store, wide);
    const manifest = parseManifest(wide.root.bytes);
    let platforms: Awaited<ReturnType<typeof platformsOf>> = [];
    const reads = await countReads(store, async () => {
      await absentLayersOf(store, manifest);
      platforms = await platformsOf(
        { store, gate: createOpenGate({ rehash: false }) },
        'team/wide',
        wide.root.descriptor.digest,
        manifest,
      );
    });
    assert.equal(Math.max(...reads.values()), 1);
    assert.deepEqual(
      platforms.map(({ architecture, digest }) => [architecture, digest]),
      [['amd64', wide.image.descriptor.digest]],
    );
  });
}

test('an export asks once for each manifest whether it can go, though many indexes name it', async () => {
  const { store } = temp;
  const width = 12;
  let below: Descriptor[] = Array.from({ length: width }, (_, i) => ({
    mediaType: mediaTypes.ociManifest,
    digest: toManifest({ absent: i, mediaType: mediaTypes.ociManifest }).descriptor.digest,
    size: 100,
  }));
  let root: ManifestContent | undefined;
  for (const level of [4, 3, 2, 1]) {
    const indexes = Array.from({ length: level === 1 ? 1 : width }, (_, i) =>
      toManifest({
        schemaVersion: 2,
        mediaType: mediaTypes.ociIndex,
        manifests: below,
        annotations: { place: `${i}` },
      }),
    );
    for (const manifest of indexes) await pushArtifact(at(store), { manifest, blobs: [] });
    below = indexes.map(({ descriptor }) => descriptor);
    root = indexes[0];
  }
  let asked = 0;
  const gate = {
    allowsTag: () => true,
    allowsManifest: () => {
      asked += 1;
      return true;
    },
  };
  const entry = { repository: 'team/wide', digest: root!.descriptor.digest };
  const { missing } = await planExport(store, { entries: [entry], missing: [] }, gate as never);
  assert.deepEqual(
    missing.map(({ reason }) => reason),
    ['no part of the index is in the store'],
  );
  assert.equal(asked, 1 + 3 * width);
});

test('a version that many ask for at once is read once, and not shown once it is gone', async () => {
  const { store } = temp;
  const root = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociIndex,
    manifests: [],
    annotations: { of: 'one', text: 'x'.repeat(100_000) },
  });
  await pushArtifact(at(store), { manifest: root, blobs: [] }, 'one');
  const { digest } = root.descriptor;
  const shown: unknown[] = [];
  const reads = await countReads(store, async () => {
    shown.push(...(await Promise.all(Array.from({ length: 50 }, () => readParsed(store, digest)))));
    shown.push(await readParsed(store, digest));
  });
  assert.equal(reads.get(digest), 1);
  assert.equal(new Set(shown).size, 1);
  await deleteManifest(store, 'team/wide', digest);
  assert.equal(await readParsed(store, digest), undefined);
});

test('an index that names one child ten thousand times keeps one', async () => {
  const { store } = temp;
  const wide = buildWideIndex({ levels: 1, width: 10_000, platforms: () => undefined });
  await put(store, wide);
  const read = await readParsed(store, wide.root.descriptor.digest);
  assert.deepEqual(read?.kind === 'index' && read.manifests.map(({ digest }) => digest), [
    wide.image.descriptor.digest,
  ]);
});
