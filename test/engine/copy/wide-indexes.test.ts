import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { chooseChildren } from '../../../src/engine/copy/choose-children.ts';
import { copyGraph } from '../../../src/engine/copy/copy-graph.ts';
import { listImages } from '../../../src/engine/copy/list-images.ts';
import { readGraph } from '../../../src/engine/copy/read-graph.ts';
import { readManifest } from '../../../src/engine/copy/read-manifest.ts';
import { listAbsentPlatforms } from '../../../src/engine/copy/top-up.ts';
import { readChoices } from '../../../src/engine/import/read-choices.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { type IndexManifest, parseManifest } from '../../../src/oci/manifest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { Platform } from '../../../src/oci/platform.ts';
import { toBlob, toManifest } from '../../kit/content/content.ts';
import { buildWideIndex, type WideIndex } from '../../kit/content/wide-index.ts';
import { createMemoryTarget, type MemoryTarget } from '../../kit/instance/memory-target.ts';

const reference = 'registry.example/team/wide:1';
const amd64 = { os: 'linux', architecture: 'amd64' } as const;
const arm64 = { os: 'linux', architecture: 'arm64' } as const;
const s390x = { os: 'linux', architecture: 's390x' } as const;

/** Two levels of a thousand entries, and four of a hundred: 10^6 and 10^8 ways to one image. */
const shapes = [
  { levels: 2, width: 1000 },
  { levels: 4, width: 100 },
];

function hold({ indexes, image, config }: WideIndex): MemoryTarget {
  const target = createMemoryTarget();
  for (const content of [...indexes, image]) target.manifests.set(content.descriptor.digest, content);
  target.blobs.set(config.descriptor.digest, config.bytes);
  return target;
}

