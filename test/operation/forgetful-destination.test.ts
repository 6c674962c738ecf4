import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { openSyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const cookbook = 'our/cookbook';

/** A signed recipe of a signed image, and an empty destination. */
async function openZone({ bundles = false, platforms }: { bundles?: boolean; platforms?: string[] } = {}) {
  const scene = await openSyncScene();
  const zone = await createRegistryDouble();
  const layout = bundles ? 'bundle' : 'classic';
  const image = scene.putImage('library/app', '1.0', platforms ? { platforms } : {});
  scene.pushSignature('library/app', scene.signer.sign(image, layout));
  const recipe = scene.publish('app', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)], {
    sign: layout,
  });
  await scene.setRetriever([['app', '1.0.0']]);
  const change = {
    mode: 'passthrough' as const,
    registries: { insecure: [scene.origin.host, zone.host] },
    destination: { registry: zone.host, cookbook },
  };
  return {
    zone,
    image,
    recipe,
    sync: async () => {
      const { task } = await scene.run({ change });
      return task.items.flatMap(({ name, error }) =>
        error ? [[name, error.code, error.params.reference]] : [],
      );
    },
    [Symbol.asyncDispose]: async () => {
      await zone.close();
      await scene[Symbol.asyncDispose]();
    },
  };
}

/**
 * Has the registry accept matching uploads and answer later requests for them as if they had never come.
 *
 * @param path matches the path of a manifest, or that of the blob that an upload becomes
 */
function forget(zone: RegistryDouble, path: RegExp): () => void {
  const forgotten = new Set<string>();
  return zone.intercept(({ method, path: asked }, response) => {
    const [at, query] = asked.split('?');
    const digest = new URLSearchParams(query).get('digest') ?? new URLSearchParams(query).get('mount');
    const place = digest === null ? at! : at!.replace(/\/blobs\/uploads\/.*/, `/blobs/${digest}`);
    if ((method === 'PUT' || method === 'POST') && path.test(place)) forgotten.add(place);
    if (!forgotten.has(place) || (method !== 'HEAD' && method !== 'GET')) return false;
    response.writeHead(404);
    response.end();
    return true;
  });
}

const tagOf = (digest: string): string => `${digest.replace(':', '-')}.sig`;

for (const [what, pattern] of [
  ['the signature of a recipe', () => new RegExp(`${cookbook}/app/manifests/sha256-.*\\.sig$`)],
  ['the signature of an ingredient', () => /library\/app\/manifests\/sha256-.*\.sig$/],
  ['a layer', () => /library\/app\/blobs\/sha256:/],
  ['a layer of a platform image', () => /library\/app\/blobs\/sha256:/],
  ['the payload of a signature', () => new RegExp(`${cookbook}/app/blobs/(?!sha256:44136f)`)],
  ['the document of a recipe', () => new RegExp(`${cookbook}/app/blobs/sha256:`)],
] as const)
  test(`a destination that accepts ${what} and does not have it fails the recipe, until it has it`, async () => {
    const platforms = what.includes('platform') ? ['linux/amd64', 'linux/arm64'] : undefined;
    await using world = await openZone(platforms ? { platforms } : {});
    const remember = forget(world.zone, pattern());
    const failed = await world.sync();
    assert.ok(failed.length > 0);
    for (const [, code] of failed) assert.equal(code, 'SVC-REG-007');
    assert.match(String(failed.at(-1)![2]), /^127\.0\.0\.1:\d+\/.*(@sha256:|\.sig)/);
    assert.equal(world.zone.manifest(`${cookbook}/app`, '1.0.0'), undefined, 'the recipe has no tag');
    assert.notDeepEqual(await world.sync(), []);
    remember();
    assert.deepEqual(await world.sync(), []);
    assert.ok(world.zone.manifest(`${cookbook}/app`, tagOf(world.recipe.digest)));
  });

test('a destination that accepts a bundle and does not have it fails the recipe', async () => {
  await using world = await openZone({ bundles: true });
  forget(world.zone, new RegExp(`${cookbook}/app/manifests/sha256:`));
  const failed = await world.sync();
  assert.deepEqual(
    failed.map(([, code]) => code),
    ['SVC-REG-007'],
  );
});

test('a destination that keeps another manifest under a signature tag fails the recipe', async () => {
  await using world = await openZone();
  const { zone, recipe } = world;
  const other = zone.putManifest(`${cookbook}/app`, {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: zone.putBlob(`${cookbook}/app`, '{}', 'application/vnd.oci.empty.v1+json'),
    layers: [],
  });
  zone.intercept((request, response, raw) => {
    if (request.method !== 'PUT' || !request.path.endsWith(tagOf(recipe.digest))) return false;
    raw.resume();
    zone.tag(`${cookbook}/app`, tagOf(recipe.digest), other.digest);
    response.writeHead(201);
    response.end();
    return true;
  });
  const failed = await world.sync();
  assert.deepEqual(failed[0]?.slice(1), [
    'SVC-REG-007',
    `${zone.host}/${cookbook}/app:${tagOf(recipe.digest)}`,
  ]);
});

test('each blob and tag is confirmed by one request, and nothing when all is at the destination', async () => {
  await using world = await openZone();
  const { zone } = world;
  assert.deepEqual(await world.sync(), []);
  const uploads = zone.count(/^PUT .*blobs\/uploads/);
  const heads = zone.count(/^HEAD .*\/blobs\//);
  assert.ok(heads <= 2 * uploads, `${heads} HEADs for ${uploads} uploads: one before, one after`);
  zone.requests.length = 0;
  assert.deepEqual(await world.sync(), []);
  assert.equal(zone.count(/^(PUT|POST|PATCH)/), 0);
  assert.equal(zone.count(/^HEAD .*\/blobs\//), 0);
});
