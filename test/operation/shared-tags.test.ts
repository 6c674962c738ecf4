import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { isAttachmentTag } from '../../src/oci/reference.ts';
import { deleteManifest } from '../../src/store/delete-content.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { putTags } from '../../src/store/put-tags.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';
import { openZoneScene, type ZoneScene } from '../kit/scene/zone-scene.ts';

const repository = 'library/web';

/** Recipes that each pin one image of `library/web`, by recipe: the tag in the recipe and the digest. */
function publish({ scene }: ZoneScene, pins: Readonly<Record<string, readonly [tag: string, Digest]>>) {
  for (const [name, [tag, digest]] of Object.entries(pins))
    scene.publish(name, '1.0.0', [toIngredient('web', repository, tag, { digest })]);
}

const put = ({ scene }: Pick<ZoneScene, 'scene'>) => scene.putImage(repository, '1.0').digest;

const aliasOf = (tag: string, digest: Digest) => `${tag}-${digest.slice(7, 19)}`;

/** The digest of each tag of the repository in the store. */
const tagsOf = (zone: ZoneScene) =>
  new Map(zone.store.index.tags(zone.toLocal(repository)).map(({ tag, digest }) => [tag, digest]));

/** Requires that every digest is in the store, each under one tag, and that a further run has no work. */
async function requireSettled(zone: ZoneScene, digests: readonly Digest[]): Promise<void> {
  const tags = [...tagsOf(zone).values()];
  assert.deepEqual([...tags].sort(), [...digests].sort());
  for (const digest of digests)
    assert.equal(zone.store.index.reach(digest).size, 3, 'manifest, config and layer are there');
  assert.equal((await zone.plan(true)).exit_code, 0);
}

for (const order of [
  ['n-a', 'n-b', 'n-c'],
  ['n-b', 'n-a', 'n-c'],
  ['n-c', 'n-b', 'n-a'],
])
  test(`a tag that has the form of an alias takes no content from another recipe (${order.join(', ')})`, async () => {
    await using zone = await openZoneScene({ inMemory: true });
    const [a, b, c] = [put(zone), put(zone), put(zone)];
    publish(zone, { 'n-a': ['1.0', a], 'n-b': ['1.0', b], 'n-c': [aliasOf('1.0', a), c] });
    await zone.scene.setRetriever(order.map((name) => [name, '1.0.0']));
    for (let run = 0; run < 3; run += 1) {
      const { task } = await zone.sync(true);
      assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
      assert.deepEqual(task.pruned ?? [], []);
      await requireSettled(zone, [a, b, c]);
      assert.notEqual(tagsOf(zone).get(aliasOf('1.0', a)), c);
    }
  });

test('a tag that has the form of an alias gives it up when the recipe with the digest arrives later, and keeps its content', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const [a, b, c] = [put(zone), put(zone), put(zone)];
  publish(zone, { 'n-a': ['1.0', a], 'n-b': ['1.0', b], 'n-c': [aliasOf('1.0', a), c] });
  for (const [names, digests] of [
    [['n-c'], [c]],
    [
      ['n-c', 'n-b', 'n-a'],
      [a, b, c],
    ],
    [
      ['n-c', 'n-a'],
      [a, c],
    ],
    [['n-c'], [c]],
    [
      ['n-b', 'n-c', 'n-a'],
      [a, b, c],
    ],
  ] as const) {
    await zone.scene.setRetriever(names.map((name) => [name, '1.0.0']));
    const { task } = await zone.sync(true);
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    await requireSettled(zone, digests);
  }
});

test('a recipe that names a tag and the alias of a neighbour takes no content from that neighbour', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const { scene } = zone;
  const [good, evil] = [put(zone), put(zone)];
  publish(zone, { shop: ['1.0', good] });
  scene.publish('evil', '1.0.0', [
    toIngredient('one', repository, aliasOf('1.0', good), { digest: evil }),
    toIngredient('two', repository, '1.0', { digest: evil }),
  ]);
  await scene.setRetriever([
    ['evil', '1.0.0'],
    ['shop', '1.0.0'],
  ]);
  for (let run = 0; run < 3; run += 1) {
    const { task } = await zone.sync(true);
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    const tags = tagsOf(zone);
    assert.equal(tags.get('1.0'), evil);
    assert.equal(tags.get(aliasOf('1.0', good)), good);
    assert.equal((await zone.plan(true)).exit_code, 0);
  }
});

test('a recipe that cannot be resolved in one run keeps the tags of its ingredients', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const { scene } = zone;
  const [a, b] = [put(zone), put(zone)];
  publish(zone, { 'n-a': ['1.0', a], 'n-b': ['1.0', b] });
  await scene.setRetriever([
    ['n-a', '1.0.0'],
    ['n-b', '1.0.0'],
  ]);
  await zone.sync(true);
  const before = tagsOf(zone);
  assert.equal(before.get('1.0'), a);
  const restore = scene.origin.intercept(({ path }, response) => {
    if (!path.includes('/n-a/')) return false;
    response.writeHead(500).end();
    return true;
  });
  const { task } = await zone.sync(true);
  assert.equal(task.counts.failed, 1, JSON.stringify(task.items));
  assert.deepEqual(tagsOf(zone), before);
  restore();
  await zone.sync(true);
  assert.deepEqual(tagsOf(zone), before);
});

