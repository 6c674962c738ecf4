import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatReference } from '../../../src/oci/reference.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { seededBytes } from '../../kit/content/content.ts';
import { toFilesetImage, toLayer } from '../../kit/content/fileset-image.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { packableTreeCounts, writePackableTree } from '../../kit/content/packable-tree.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

/** A folder, a registry that asks for credentials, and the configuration of an author without a store. */
async function openScene() {
  const world = await openRehearsal({ inProcess: true });
  const registry = await world.start('registry');
  const tree = world.path('tree');
  writePackableTree(tree);
  const config = await world.configure('author', { registries: await world.registries([registry.host]) });
  const place = `${registry.host}/filesets/debian`;
  const svc = (...args: string[]) => world.svc([...args, '--config', config], { cwd: world.folder });
  return {
    world,
    registry,
    tree,
    place,
    svc,
    push: (...args: string[]) =>
      svc('fileset', 'pack', 'tree', 'debian:12', '--push', `${place}:12`, ...args),
    digest: async () =>
      (await svc('fileset', 'pack', 'tree', 'debian:12', '--storage-root', world.path('store'))).stdout,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test('a folder is pushed with the digest that packing it into a store gives, and pushing it again changes nothing', async () => {
  await using scene = await openScene();
  const { registry, world, place } = scene;
  // larger than one piece of a transfer
  writeFileSync(join(scene.tree, 'large'), seededBytes('large', 3 << 20));
  const first = await scene.push();
  assert.equal(first.exitCode, 0, first.stderr);
  assert.match(first.stdout, /^sha256:[0-9a-f]{64}\n$/);
  assert.equal(first.stdout, await scene.digest());
  assert.ok(first.stderr.includes(`      ref: ${place}\n      version: "12" #`), first.stderr);
  assert.match(first.stderr, /"action":"content\.push"/);
  const headers = { authorization: registry.authorization };
  const found = await fetch(`${registry.url}/v2/filesets/debian/manifests/12`, { headers });
  assert.equal(`${found.headers.get('docker-content-digest')}\n`, first.stdout);
  assert.ok(!readdirSync(world.path('author')).includes('store'), 'nothing is stored here');

  const again = await scene.push();
  assert.deepEqual([again.exitCode, again.stdout], [0, first.stdout]);
  assert.match(again.stderr, /is already published with the same content/);
});

test('as JSON the document of a push is alone on stdout, as its schema says', async () => {
  await using scene = await openScene();
  for (const unchanged of [false, true]) {
    const { exitCode, stdout, stderr } = await scene.push('--output', 'json');
    assert.equal(exitCode, 0, stderr);
    assertCliDocument('svc fileset pack', stdout);
    const { fileset, push } = JSON.parse(stdout);
    assert.deepEqual(push, { unchanged });
    const { digest, layerDigest, bytes, ...rest } = fileset;
    assert.deepEqual(rest, {
      name: 'debian',
      version: '12',
      reference: `${scene.place}:12`,
      ...packableTreeCounts,
      signed: false,
    });
    assert.ok(digest && layerDigest && bytes > 0);
  }
});

test('a version that the registry has with other content is refused, and stays', async () => {
  await using scene = await openScene();
  const first = await scene.push();
  writeFileSync(join(scene.tree, 'new'), 'new');
  const { exitCode, stdout, stderr } = await scene.push();
  assert.deepEqual([exitCode, stdout], [3, '']);
  assert.match(stderr, /SVC-POL-004: .*:12 is already published with other content/);
  assert.match(stderr, /digest of this FileSet/);
  const headers = { authorization: scene.registry.authorization };
  const found = await fetch(`${scene.registry.url}/v2/filesets/debian/manifests/12`, { headers });
  assert.equal(`${found.headers.get('docker-content-digest')}\n`, first.stdout);
});

test('a place that contradicts the FileSet is a usage error, and a host that is not allowed is refused', async () => {
  await using scene = await openScene();
  const { svc, place } = scene;
  const cases: readonly (readonly [place: string, exitCode: number, says: RegExp])[] = [
    [place, 2, /is not <registry>\/<path>:<version>: the version is missing/],
    [`${place}:13`, 2, /must have the version of the FileSet, 12/],
    [`${place}@sha256:${'0'.repeat(64)}`, 2, /must have a version, not a digest/],
    ['filesets/debian:12', 2, /is not <registry>\/<path>:<version>/],
  ];
  for (const [given, exitCode, says] of cases) {
    const result = await svc('fileset', 'pack', 'tree', 'debian:12', '--push', given);
    assert.equal(result.exitCode, exitCode, `${given}\n${result.stderr}`);
    assert.match(result.stderr, says);
  }
  const closed = await scene.world.configure('closed', {
    registries: await scene.world.registries([scene.registry.host], { allowlist: ['other.example'] }),
  });
  const refused = await scene.world.svc([
    'fileset',
    'pack',
    scene.tree,
    'debian:12',
    '--push',
    `${place}:12`,
    '--config',
    closed,
  ]);
  assert.equal(refused.exitCode, 3, refused.stderr);
  assert.match(refused.stderr, /SVC-POL-001/);
});

test('a pushed FileSet is drafted and pinned as a FileSet, and an image of one plain layer as an image', async () => {
  await using scene = await openScene();
  const { svc, place, world } = scene;
  const { stdout: digest } = await scene.push();
  const draft = await svc(
    'recipe',
    'init',
    'packages',
    '--from',
    place,
    '--tags',
    '12',
    '--out',
    'packages.yaml',
  );
  assert.equal(draft.exitCode, 0, draft.stderr);
  assert.match(draft.stderr, /read as a repository of a registry: 1 tag taken\n/);
  const pinned = await svc('recipe', 'pin', 'packages.yaml', '--out', 'pinned.yaml');
  assert.equal(pinned.exitCode, 0, pinned.stderr);
  const recipe = parseRecipe(await readFile(world.path('pinned.yaml')), 'pinned.yaml');
  assert.deepEqual(
    recipe.ingredients.map(({ kind, ref, version, digest: pin }) => [
      kind,
      formatReference(ref),
      version,
      pin,
    ]),
    [['FileSet', place, '12', digest.trim()]],
  );
  const image = toFilesetImage([toLayer(toArchive({ tool: 'a tool' }))]);
  await toOrigin(scene.registry).put('tools', image, '1');
  const other = await svc('recipe', 'init', 'tools', '--from', `${scene.registry.host}/tools`, '--tags', '1');
  assert.match(other.stdout, /kind: ContainerImage/);
});
