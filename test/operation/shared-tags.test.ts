import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { deleteManifest } from '../../src/store/delete-content.ts';
import { toIngredient } from '../kit/sync-scene.ts';
import { openZoneScene, type ZoneScene } from '../kit/zone-scene.ts';

const repository = 'library/web';

/** Recipes that each pin one image of `library/web`, by recipe: the tag in the recipe and the digest. */
function publish({ scene }: ZoneScene, pins: Readonly<Record<string, readonly [tag: string, Digest]>>) {
  for (const [name, [tag, digest]] of Object.entries(pins))
    scene.publish(name, '1.0.0', [toIngredient('web', repository, tag, { digest })]);
}

const put = ({ scene }: ZoneScene) => scene.putImage(repository, '1.0').digest;

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
