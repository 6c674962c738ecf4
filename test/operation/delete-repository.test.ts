import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDigest } from '../../src/base/digest.ts';
import type { Owner } from '../../src/contract/content.ts';
import { deleteRepository, previewDelete } from '../../src/operation/delete-repository.ts';
import { adoptStore } from '../../src/store/adoption/adopt-store.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { checkContent } from '../../src/store/repair/check-content.ts';
import {
  type Artifact,
  buildImage,
  buildIndex,
  buildReferrer,
  digestsOf,
  pushArtifact,
  seededBytes,
  toBlob,
} from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { pushAsClient } from '../kit/content/push-as-client.ts';
import { openTempStore, type TempStore } from '../kit/instance/temp-store.ts';

const imported: Owner = { provenance: 'import' };
const pushed: Owner = { provenance: 'push' };
const recipe: Owner = { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'registry.example/cookbook' };

async function put(store: Store, repository: string, artifact: Artifact, tag: string, owner = imported) {
  if (owner !== pushed) await pushArtifact(openRepository(store, repository, { owner }), artifact, tag);
  else await pushAsClient(store, repository, artifact, isDigest(tag) ? undefined : tag);
}

async function listFiles({ root }: TempStore): Promise<string[]> {
  return (await readdir(join(root, 'blobs', 'sha256'))).map((name) => `sha256:${name}`).sort();
}

async function assertSound(store: Store): Promise<void> {
  for await (const { name, problems } of checkContent(store)) assert.deepEqual(problems, [], name);
}

const holds = (store: Store, artifact: Artifact): boolean =>
  digestsOf(artifact).every((digest) => store.index.sizeOf(digest) !== undefined);

/** Deletes the content of a preview, and compares the result with it. */
async function remove(store: Store, repository: string) {
  const { fingerprint, removed, kept, freedBytes } = await previewDelete(store, repository);
  const result = await deleteRepository(store, repository, { fingerprint });
  assert.deepEqual(
    result.removed.map(({ tag, digest }) => [tag, digest]),
    removed.map(({ tag, digest }) => [tag, digest]),
  );
  assert.deepEqual(
    result.kept,
    [...kept].sort((a, b) => (a.tag < b.tag ? -1 : 1)),
  );
  assert.equal(result.bytes, freedBytes);
  return result;
}

test('an imported repository goes with what it alone held; the one below it stays', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const base = toBlob(seededBytes('base', 3000));
  const [one, two, below] = ['one', 'two', 'below'].map((seed) =>
    buildIndex(seed, undefined, { layers: [base] }),
  );
  await put(store, 'a/b', one!, 'v1');
  await put(store, 'a/b', two!, 'v2');
  await put(store, 'a/b/c', below!, 'v1');
  await put(store, 'a/bc', below!, 'v1');
  const result = await remove(store, 'a/b');
  assert.deepEqual(
    result.removed.map(({ tag }) => tag),
    ['v1', 'v2'],
  );
  assert.deepEqual(result.kept, []);
  assert.ok(result.bytes > 0);
  assert.deepEqual(store.index.repositories(), ['a/b/c', 'a/bc']);
  assert.deepEqual(await listFiles(temp), digestsOf(below!).sort());
  const again = await temp.reopen();
  assert.deepEqual(again.index.repositories(), ['a/b/c', 'a/bc']);
  await assertSound(again);
});

test('the vulnerability database and a packed file set are deleted like imports', async () => {
  for (const provenance of ['vulnerability-database', 'local-pack'] as const) {
    await using temp = await openTempStore();
    await put(temp.store, 'x/y', buildImage(provenance), '1', { provenance });
    await remove(temp.store, 'x/y');
    assert.deepEqual(await listFiles(temp), [], provenance);
  }
});

