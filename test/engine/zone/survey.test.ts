import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { surveyZone } from '../../../src/engine/zone/survey.ts';
import { isSvcError } from '../../../src/text/error.ts';
import type { TrustPolicy } from '../../../src/trust/model.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { createSigner, type Signer } from '../../kit/content/signer.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { type BuiltMedium, buildMedium, defaultRecipes, type MediumRecipe } from '../../kit/scene/medium.ts';

const shop = 'origin.example_5000/shop/web';
const depot = 'origin.example_5000/depot/worker';

const toPolicy = (...signers: readonly Signer[]): TrustPolicy => ({
  roots: signers.map(({ publicKey, fingerprint }, i) => ({ name: `root-${i}`, key: publicKey, fingerprint })),
  scopes: [],
  missing: [],
});

/** The registry of a zone that has imported a medium. */
async function openZone(t: TestContext, recipes: readonly MediumRecipe[] = defaultRecipes()) {
  const medium: BuiltMedium = await buildMedium({ recipes, inMemory: true });
  t.after(() => medium[Symbol.asyncDispose]());
  const zone: RegistryDouble = await createRegistryDouble();
  t.after(() => zone.close());
  const state = join(medium.folder, 'state');
  const { error } = await importCarried(medium.root, [medium.signer], zone, { state });
  assert.equal(error, undefined);
  const registry = openRemoteRegistry(t, [zone.host], { retries: 0 });
  const destination = { registry: zone.host, cookbook: 'cookbook' };
  const names = recipes.map(({ name }) => name);
  const survey = (options: Partial<Parameters<typeof surveyZone>[0]> = {}) =>
    surveyZone({ registry, destination, policy: toPolicy(medium.signer), names, ...options });
  /** State of each recipe, with the code of a blocked one and the missing content of an incomplete one. */
  const states = async (options?: Parameters<typeof survey>[0]) =>
    Object.fromEntries(
      (await survey(options)).recipes.map(({ name, version, state, error: why, missing }) => [
        `${name}@${version}`,
        why?.code ?? (missing ? `${missing.files} files, ${missing.bytes} bytes` : state),
      ]),
    );
  return { medium, zone, survey, states, registry };
}

/** Has the registry answer that it does not have what a path names. */
function lose(zone: RegistryDouble, path: string): () => void {
  return zone.intercept(({ path: asked }, response) => {
    if (!asked.endsWith(path)) return false;
    response.writeHead(404);
    response.end();
    return true;
  });
}

test('a survey finds the recipes of a zone, and the repositories of every blob', async (t) => {
  const { medium, zone, survey } = await openZone(t);
  const { recipes, places } = await survey();
  assert.deepEqual(
    recipes.map(({ name, version, repository, digest, documentDigest, state }) => ({
      name,
      version,
      repository,
      digest,
      documentDigest,
      state,
    })),
    [...medium.records]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, version, digest, documentDigest }) => ({
        name,
        version,
        repository: `cookbook/${name}`,
        digest,
        documentDigest,
        state: 'present',
      })),
  );
  let pairs = 0;
  for (const [digest, repositories] of places)
    for (const repository of repositories) {
      assert.ok(zone.blob(repository, digest), `${repository}@${digest}`);
      pairs += 1;
    }
  const held = [shop, depot, 'origin.example_5000/charts/shop'].flatMap((repository) => {
    const digests = [...places].filter(([, at]) => at.includes(repository));
    assert.ok(digests.length >= 2, repository);
    return digests;
  });
  // and the document of each recipe
  assert.equal(pairs, held.length + 2);
  const layer = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[1]!.descriptor.digest;
  assert.deepEqual([...places.get(layer)!].sort(), [depot, shop], 'a layer that two images share');
});

test('a survey passes over names that the registry does not have', async (t) => {
  const { states } = await openZone(t);
  assert.deepEqual(await states({ names: ['shop', 'unknown', 'shop', 'Not A Name'] }), {
    'shop@1.4.0': 'present',
  });
  assert.deepEqual(await states({ names: [] }), {});
});

test('a recipe is incomplete when its registry lacks a blob, and others are not', async (t) => {
  const { zone, states } = await openZone(t);
  const { digest, size } = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[2]!.descriptor;
  const find = lose(zone, `${shop}/blobs/${digest}`);
  assert.deepEqual(await states(), { 'depot@2.0.0': 'present', 'shop@1.4.0': `1 files, ${size} bytes` });
  find();
  assert.deepEqual(await states(), { 'depot@2.0.0': 'present', 'shop@1.4.0': 'present' });
});

test('a recipe is incomplete when its registry has a blob of another size', async (t) => {
  const { zone, states } = await openZone(t);
  const { digest, size } = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[2]!.descriptor;
  zone.corrupt(shop, digest, Buffer.alloc(size - 1));
  assert.equal((await states())['shop@1.4.0'], `1 files, ${size} bytes`);
});

test('a recipe is incomplete when a manifest of it is absent', async (t) => {
  const { zone, states } = await openZone(t);
  const worker = defaultRecipes()[1]!.ingredients[0]!.artifact;
  const find = lose(zone, `${depot}/manifests/${worker.children[1]!.artifact.manifest.descriptor.digest}`);
  assert.deepEqual(await states(), { 'depot@2.0.0': '1 files, 0 bytes', 'shop@1.4.0': 'present' });
  find();
  lose(zone, `${depot}/manifests/${worker.manifest.descriptor.digest}`);
  assert.equal((await states())['depot@2.0.0'], '1 files, 0 bytes');
});