test('a recipe whose content is deleted while its neighbour is synchronized is not done, and nothing is pruned', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const { scene } = zone;
  const a = put(zone);
  publish(zone, { 'n-a': ['1.0', a], gone: ['2.0', put(zone)] });
  await scene.setRetriever([
    ['n-a', '1.0.0'],
    ['gone', '1.0.0'],
  ]);
  await zone.sync(true);
  const b = scene.putImage('library/other', '1.0');
  scene.publish('n-b', '1.0.0', [toIngredient('other', 'library/other', '1.0', b)]);
  await scene.setRetriever([
    ['n-a', '1.0.0'],
    ['n-b', '1.0.0'],
  ]);
  let isDeleted = false;
  scene.origin.intercept(async ({ path }) => {
    if (isDeleted || !path.includes('/library/other/blobs/')) return false;
    isDeleted = true;
    await deleteManifest(zone.store, zone.toLocal(repository), a);
    return false;
  });
  const { task } = await zone.sync(true);
  const item = task.items.find(({ name }) => name === 'n-a@1.0.0');
  assert.deepEqual([item?.status, item?.error?.code], ['failed', 'SVC-STO-016']);
  assert.equal(task.items.find(({ name }) => name === 'n-b@1.0.0')?.status, 'done');
  assert.equal(task.pruned, undefined);
  const again = await zone.sync(true);
  assert.equal(again.task.counts.failed, 0);
  assert.equal(tagsOf(zone).get('1.0'), a);
  assert.equal(again.task.pruned?.length, 3);
});

test('the versions of a recipe are its own: an ingredient gets an alias there, in the store and at the destination', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  await using there = await createRegistryDouble();
  const host = scene.origin.host.replace(':', '_');
  // the place that recipes are promoted to is also where their repository is relocated to
  const change = {
    mode: 'passthrough' as const,
    registries: { insecure: [scene.origin.host, there.host] },
    destination: { registry: there.host, cookbook: `${host}/cookbook` },
  };
  const image = put({ scene });
  const { digest } = scene.publish('vict', '1.0.0', [
    toIngredient('web', repository, '1.0', { digest: image }),
  ]);
  const other = scene.putImage('cookbook/vict', 'latest').digest;
  scene.publish('harm', '1.0.0', [
    toIngredient('newer', 'cookbook/vict', '9.9.9', { digest }, { kind: 'OCIArtifact' }),
    toIngredient('same', 'cookbook/vict', '1.0.0', { digest }, { kind: 'OCIArtifact' }),
    toIngredient('with-v', 'cookbook/vict', 'v2.0.0', { digest: other }),
    toIngredient('named', 'cookbook/vict', 'stable', { digest: other }),
  ]);
  for (const order of [
    ['harm', 'vict'],
    ['vict', 'harm'],
  ]) {
    await scene.setRetriever(order.map((name) => [name, '*']));
    const { task } = await scene.run({ change, prune: true });
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    const local = await scene.peek(({ index }) => index.tags(`${host}/cookbook/vict`).map(({ tag }) => tag));
    const isOwn = (tag: string) => !isAttachmentTag(tag);
    const expected = [
      '1.0.0',
      `ingredient-9.9.9-${digest.slice(7, 19)}`,
      `ingredient-v2.0.0-${other.slice(7, 19)}`,
      'stable',
    ];
    assert.deepEqual(local.filter(isOwn), expected);
    for (const [tag, named] of [
      ['1.0.0', digest],
      [expected[1]!, digest],
      [expected[2]!, other],
      ['stable', other],
    ] as const)
      assert.equal(there.manifest(`${host}/cookbook/vict`, tag)?.digest, named, tag);
    for (const tag of ['9.9.9', 'v2.0.0'])
      assert.equal(there.manifest(`${host}/cookbook/vict`, tag), undefined, tag);
  }
});

test('a repository that only has a recipe as an ingredient of another is not one of recipes', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const { scene } = zone;
  const { digest } = scene.publish('base', '1.0.0', [
    toIngredient('web', repository, '1.0', { digest: put(zone) }),
  ]);
  scene.publish('shop', '1.0.0', [
    toIngredient('base', 'cookbook/base', '1.0.0', { digest }, { kind: 'OCIArtifact' }),
  ]);
  await scene.setRetriever([['shop', '*']]);
  for (let run = 0; run < 2; run += 1) {
    await zone.sync(true);
    assert.equal(zone.store.index.tag(zone.toLocal('cookbook/base'), '1.0.0')?.digest, digest);
    assert.equal((await zone.plan(true)).exit_code, 0);
  }
});

test('an ingredient does not take the tag of a packed FileSet: it gets an alias, and the FileSet stays', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const { scene, store } = zone;
  const packed = buildImage('packed here');
  const { digest } = packed.manifest.descriptor;
  const owner = { provenance: 'local-pack' } as const;

  const pinned = scene.putImage('localhost/filesets/manuals', '1.0').digest;
  const ingredient = toIngredient('x', 'localhost/filesets/manuals', '1.0', { digest: pinned });
  const local = zone.toLocal('localhost/filesets/manuals');
  await pushArtifact(openRepository(store, local, { owner }), packed, '1.0');
  scene.publish('taker', '1.0.0', [ingredient]);
  await scene.setRetriever([['taker', '*']]);
  for (let run = 0; run < 2; run += 1) {
    const { task } = await zone.sync(true);
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    assert.equal(store.index.tag(local, '1.0')?.digest, digest);
    assert.equal(store.index.tag(local, aliasOf('1.0', pinned))?.digest, pinned);
    assert.equal((await zone.plan(true)).exit_code, 0);
  }
  const recipe = {
    provenance: 'recipe',
    recipe: 'taker@1.0.0',
    cookbook: `${scene.origin.host}/cookbook`,
  } as const;
  await assert.rejects(
    putTags(store, [
      { repository: local, tag: '1.0', digest: pinned, kind: 'ContainerImage', owner: recipe },
    ]),
    { code: 'SVC-POL-005' },
  );
});