test('signatures go with what they sign, in both layouts', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildImage('signed');
  const { descriptor } = image.manifest;
  await put(store, 'a', image, 'v1');
  await put(store, 'a', buildImage('the signature'), `sha256-${descriptor.digest.slice(7)}.sig`);
  const bundle = buildReferrer(descriptor);
  await put(store, 'a', bundle, bundle.manifest.descriptor.digest);
  const { removed } = await remove(store, 'a');
  assert.equal(removed.length, 2);
  assert.deepEqual(await listFiles(temp), []);
});

test('content of recipes is refused, and the recipes are named', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildImage('managed');
  await put(store, 'a', image, 'v1', recipe);
  await put(store, 'a', image, 'v2', pushed);
  await assert.rejects(deleteRepository(store, 'a'), {
    code: 'SVC-POL-002',
    params: { repository: 'a', recipes: ['shop@1.0.0'] },
  });
  assert.ok(holds(store, image));
});

test('pushed content is refused, tagged or not', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const image = buildImage('pushed');
  await put(store, 'tagged', image, 'v1', pushed);
  await put(store, 'bare', image, image.manifest.descriptor.digest, pushed);
  for (const name of ['tagged', 'bare'])
    await assert.rejects(deleteRepository(store, name), {
      code: 'SVC-POL-003',
      params: { repository: name },
    });
  assert.ok(holds(store, image));
});

test('a missing repository is an error', async () => {
  await using temp = await openTempStore();
  await put(temp.store, 'a/b', buildImage('x'), 'v1');
  for (const name of ['a', 'b', 'a/b/c', '', 'A/B'])
    await assert.rejects(deleteRepository(temp.store, name), { code: 'SVC-REG-005' }, name);
});

test('of a mixed repository only the imports go; tags of recipes and clients stay, and lose the import as owner', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const [mine, shared, theirs] = ['mine', 'shared', 'theirs'].map((seed) => buildImage(seed));
  const chart = buildHelmChart('app', '1.0.0');
  await put(store, 'm', mine!, 'mine');
  await put(store, 'm', shared!, 'shared');
  await put(store, 'm', shared!, 'shared', recipe);
  await put(store, 'm', theirs!, 'theirs', recipe);
  await put(store, 'm', chart, 'chart', pushed);
  const result = await remove(store, 'm');
  assert.deepEqual(
    result.removed.map(({ tag }) => tag),
    ['mine'],
  );
  assert.deepEqual(result.kept, [
    { tag: 'chart', owners: [pushed] },
    { tag: 'shared', owners: [recipe] },
    { tag: 'theirs', owners: [recipe] },
  ]);
  assert.deepEqual(await listFiles(temp), [shared!, theirs!, chart].flatMap(digestsOf).sort());
  await assert.rejects(deleteRepository(store, 'm'), { code: 'SVC-POL-002' });
  await assertSound(await temp.reopen());
});

test('an image that was imported and is in another repository too keeps its bytes', async () => {
  await using temp = await openTempStore();
  const image = buildIndex('twice');
  await put(temp.store, 'a', image, 'v1');
  await put(temp.store, 'b', image, 'v1', pushed);
  const { blobs } = await remove(temp.store, 'a');
  assert.equal(blobs, 0);
  assert.ok(holds(temp.store, image));
});

test('imports and deletes at once leave a sound store, in which what was imported last is whole', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const images = Array.from({ length: 12 }, (_, i) => buildIndex(`race ${i % 3}`));
  await put(store, 'race', images[0]!, 'first');
  await Promise.all(
    images.map(async (image, i) => {
      // a push that finds a child gone that was there when it began gets an error, as a client does
      await put(store, 'race', image, `v${i}`).catch(() => {});
      await remove(store, 'race').catch(() => {});
    }),
  );
  await put(store, 'race', images[0]!, 'last');
  assert.ok(holds(store, images[0]!));
  const again = await temp.reopen();
  assert.ok(holds(again, images[0]!));
  await assertSound(again);
});