/** How often each manifest was fetched, the most frequent one. */
function mostReads({ calls }: MemoryTarget): number {
  const counts = new Map<string, number>();
  for (const call of calls)
    if (call.startsWith('get manifest')) counts.set(call, (counts.get(call) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

const parse = ({ root }: WideIndex): IndexManifest => parseManifest(root.bytes) as IndexManifest;

for (const shape of shapes) {
  const name = `${shape.levels} levels of ${shape.width} entries`;
  const silent = buildWideIndex({ ...shape, platforms: () => undefined });
  const named = buildWideIndex(shape);

  test(`images are listed once, and each index is read once, of ${name}`, async () => {
    for (const wide of [silent, named]) {
      const source = hold(wide);
      const images = await listImages(source, parse(wide), { reference });
      assert.deepEqual(
        images.map(({ descriptor, platform }) => [descriptor.digest, platform]),
        [[wide.image.descriptor.digest, amd64]],
      );
      assert.equal(mostReads(source), 1);
    }
  });

  test(`a platform that is not there is searched in each index once, of ${name}`, async () => {
    for (const wide of [silent, named]) {
      const source = hold(wide);
      const asked = { reference, platforms: [s390x] };
      await assert.rejects(chooseChildren(source, parse(wide), asked), {
        code: 'SVC-REG-008',
        params: { reference, platforms: ['linux/s390x'], available: ['linux/amd64'] },
      });
      assert.equal(mostReads(source), 1);
    }
  });

  test(`the graph is read once, of ${name}`, async () => {
    for (const wide of [silent, named])
      for (const platforms of [[], [amd64]]) {
        const source = hold(wide);
        const digest = wide.root.descriptor.digest;
        const graph = await readGraph(source, digest, { reference, platforms });
        assert.equal(graph.manifests.length, shape.levels + 1);
        assert.equal(graph.isSparse, false);
        assert.ok(graph.manifests.every(({ manifests }) => manifests.length <= 1));
        assert.equal(mostReads(source), 1);
      }
  });

  // a copy reads the manifests that it chooses and those that it carries
  test(`a copy carries each manifest once, of ${name}`, async () => {
    for (const platforms of [[], [amd64]]) {
      const source = hold(silent);
      const target = createMemoryTarget();
      let carried: readonly string[] = [];
      await copyGraph(source, target, silent.root, {
        reference,
        platforms,
        beforeRoot: async (digests) => {
          carried = digests;
        },
      });
      assert.equal(target.manifests.size, shape.levels + 1);
      assert.equal(carried.length, shape.levels + 1);
      assert.ok(mostReads(source) <= 2);
    }
  });

  test(`the choices are measured once, of ${name}`, async () => {
    const source = hold(named);
    const root = await readManifest(source, named.root, reference);
    const choices = await readChoices(source, root, { reference });
    assert.deepEqual(
      choices.map((choice) => [choice.name, choice.contents.length]),
      [['linux/amd64', shape.levels + 2]],
    );
    assert.equal(mostReads(source), 1);
  });
}

test('an index that names one image for a thousand platforms is measured once', async () => {
  const platforms = (entry: number) => ({ os: 'linux', architecture: `a${entry}` });
  const wide = buildWideIndex({ levels: 2, width: 1000, platforms });
  const source = hold(wide);
  const root = await readManifest(source, wide.root, reference);
  const choices = await readChoices(source, root, { reference });
  assert.equal(choices.length, 1000);
  assert.ok(choices.every(({ contents }) => contents.length === 4));
  assert.equal(mostReads(source), 1);
});

test('a manifest that four walks need at once is read once from a slow source', async () => {
  const platforms = (entry: number) => ({ os: 'linux', architecture: `a${entry}` });
  const wide = buildWideIndex({ levels: 3, width: 20, platforms });
  const source = hold(wide);
  const fetchManifest = source.fetchManifest.bind(source);
  source.fetchManifest = async (...call) => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
    return fetchManifest(...call);
  };
  const root = await readManifest(source, wide.root, reference);
  assert.equal((await readChoices(source, root, { reference })).length, 20);
  assert.equal(mostReads(source), 1);
});

test('a platform is one of an index each time it has another digest, and an image one for each platform', async () => {
  const wide = buildWideIndex({
    levels: 1,
    width: 4,
    platforms: (entry) => ({ os: 'linux', architecture: entry < 2 ? 'amd64' : 'arm64' }),
  });
  const images = await listImages(hold(wide), parse(wide), { reference });
  assert.deepEqual(
    images.map(({ platform }) => platform?.architecture),
    ['amd64', 'arm64'],
  );
});

test('more images than an artifact may have are refused, or left out for a view', async () => {
  const platforms = (entry: number) => ({ os: 'linux', architecture: `a${entry}` });
  const first = buildWideIndex({ levels: 1, width: 6000, platforms });
  const second = buildWideIndex({ levels: 1, width: 6000, platforms: (entry) => platforms(entry + 6000) });
  const source = hold(first);
  source.manifests.set(second.root.descriptor.digest, second.root);
  const index = { ...parse(first), manifests: [first.root.descriptor, second.root.descriptor] };
  await assert.rejects(listImages(source, index, { reference }), { code: 'SVC-REG-009' });
  assert.equal((await listImages(source, index, { reference, beyond: 'leave-out' })).length, 10_000);
});

test('a walk that nobody waits for ends at its next manifest', async () => {
  const wide = buildWideIndex({ levels: 4, width: 10 });
  const over = new AbortController();
  const source = hold(wide);
  const fetchManifest = source.fetchManifest.bind(source);
  source.fetchManifest = async (asked, options) => {
    const found = await fetchManifest(asked, options);
    over.abort(new Error('left'));
    return found;
  };
  const call = { reference, signal: over.signal };
  await assert.rejects(listImages(source, parse(wide), call), /left/);
  assert.equal(source.calls.length, 1);
});

test('the platforms that a target lacks are asked for once each', async () => {
  const wide = buildWideIndex({ levels: 1, width: 1000 });
  const source = hold(wide);
  source.manifests.delete(wide.image.descriptor.digest);
  let asked = 0;
  const counting = {
    ...source,
    hasManifest: async () => {
      asked += 1;
      return false;
    },
  };
  const absent = await listAbsentPlatforms(counting, wide.root.descriptor.digest, reference, {});
  assert.deepEqual(absent, ['linux/amd64']);
  assert.equal(asked, 1);
});

/** Two indexes that name one index: one names a platform for it, the other none. */
function holdTwoWays() {
  const target = createMemoryTarget();
  const add = (document: object): Descriptor => {
    const content = toManifest({ schemaVersion: 2, ...document });
    target.manifests.set(content.descriptor.digest, content);
    return content.descriptor;
  };
  const toImage = (platform: Platform): Descriptor => {
    const config = toBlob(JSON.stringify(platform), mediaTypes.ociConfig);
    target.blobs.set(config.descriptor.digest, config.bytes);
    return { ...add({ mediaType: mediaTypes.ociManifest, config: config.descriptor, layers: [] }), platform };
  };
  const toIndex = (...manifests: readonly Descriptor[]): Descriptor =>
    add({ mediaType: mediaTypes.ociIndex, manifests });
  const images = [toImage(arm64), toImage(s390x)];
  const shared = toIndex(...images);
  const root = toIndex(toIndex(shared), toIndex(toIndex({ ...shared, platform: amd64 })));
  return { target, root, toIndex, images };
}

test('an index that is reached again for other platforms is walked for them too', async () => {
  const { target, root, images } = holdTwoWays();
  const platforms = [arm64, amd64];
  const { manifests } = await readGraph(target, root.digest, { reference, platforms });
  const carried = createMemoryTarget();
  await copyGraph(target, carried, root, { reference, platforms });
  assert.deepEqual(manifests.map(({ digest }) => digest).sort(), [...carried.manifests.keys()].sort());
  for (const { digest } of images) assert.ok(carried.manifests.has(digest));
});

test('an index that is reached again on a longer way is nested as deeply as this way is long', async () => {
  const { target, toIndex, images } = holdTwoWays();
  const low = toIndex(toIndex(images[0]!));
  const high = toIndex(toIndex(low));
  for (const order of [
    [low, high],
    [high, low],
  ])
    await assert.rejects(readGraph(target, toIndex(...order).digest, { reference, platforms: [] }), {
      code: 'SVC-REG-009',
    });
});
