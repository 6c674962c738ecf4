import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { buildHelmChart, type ChartSpec } from '../../kit/content/helm-chart.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const helm = { kind: 'HelmChart' };

function putChart(scene: SyncScene, repository: string, name: string, spec: ChartSpec = {}): Descriptor {
  const { blobs, manifest } = buildHelmChart(name, '1.0.0', spec);
  for (const { descriptor, bytes } of blobs) scene.origin.putBlob(repository, bytes, descriptor.mediaType);
  return scene.origin.putManifest(repository, manifest.bytes, {
    tag: '1.0.0',
    mediaType: manifest.descriptor.mediaType,
  });
}

/** Two orders of two recipes: the order must make no difference. */
const orders = (a: string, b: string): (readonly (readonly [string, string])[])[] => [
  [
    [a, '1.0.0'],
    [b, '1.0.0'],
  ],
  [
    [b, '1.0.0'],
    [a, '1.0.0'],
  ],
];

const failuresOf = ({ task }: Awaited<ReturnType<SyncScene['run']>>) =>
  task.items.flatMap(({ name, error }) => (error ? [[name, error.code] as const] : [])).sort();

test('a recipe that lists no companion of a shared chart fails alone, whichever recipe comes first', async () => {
  for (const order of orders('alone', 'whole')) {
    await using scene = await openSyncScene();
    const dependencies = [{ name: 'redis', version: '1.0.0', repository: 'https://charts.example' }];
    const app = putChart(scene, 'charts/app', 'app', { dependencies });
    const redis = putChart(scene, 'charts/redis', 'redis');
    scene.publish('alone', '1.0.0', [toIngredient('app', 'charts/app', '1.0.0', app, helm)]);
    scene.publish('whole', '1.0.0', [
      toIngredient('app', 'charts/app', '1.0.0', app, helm),
      toIngredient('db', 'charts/redis', '1.0.0', redis, helm),
    ]);
    await scene.setRetriever(order);
    assert.deepEqual(failuresOf(await scene.run()), [
      ['alone@1.0.0', 'SVC-CHT-001'],
      ['alone@1.0.0/app', 'SVC-CHT-001'],
    ]);
    const names = await scene.peek((store) => store.index.recipes().map(({ name }) => name));
    assert.deepEqual(names, ['whole']);
    const layer = JSON.parse(scene.origin.manifest('charts/app', '1.0.0')!.bytes.toString()).layers[0].digest;
    assert.equal(
      scene.origin.count(new RegExp(`GET .*charts/app/blobs/${layer}`)),
      1,
      'the chart moved once',
    );
  }
});