test('a foreign store is not changed', async () => {
  await using temp = await openTempStore();
  await put(temp.store, 'a', buildImage('foreign'), 'v1');
  await put(temp.store, 'b', buildImage('of a recipe'), 'v1', recipe);
  const foreign = await temp.reopen({ stateRoot: join(temp.folder, 'other'), zone: 'zone', access: 'serve' });
  const before = await listFiles(temp);
  for (const repository of ['a', 'b'])
    await assert.rejects(deleteRepository(foreign, repository), { code: 'SVC-MED-030' }, repository);
  assert.deepEqual(await listFiles(temp), before);
});

test('unverified content of an adopted store may be deleted', async () => {
  await using temp = await openTempStore();
  await put(temp.store, 'a', buildImage('held'), 'v1', recipe);
  const store = await temp.reopen({ stateRoot: join(temp.folder, 'other'), zone: 'zone', access: 'write' });
  await adoptStore(store);
  assert.equal(store.index.tag('a', 'v1')?.held, true);
  await remove(store, 'a');
  assert.deepEqual(store.index.repositories(), []);
  assert.deepEqual(await listFiles(temp), []);
});

test('a preview changes nothing, tells what each tag holds, and refuses what the deletion refuses', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const [mine, theirs] = ['mine', 'theirs'].map((seed) => buildImage(seed));
  await put(store, 'm', mine!, 'mine');
  await put(store, 'm', theirs!, 'theirs', recipe);
  const before = await listFiles(temp);
  const { removed, kept, freedBytes } = await previewDelete(store, 'm');
  const { digest } = mine!.manifest.descriptor;
  const sizeBytes = store.index.sizeBelow(digest);
  assert.deepEqual(removed, [{ tag: 'mine', digest, sizeBytes }]);
  assert.deepEqual(kept, [{ tag: 'theirs', owners: [recipe] }]);
  assert.ok(freedBytes > 0 && freedBytes <= sizeBytes);
  assert.deepEqual(await listFiles(temp), before);
  await remove(store, 'm');
  await assert.rejects(previewDelete(store, 'm'), { code: 'SVC-POL-002' });
  await assert.rejects(previewDelete(store, 'nowhere'), { code: 'SVC-REG-005' });
});

test('a tag that returns to its owner is previewed with what it names afterwards', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const [first, second] = ['first', 'second'].map((seed) => buildImage(seed));
  await put(store, 'm', first!, 'v1', pushed);
  await put(store, 'm', second!, 'v1');
  const { removed, kept } = await previewDelete(store, 'm');
  assert.equal(removed[0]?.restored, first!.manifest.descriptor.digest);
  assert.deepEqual(kept, [{ tag: 'v1', owners: [pushed] }]);
  await remove(store, 'm');
  assert.equal(store.index.tag('m', 'v1')?.digest, first!.manifest.descriptor.digest);
});

test('what has changed since its preview is not deleted', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await put(store, 'm', buildImage('one'), 'one');
  const { fingerprint } = await previewDelete(store, 'm');
  await put(store, 'm', buildImage('two'), 'two');
  await assert.rejects(deleteRepository(store, 'm', { fingerprint }), {
    code: 'SVC-STO-015',
    params: { repository: 'm' },
  });
  assert.equal(store.index.tags('m').length, 2);
});

test('what changes while a deletion waits for its turn is decided on again', async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await put(store, 'm', buildImage('one'), 'one');
  const { fingerprint } = await previewDelete(store, 'm');
  const [pushedTag, deleted] = await Promise.allSettled([
    put(store, 'm', buildImage('two'), 'two'),
    deleteRepository(store, 'm', { fingerprint }),
  ]);
  assert.equal(pushedTag.status, 'fulfilled');
  const left = store.index.tags('m').map(({ tag }) => tag);
  assert.deepEqual(left, deleted.status === 'fulfilled' ? ['two'] : ['one', 'two']);
});
