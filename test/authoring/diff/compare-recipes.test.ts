import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type ComparedRecipe, diffRecipesSteps } from '../../../src/authoring/diff/compare-recipes.ts';
import { isDifferent, listOtherMembers } from '../../../src/authoring/diff/difference.ts';
import { closeRecipe } from '../../../src/authoring/open/close-recipe.ts';
import { Once } from '../../../src/base/once.ts';
import { runAtOnce } from '../../../src/base/pacer.ts';
import { toAliasTag } from '../../../src/catalog/re-point.ts';
import { sumContents } from '../../../src/engine/copy/sum-contents.ts';
import { parseRecipe, requireCooked } from '../../../src/recipe/document.ts';
import { ingredientMembers } from '../../../src/recipe/ingredient.ts';
import { metadataMembers } from '../../../src/recipe/metadata.ts';
import type { CookedRecipe, Ingredient, Recipe } from '../../../src/recipe/model.ts';
import { svcError } from '../../../src/text/error.ts';
import { buildImage, buildIndex, digestsOf, seededBytes, toBlob } from '../../kit/content/content.ts';
import { type IngredientSpec, toOrigin, toRecipeDocument } from '../../kit/content/origin.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';

const diffRecipes = (before: ComparedRecipe, after: ComparedRecipe) =>
  runAtOnce(diffRecipesSteps(before, after));

let registry: RegistryDouble;
const shared = toBlob(seededBytes('shared', 9000), 'application/vnd.oci.image.layer.v1.tar');
const web1 = buildImage('web 1', { layers: [shared], layerSize: 1000 });
const web2 = buildImage('web 2', { layers: [shared], layerSize: 3000 });
const db = buildIndex('db', ['linux/amd64', 'linux/arm64'], { layerSize: 2000 });
const digestOf = (artifact: typeof web1) => artifact.manifest.descriptor.digest;

before(async () => {
  registry = await createRegistryDouble();
  const origin = toOrigin(registry);
  await origin.put('shop/web', web1, '1.0.0');
  await origin.put('shop/web', web2, '2.0.0');
  await origin.put('shop/db', db, '16.2');
});
after(() => registry[Symbol.asyncDispose]());

async function close(t: TestContext, version: string, ingredients: readonly IngredientSpec[]) {
  const document = Buffer.from(toRecipeDocument(registry.host, { name: 'shop', version, ingredients }));
  const remote = openRemoteRegistry(t, [registry.host], { retries: 0 });
  const closed = await closeRecipe(requireCooked(parseRecipe(document, 'x'), 'x'), {
    open: (ref) => remote.repository(ref),
    known: new Once(),
  });
  const { metadata } = parseRecipe(document, 'x');
  return { metadata, documentDigest: digestOf(web1), ingredients: closed };
}
const web = (version: string, artifact: typeof web1): IngredientSpec => ({
  name: 'web',
  repository: 'shop/web',
  version,
  digest: digestOf(artifact),
});
const database = (platforms?: readonly string[]): IngredientSpec => ({
  name: 'db',
  repository: 'shop/db',
  version: '16.2',
  digest: digestOf(db),
  ...(platforms ? { platforms } : {}),
});
/** Bytes of an artifact and of all below it, each content once. */
function sizeOf(artifact: typeof web1, without: ReadonlySet<string> = new Set()): number {
  const sizes = new Map<string, number>();
  const add = ({ manifest, blobs, children }: typeof web1): void => {
    for (const { descriptor } of [manifest, ...blobs]) sizes.set(descriptor.digest, descriptor.size);
    for (const { artifact: child } of children) add(child);
  };
  add(artifact);
  return [...sizes].reduce((sum, [digest, size]) => sum + (without.has(digest) ? 0 : size), 0);
}

test('what both recipes have is not carried again, and each content counts once', async (t) => {
  const old = await close(t, '1.0.0', [web('1.0.0', web1), database()]);
  const now = await close(t, '2.0.0', [web('2.0.0', web2), { ...database(), name: 'store' }]);
  const { added, removed, changed, totals, problems } = diffRecipes(old, now);
  assert.deepEqual(problems, []);
  assert.deepEqual([added.map(({ name }) => name), removed.map(({ name }) => name)], [['store'], ['db']]);
  const fresh = sizeOf(web2, new Set(digestsOf(web1)));
  assert.deepEqual(
    changed.map(({ name, from, to, newBytes }) => [name, from.version, to.version, newBytes]),
    [['web', '1.0.0', '2.0.0', fresh]],
  );
  assert.deepEqual(totals, {
    oldBytes: sizeOf(web1) + sizeOf(db),
    newBytes: sizeOf(web2) + sizeOf(db),
    transferBytes: fresh,
  });
});