test('a recipe that calls a shared image a chart fails alone, in the plan and in the run, whichever recipe comes first', async () => {
  for (const order of orders('mistaken', 'right')) {
    await using scene = await openSyncScene();
    const image = scene.putImage('library/app', '1.0');
    scene.publish('mistaken', '1.0.0', [toIngredient('app', 'library/app', '1.0', image, helm)]);
    scene.publish('right', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
    await scene.setRetriever(order);
    const { plan } = await scene.plan();
    const problems = plan.recipes.map(({ name, ingredients }) => [name, ingredients[0]?.problem?.code]);
    assert.deepEqual(problems.sort(), [
      ['mistaken', 'SVC-SIG-003'],
      ['right', undefined],
    ]);
    assert.deepEqual(failuresOf(await scene.run()), [
      ['mistaken@1.0.0', 'SVC-SIG-003'],
      ['mistaken@1.0.0/app', 'SVC-SIG-003'],
    ]);
    const names = await scene.peek((store) => store.index.recipes().map(({ name }) => name));
    assert.deepEqual(names, ['right']);
  }
});

test('two recipes that demand different artifact types of one artifact are judged apart and the error names their own tag', async () => {
  await using scene = await openSyncScene();
  const image = scene.putImage('library/app', '1.0');
  scene.origin.tag('library/app', '1.1', image.digest);
  const other = { kind: 'OCIArtifact', artifactType: 'application/vnd.example.other' };
  const own = { kind: 'OCIArtifact', artifactType: 'application/vnd.oci.image.config.v1+json' };
  const none = { platforms: ['linux/s390x'] };
  scene.publish('wrong', '1.0.0', [toIngredient('app', 'library/app', '1.0', image, other)]);
  scene.publish('fine', '1.0.0', [toIngredient('app', 'library/app', '1.0', image, own)]);
  scene.publish('first', '1.0.0', [toIngredient('app', 'library/app', '1.0', image, none)]);
  scene.publish('second', '1.0.0', [toIngredient('app', 'library/app', '1.1', image, none)]);
  await scene.setRetriever(['wrong', 'fine', 'first', 'second'].map((name) => [name, '1.0.0'] as const));
  const { task } = await scene.run();
  const byName = new Map(task.items.map((item) => [item.name, item]));
  assert.equal(byName.get('wrong@1.0.0/app')?.error?.code, 'SVC-SIG-003');
  assert.equal(byName.get('fine@1.0.0')?.status, 'done');
  for (const [name, tag] of [
    ['first', '1.0'],
    ['second', '1.1'],
  ] as const) {
    const error = byName.get(`${name}@1.0.0/app`)?.error;
    assert.equal(error?.code, 'SVC-REG-008');
    assert.match(String(error.params.reference), new RegExp(`/library/app:${tag}@`));
  }
});

/** A recipe of another cookbook that is admitted unsigned: its writers are trusted with nothing else. */
const lab = {
  cookbook: 'lab',
  sign: 'none' as const,
};
const admitLab = (scene: SyncScene) => ({
  trust: {
    scopes: [
      {
        name: 'lab',
        repositories: [`${scene.origin.host.replace(':', '_')}/lab/**`],
        allowUnsigned: true,
      },
    ],
  },
});

async function setRecipes(
  scene: SyncScene,
  recipes: readonly (readonly [name: string, cookbook: string])[],
): Promise<void> {
  await writeRetriever(join(scene.folder, 'retriever.yaml'), {
    cookbook: `${scene.origin.host}/cookbook`,
    recipes: recipes.map(([name, cookbook]) => ({
      name,
      version: '*',
      cookbook: `${scene.origin.host}/${cookbook}`,
    })),
  });
}

const localPath = (scene: SyncScene, path: string): string =>
  `${scene.origin.host.replace(':', '_')}/${path}`;

/** The targets of the tags of a repository of the store. */
const readTags = (scene: SyncScene, path: string) =>
  scene.peek(({ index }) =>
    Object.fromEntries(
      (index.tags(localPath(scene, path)) ?? []).map(({ tag, digest, kind }) => [tag, { digest, kind }]),
    ),
  );

test('an ingredient never writes a signature or referrers tag: its recipe fails in the plan and in the run, and the neighbour keeps its signature', async () => {
  for (const suffix of ['.sig', '']) {
    await using scene = await openSyncScene();
    const change = admitLab(scene);
    const shop = scene.publish('shop', '1.0.0', [
      toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.0')),
    ]);
    const empty = scene.origin.putManifest('cookbook/shop', {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [],
    });
    const tag = `${shop.digest.replace(':', '-')}${suffix}`;
    scene.publish(
      'evil',
      '1.0.0',
      [toIngredient('a', 'cookbook/shop', 'attached', empty, { kind: 'OCIArtifact' })],
      { ...lab, rewrite: (document) => document.replace('attached', tag) },
    );
    await setRecipes(scene, [['shop', 'cookbook']]);
    await scene.run({ change });
    const before = await readTags(scene, 'cookbook/shop');
    await setRecipes(scene, [
      ['evil', 'lab'],
      ['shop', 'cookbook'],
    ]);
    const { plan } = await scene.plan({ change });
    assert.equal(plan.recipes.find(({ name }) => name === 'evil')?.problem?.code, 'SVC-VAL-001');
    const result = await scene.run({ change });
    assert.deepEqual(failuresOf(result), [['evil@1.0.0', 'SVC-VAL-001']]);
    assert.deepEqual(await readTags(scene, 'cookbook/shop'), before);
  }
});

test('a signature is no ingredient: a recipe that pins one, or an index with one, fails alone and the neighbour keeps its verdict', async () => {
  await using scene = await openSyncScene();
  const change = admitLab(scene);
  const shop = scene.publish('shop', '1.0.0', [
    toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.0')),
  ]);
  const { manifest, blobs } = createSigner().sign(shop, 'bundle');
  for (const { descriptor, bytes } of blobs)
    scene.origin.putBlob('cookbook/shop', bytes, descriptor.mediaType);
  const bundle = scene.origin.putManifest('cookbook/shop', manifest.bytes, {
    mediaType: manifest.descriptor.mediaType,
  });
  const index = scene.origin.putManifest('cookbook/shop', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [bundle],
  });
  for (const [name, one] of [
    ['plain', bundle],
    ['nested', index],
  ] as const)
    scene.publish(
      name,
      '1.0.0',
      [toIngredient('a', 'cookbook/shop', name, one, { kind: 'OCIArtifact' })],
      lab,
    );
  await setRecipes(scene, [
    ['plain', 'lab'],
    ['nested', 'lab'],
  ]);
  assert.deepEqual(failuresOf(await scene.run({ change })), [
    ['nested@1.0.0', 'SVC-SIG-003'],
    ['nested@1.0.0/a', 'SVC-SIG-003'],
    ['plain@1.0.0', 'SVC-SIG-003'],
    ['plain@1.0.0/a', 'SVC-SIG-003'],
  ]);
});