test('only a deep survey finds a blob that its registry announces and cannot serve, or has with other bytes', async (t) => {
  const { zone, states } = await openZone(t);
  const { digest, size } = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[2]!.descriptor;
  const stop = zone.intercept(({ method, path }, response) => {
    if (method !== 'GET' || !path.endsWith(`${shop}/blobs/${digest}`)) return false;
    response.writeHead(404);
    response.end();
    return true;
  });
  assert.equal((await states())['shop@1.4.0'], 'present');
  assert.equal((await states({ deep: true }))['shop@1.4.0'], `1 files, ${size} bytes`);
  stop();
  assert.equal((await states({ deep: true }))['shop@1.4.0'], 'present');
  zone.corrupt(shop, digest, Buffer.alloc(size));
  assert.equal((await states())['shop@1.4.0'], 'present');
  assert.equal((await states({ deep: true }))['shop@1.4.0'], 'SVC-SIG-002');
  assert.equal((await states({ deep: true }))['depot@2.0.0'], 'present');
});

test('a recipe that the roots of the zone do not accept is blocked', async (t) => {
  const { states, medium } = await openZone(t);
  assert.deepEqual(await states({ policy: toPolicy(createSigner()) }), {
    'depot@2.0.0': 'SVC-SIG-001',
    'shop@1.4.0': 'SVC-SIG-001',
  });
  const narrowed: TrustPolicy = {
    ...toPolicy(medium.signer, createSigner()),
    scopes: [
      {
        name: 'shop',
        repositories: ['origin.example_5000/cookbook/shop'],
        allowUnsigned: false,
        roots: ['root-1'],
      },
    ],
  };
  const at = { host: 'origin.example:5000', repository: 'cookbook' };
  assert.deepEqual(await states({ policy: narrowed, cookbookOf: () => at }), {
    'depot@2.0.0': 'present',
    'shop@1.4.0': 'SVC-SIG-001',
  });
});

test('a scope that admits unsigned recipes does not make a recipe present', async (t) => {
  const { states, zone, medium } = await openZone(t);
  for (const tag of zone.tags('cookbook/shop')) if (tag.endsWith('.sig')) zone.untag('cookbook/shop', tag);
  const relaxed: TrustPolicy = {
    ...toPolicy(medium.signer),
    scopes: [{ name: 'all', repositories: ['**'], allowUnsigned: true }],
  };
  assert.equal((await states({ policy: relaxed }))['shop@1.4.0'], 'SVC-SIG-001');
});

test('a recipe under the tag of another version is blocked, and an image in the cookbook is none', async (t) => {
  const { states, zone, medium } = await openZone(t);
  const { digest } = medium.records.find(({ name }) => name === 'shop')!;
  zone.tag('cookbook/shop', '9.9.9', digest);
  const { bytes } = buildImage('other').manifest;
  zone.putManifest('cookbook/shop', bytes, { tag: '1.0.0' });
  assert.deepEqual(await states(), {
    'depot@2.0.0': 'present',
    'shop@1.4.0': 'present',
    'shop@9.9.9': 'SVC-SIG-003',
  });
});

test('a registry that does not answer fails the survey, and one bad answer blocks one recipe', async (t) => {
  const { states, zone } = await openZone(t);
  const stop = zone.intercept(({ path }, response) => {
    if (!path.includes(`/${shop}/manifests/`)) return false;
    response.writeHead(418);
    response.end();
    return true;
  });
  assert.deepEqual(await states(), { 'depot@2.0.0': 'present', 'shop@1.4.0': 'SVC-REG-007' });
  stop();
  zone.intercept((_request, response) => {
    response.writeHead(403);
    response.end();
    return true;
  });
  await assert.rejects(states(), (error) => isSvcError(error, 'SVC-REG-003'));
  await zone.close();
  await assert.rejects(states(), (error) => isSvcError(error, 'SVC-REG-002'));
});

test('a survey ends when its signal is aborted', async (t) => {
  const { survey, zone } = await openZone(t);
  const aborter = new AbortController();
  const reason = new Error('enough');
  zone.intercept(({ path }) => {
    if (path.includes('/blobs/')) aborter.abort(reason);
    return false;
  });
  await assert.rejects(survey({ signal: aborter.signal }), reason);
});

const partial = (platforms: readonly string[] | undefined): MediumRecipe[] => {
  const worker = buildIndex('worker', ['linux/amd64', 'linux/arm64']);
  const ref = 'origin.example:5000/depot/worker';
  const ingredient = { name: 'worker', kind: 'ContainerImage', ref, tag: '1', artifact: worker } as const;
  const ingredients = [{ ...ingredient, ...(platforms ? { platforms } : {}) }];
  return [{ name: 'depot', version: '1.0.0', layout: 'bundle', ingredients }];
};

test('a survey tells whether the registry takes an index without all of its images', async (t) => {
  const whole = await openZone(t, partial(undefined));
  assert.equal((await whole.survey()).sparse, 'unknown');
  const { survey, zone } = await openZone(t, partial(['linux/amd64']));
  const { recipes, sparse } = await survey();
  assert.equal(sparse, 'accepted');
  assert.equal(recipes[0]!.state, 'present');
  const { bytes } = buildIndex('worker', ['linux/amd64', 'linux/arm64']).children[1]!.artifact.manifest;
  zone.putManifest(depot, bytes);
  assert.equal((await survey()).sparse, 'refused', 'it also has the image that no recipe needs');
});