test('a platform that is added is a change, with the bytes of that platform only', async (t) => {
  const one = await close(t, '1.0.0', [database(['linux/amd64'])]);
  const all = await close(t, '1.0.1', [database()]);
  const { changed, totals } = diffRecipes(one, all);
  assert.deepEqual(
    changed.map(({ platformsAdded, platformsRemoved }) => [platformsAdded, platformsRemoved]),
    [[['linux/arm64'], []]],
  );
  const [first] = one.ingredients;
  assert.ok(first && 'contents' in first);
  assert.equal(totals!.transferBytes, sizeOf(db) - sumContents([first.contents]));
  assert.deepEqual(diffRecipes(all, all).changed, []);
});

const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`] as const;
const ref = { host: 'a.example', repository: 'web' };
/** Two values of each member of an ingredient: a member without a pair does not compile. */
const ingredientPairs: {
  readonly [K in keyof Required<Ingredient>]: readonly [Ingredient[K], Ingredient[K]];
} = {
  name: ['web', 'web'],
  kind: ['ContainerImage', 'OCIArtifact'],
  ref: [ref, { ...ref, host: 'b.example' }],
  version: ['1.0.0', '1.0.1'],
  digest: [one, two],
  platforms: [[], [{ os: 'linux', architecture: 'amd64' }]],
  vendorDependencies: [false, true],
  artifactType: [undefined, 'application/x.a'],
  extract: [{ paths: ['a', 'b'] }, { paths: ['a', 'c'] }],
};
type Metadata = Recipe['metadata'];
const long = 'a'.repeat(90);
const metadataPairs: { readonly [K in keyof Required<Metadata>]: readonly [Metadata[K], Metadata[K]] } = {
  name: ['shop', 'store'],
  version: ['1.0.0', '1.0.1'],
  description: [undefined, ''],
  labels: [{ team: 'a' }, { team: 'b' }],
  annotations: [
    { [`${long}1`]: 'a', [`${long}2`]: 'a' },
    { [`${long}1`]: 'a', [`${long}2`]: 'b' },
  ],
};
const metadata: Metadata = { name: 'shop', version: '1.0.0', labels: {}, annotations: {} };
const plain: CookedRecipe['ingredients'][number] = {
  name: 'web',
  kind: 'ContainerImage',
  ref,
  version: '1.0.0',
  digest: one,
  platforms: [],
  vendorDependencies: false,
};
const unread = { code: 'SVC-REG-002', class: 'failure', params: {} } as const;

function compareDocuments(
  sides: readonly [before: Partial<Recipe['metadata']>, after: Partial<Recipe['metadata']>],
  members: readonly [before: object, after: object] = [{}, {}],
) {
  const [before, after] = [0, 1].map((i) => ({
    metadata: { ...metadata, ...sides[i] },
    documentDigest: one,
    // a difference shows even where no registry answers
    ingredients: [{ ingredient: { ...plain, ...members[i] } as typeof plain, error: unread }],
  }));
  return diffRecipes(before!, after!);
}

test('every member of two recipes is compared, whatever the registries answer', () => {
  assert.equal(isDifferent(compareDocuments([{}, {}])), false);
  for (const [member, [before, after]] of Object.entries(ingredientPairs)) {
    if (member === 'name') continue;
    const diff = compareDocuments([{}, {}], [{ [member]: before }, { [member]: after }]);
    assert.ok(isDifferent(diff), member);
    assert.match(diff.changed[0]!.members.map(({ path }) => path).join(), new RegExp(`^${member}\\b`));
    const shown = [...listOtherMembers(diff).map(({ path }) => path.split('.')[0]), 'version', 'digest'];
    assert.ok(shown.includes(member), `${member} is shown`);
  }
  for (const [member, [before, after]] of Object.entries(metadataPairs)) {
    const diff = compareDocuments([{ [member]: before }, { [member]: after }]);
    assert.deepEqual([isDifferent(diff), diff.metadata.length], [true, 1], member);
    assert.match(diff.metadata[0]!.path, new RegExp(`^${member}\\b`));
  }
});

test('the parser reads no member that a comparison does not know', () => {
  assert.deepEqual(Object.keys(ingredientPairs).sort(), [...ingredientMembers].sort());
  assert.deepEqual(Object.keys(metadataPairs).sort(), [...metadataMembers].sort());
});

test('a tag that goes to other content is a difference, whatever the order of two ingredients with one reference', async (t) => {
  const [one, two] = [
    { ...web('1.0.0', web1), name: 'one' },
    { ...web('1.0.0', web2), name: 'two' },
  ];
  const diff = diffRecipes(await close(t, '1.0.0', [one, two]), await close(t, '1.0.0', [two, one]));
  const tag = { from: digestOf(web1), to: digestOf(web2) };
  const reference = `${registry.host}/shop/web:1.0.0`;
  assert.deepEqual(diff.retagged, [{ reference, ...tag }]);
  assert.ok(isDifferent(diff));
  assert.deepEqual(listOtherMembers(diff), [{ path: reference, ...tag }]);
  const same = diffRecipes(await close(t, '1.0.0', [one, two]), await close(t, '1.0.0', [one, two]));
  assert.ok(!isDifferent(same));
});

test('the tags of two recipes are those that a zone serves: of one host under its names, and with aliases', () => {
  const toSide = (items: readonly Partial<typeof plain>[]) => ({
    metadata,
    documentDigest: one,
    ingredients: items.map((item) => ({ ingredient: { ...plain, ...item }, error: unread })),
  });
  const hub = (host: string) => ({ host, repository: 'library/web' });
  const first = { name: 'a', ref: hub('docker.io') };
  const second = { name: 'b', ref: hub('index.docker.io'), digest: two };
  const swapped = diffRecipes(toSide([first, second]), toSide([second, first]));
  assert.deepEqual(swapped.retagged, [{ reference: 'docker.io/library/web:1.0.0', from: one, to: two }]);
  // the second of two ingredients with one reference gets an alias, which another ingredient may have had as its tag
  const alias = toAliasTag('1.0.0', one);
  const named = { name: 'c', digest: two, version: alias };
  const displaced = diffRecipes(toSide([named]), toSide([named, { name: 'd', digest: two }, { name: 'a' }]));
  assert.deepEqual(displaced.retagged, [{ reference: `a.example/web:${alias}`, from: two, to: one }]);
});

test('content that cannot be read is named, and no sum is made up', async (t) => {
  const gone = { ...web('1.0.0', web1), digest: `sha256:${'0'.repeat(64)}` };
  const diff = diffRecipes(await close(t, '1.0.0', [gone]), await close(t, '2.0.0', [web('2.0.0', web2)]));
  assert.equal(diff.totals, undefined);
  assert.equal(diff.changed[0]!.newBytes, undefined);
  assert.deepEqual(
    diff.problems.map(({ recipe, name, error }) => [recipe, name, error.code]),
    [['old', 'web', 'SVC-REG-005']],
  );
});

test('manifests that disagree about the size of one content are refused', async (t) => {
  const document = JSON.parse(web1.manifest.bytes.toString());
  document.layers[1].size += 1;
  document.layers.push({ ...document.layers[1], size: document.layers[1].size + 1 });
  const lying = registry.putManifest('shop/lying', document, { mediaType: document.mediaType });
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      { ...lying, platform: { os: 'linux', architecture: 'amd64' } },
      {
        ...registry.putManifest('shop/lying', web1.manifest.bytes, {
          mediaType: web1.manifest.descriptor.mediaType,
        }),
        platform: { os: 'linux', architecture: 'arm64' },
      },
    ],
  };
  const { digest } = registry.putManifest('shop/lying', index, { mediaType: index.mediaType });
  const huge = {
    ...document,
    layers: [{ ...document.layers[0], size: Number.MAX_SAFE_INTEGER }, document.layers[1]],
  };
  const big = registry.putManifest('shop/lying', huge, { mediaType: document.mediaType });
  const { ingredients } = await close(t, '1.0.0', [
    { name: 'two', repository: 'shop/lying', version: '1.0.0', digest },
    { name: 'huge', repository: 'shop/lying', version: '1.0.0', digest: big.digest },
  ]);
  assert.deepEqual(
    ingredients.map((one) => ('error' in one ? one.error.code : 'closed')),
    ['SVC-SIG-002', 'SVC-REG-009'],
  );
});

test('of thousands of differences the first 1000 of each kind are listed, and the others are counted', () => {
  const many = (from: number) => ({
    metadata,
    documentDigest: one,
    ingredients: Array.from({ length: 3000 }, (_, i) => ({
      ingredient: { ...plain, name: `i${i + from}`, version: `1.0.${i}`, vendorDependencies: from > 0 },
      error: unread,
    })),
  });
  const diff = diffRecipes(many(0), many(1500));
  for (const list of ['added', 'removed', 'changed', 'problems'] as const)
    assert.equal(diff[list].length, 1000, list);
  const { addedMore, removedMore, changedMore, problemsMore } = diff;
  assert.deepEqual([addedMore, removedMore, changedMore, problemsMore], [500, 500, 500, 5000]);
  assert.equal('retaggedMore' in diff, false);
  const few = diffRecipes(many(0), many(0));
  assert.equal('changedMore' in few, false);
});

test('after a number of failures the rest of a recipe is not asked for', async () => {
  let asked = 0;
  const ingredients = Array.from({ length: 50 }, (_, i) => ({
    ...plain,
    name: `i${i}`,
    ref: { ...ref, repository: `a${i}` },
  }));
  const closed = await closeRecipe(
    { kind: 'Recipe', metadata, ingredients },
    {
      open: () => {
        asked += 1;
        throw svcError('SVC-REG-005', { reference: 'x' });
      },
      known: new Once(),
      mostFailures: 10,
    },
  );
  // those that are under way are completed
  assert.ok(asked >= 10 && asked < 14, `${asked} asked`);
  assert.ok(closed.every((item) => 'error' in item && item.error.code === 'SVC-REG-005'));
  assert.equal(closed.length, 50);
});