for (const order of ['before', 'with', 'after'] as const)
  test(`a recipe keeps its own tag: an ingredient of a neighbour that names it comes under an alias (the neighbour ${order} the recipe)`, async () => {
    await using scene = await openSyncScene();
    const change = admitLab(scene);
    const shop = scene.publish('shop', '1.0.0', [
      toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.0')),
    ]);
    const image = scene.putImage('cookbook/shop', 'other');
    const other = scene.publish('shop', '9.0.0', [
      toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.1')),
    ]);
    const evil = ['cookbook/shop', '1.0.0'] as const;
    scene.publish('evil', '1.0.0', [toIngredient('a', ...evil, image, { kind: 'OCIArtifact' })], lab);
    scene.publish('wicked', '1.0.0', [toIngredient('a', ...evil, other, { kind: 'OCIArtifact' })], lab);
    scene.publish('vain', '1.0.0', [toIngredient('a', ...evil, shop, { kind: 'OCIArtifact' })], lab);
    scene.origin.untag('cookbook/shop', '9.0.0');
    const neighbours = ['evil', 'wicked', 'vain'].map((name) => [name, 'lab'] as const);
    const own = ['shop', 'cookbook'] as const;
    if (order !== 'with') {
      await setRecipes(scene, order === 'before' ? neighbours : [own]);
      assert.deepEqual(failuresOf(await scene.run({ change })), []);
    }
    await setRecipes(scene, [...neighbours, own]);
    for (let i = 0; i < 3; i += 1) assert.deepEqual(failuresOf(await scene.run({ change })), []);
    assert.equal((await scene.plan({ change })).plan.outcome, 'up-to-date');
    const tags = await readTags(scene, 'cookbook/shop');
    assert.deepEqual(tags['1.0.0'], { digest: shop.digest, kind: 'Recipe' });
    const named = Object.values(tags).map(({ digest }) => digest);
    for (const { digest } of [image, other]) assert.ok(named.includes(digest), 'kept under an alias');
    await setRecipes(scene, [own]);
    assert.deepEqual(failuresOf(await scene.run({ change, prune: true })), []);
    const left = Object.entries(await readTags(scene, 'cookbook/shop')).map(([tag, { kind }]) => [tag, kind]);
    assert.deepEqual(
      left.filter(([tag]) => !tag?.startsWith('sha256-')),
      [['1.0.0', 'Recipe']],
    );
  });
