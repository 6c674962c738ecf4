import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAliasTag } from '../../../src/catalog/re-point.ts';
import type { Owner } from '../../../src/contract/content.ts';
import { projectRelease } from '../../../src/engine/release/project-release.ts';
import { projectTags } from '../../../src/engine/sync/project-tags.ts';
import { planPrune } from '../../../src/engine/sync/prune.ts';
import { releaseOwners } from '../../../src/store/delete-content.ts';
import type { Store } from '../../../src/store/model.ts';
import { occupancyOf } from '../../../src/store/occupancy.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { putTags } from '../../../src/store/put-tags.ts';
import { type Artifact, buildImage, pushArtifact, seededBytes, toBlob } from '../../kit/content/content.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

const by = (recipe: string, cookbook = 'books.example/cookbook'): Owner => ({
  provenance: 'recipe',
  recipe,
  cookbook,
});

/** Puts an image under a tag for each of its owners. */
async function hold(store: Store, tag: string, image: Artifact, owners: readonly Owner[]): Promise<void> {
  const { digest } = image.manifest.descriptor;
  await pushArtifact(openRepository(store, 'r', { owner: owners[0]! }), image, tag);
  await putTags(
    store,
    owners.map((owner) => ({ repository: 'r', tag, digest, kind: 'ContainerImage', owner })),
  );
}

/** The prune after a run whose recipes own these tags, each with the image it names. */
function planAfter(store: Store, wanted: readonly (readonly [tag: string, image: Artifact, owner: Owner])[]) {
  const owned = wanted.map(([tag, image, owner]) => ({
    repository: 'r',
    tag,
    digest: image.manifest.descriptor.digest,
    kind: 'ContainerImage' as const,
    owner,
  }));
  return planPrune(store.index, projectTags(owned, store.index), () => ({ manifests: [], attached: [] }));
}

const sizeOf = ({ manifest, blobs }: Artifact) =>
  [manifest, ...blobs].reduce((sum, { descriptor }) => sum + descriptor.size, 0);

test('only positive recipe provenance is ever released', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  for (const provenance of ['import', 'vulnerability-database', 'local-pack'] as const)
    await hold(store, provenance, buildImage(provenance), [{ provenance }]);
  await hold(store, 'gone', buildImage('gone'), [by('x@1')]);
  const plan = await planAfter(store, []);
  assert.deepEqual(
    plan.items.map(({ tag }) => tag),
    ['gone'],
  );
  assert.deepEqual(
    plan.releases.map(({ tag }) => tag),
    ['gone'],
  );
});

test('an owner that leaves does not take along what another still owns', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const image = buildImage('a');
  await hold(store, '1', image, [by('x@1'), by('y@1')]);
  const plan = await planAfter(store, [['1', image, by('y@1')]]);
  assert.deepEqual(plan.items, []);
  assert.deepEqual(plan.releases, [{ repository: 'r', tag: '1', owner: by('x@1') }]);
});

test('the same recipe of another cookbook is another owner, and what both name is kept', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const image = buildImage('a');
  await hold(store, '1', image, [by('x@1', 'other.example/c')]);
  const plan = await planAfter(store, [['1', image, by('x@1')]]);
  assert.deepEqual(plan.items, []);
  assert.deepEqual(plan.releases, [{ repository: 'r', tag: '1', owner: by('x@1', 'other.example/c') }]);
  assert.equal((await planAfter(store, [])).items.length, 1);
});

test('bytes set free are counted once, and not those that something else reaches', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const [twice, kept] = ['twice', 'kept'].map((seed) => toBlob(seededBytes(seed, 5000)));
  const one = buildImage('one', { layers: [twice!, kept!] });
  const two = buildImage('two', { layers: [twice!] });
  await hold(store, '1', one, [by('x@1')]);
  await hold(store, '2', two, [by('x@1')]);
  await hold(store, '3', buildImage('three', { layers: [kept!] }), [{ provenance: 'import' }]);
  const plan = await planAfter(store, []);
  assert.deepEqual(
    plan.items.map(({ sizeBytes }) => sizeBytes),
    [sizeOf(one), sizeOf(two)],
  );
  assert.equal(plan.totalBytes, sizeOf(one) + sizeOf(two) - 2 * 5000);
  const before = occupancyOf(store).bytes;
  const { bytes } = await releaseOwners(store, plan.releases);
  assert.equal(bytes, plan.totalBytes);
  assert.equal(occupancyOf(store).bytes, before - bytes);
});

test('the tag of a digest whose own tag is taken stays a tag', () => {
  const [one, two] = ['a', 'b'].map((seed) => buildImage(seed).manifest.descriptor.digest);
  for (const length of [12, 64]) assert.equal(toAliasTag('1'.repeat(128), one!, length).length <= 128, true);
  assert.notEqual(toAliasTag('1.0', one!), toAliasTag('1.0', two!));
});

test('a release is projected in at least one step for each tag, so that others can take turns', async () => {
  await using temporary = await openTempStore();
  const { store } = temporary;
  const tags = Array.from({ length: 30 }, (_, i) => `v${i}`);
  for (const tag of tags) await hold(store, tag, buildImage(tag), [by('x@1')]);
  const leaving = new Map(tags.map((tag) => [`r:${tag}`, store.index.tag('r', tag)!]));
  const left = new Map(tags.map((tag) => [`r:${tag}`, []]));
  const steps = projectRelease(store.index, { leaving, left });
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  assert.ok(count >= tags.length, `${count} steps`);
  assert.equal(step.value.freedBytes, occupancyOf(store).bytes);
});
