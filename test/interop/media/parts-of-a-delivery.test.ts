import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { startCollectingZot } from './zot.ts';

const id = 'dlv_0123456789ab';

/** Recipes that share a layer; one has an image of two platforms. */
function toRecipes(): readonly MediumRecipe[] {
  const web = buildImage('web', { ownLayers: 3, layerSize: 100_000 });
  const worker = buildIndex('worker', ['linux/amd64', 'linux/arm64'], { layers: [web.blobs[1]!] });
  const one = (name: string, artifact: typeof web): MediumRecipe => ({
    name,
    version: '1.0.0',
    layout: 'bundle',
    ingredients: [
      { name: 'image', kind: 'ContainerImage', ref: `origin.example/${name}/image`, tag: '1.0.0', artifact },
    ],
  });
  return [one('shop', web), one('depot', worker)];
}

/** Distributes the blobs of a medium over three parts by their order, and cuts the first one over two. */
async function openParts() {
  const recipes = toRecipes();
  const medium = await buildMedium({ recipes });
  const layers = new Set<Digest>();
  for (const { ingredients } of recipes)
    for (const { artifact } of ingredients)
      for (const { descriptor } of [artifact, ...artifact.children.map((child) => child.artifact)].flatMap(
        ({ blobs }) => blobs.slice(1),
      ))
        layers.add(descriptor.digest);
  const [cut, ...rest] = [...layers].sort() as [Digest, ...Digest[]];
  const { length } = await readFile(join(medium.root, 'blobs', ...cut.split(':')));
  /** The ranges of the cut blob on a part. */
  const ranges = (number: number): readonly (readonly [number, number])[] =>
    number === 1 ? [[0, 1000]] : number === 3 ? [[1000, length]] : [];
  const part = (number: number) =>
    carryPart(medium, {
      delivery: { id, part: number, parts: 3 },
      absent: new Map([
        [cut, [1, 3] as readonly number[]] as const,
        ...rest.flatMap((digest, i) => (i % 3 === number - 1 ? [] : [[digest, [(i % 3) + 1]] as const])),
      ]),
      cut: new Map(ranges(number).map((range) => [cut, [range]] as const)),
    });
  return { medium, parts: [await part(1), await part(2), await part(3)] as const };
}

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Tags and digests of a registry, without those of signatures by tag. */
async function listRegistry(url: string): Promise<readonly string[]> {
  const get = async (path: string) => (await fetch(`${url}${path}`)).json() as Promise<any>;
  const lines: string[] = [];
  for (const repository of (await get('/v2/_catalog')).repositories) {
    for (const tag of (await get(`/v2/${repository}/tags/list`)).tags ?? []) {
      const accept = ['manifest.v1', 'index.v1']
        .map((type) => `application/vnd.oci.image.${type}+json`)
        .join();
      const answer = await fetch(`${url}/v2/${repository}/manifests/${tag}`, { headers: { accept } });
      lines.push(`${repository}:${tag} ${hashBytes(Buffer.from(await answer.arrayBuffer()))}`);
    }
  }
  return lines.sort();
}

test('every order of the parts gives the same registry, also when it collects between them', async (t) => {
  const registry = needs(t, 'registry');
  if (!registry) return;
  const { medium, parts } = await openParts();
  await using _medium = medium;
  await using folder = await openTempFolder('svc-parts-');
  const at = (name: string): string => join(folder.path, name);
  const open = (name: string) => startPeerRegistry({ program: registry, folder: at(name) });
  const bring = (root: string, host: string, state: string) =>
    importCarried(root, [medium.signer], { host }, { state: at(`${state}-state`) });
  let whole: readonly string[];
  {
    await using peer = await open('whole');
    const run = await bring(medium.root, peer.host, 'whole');
    assert.equal(run.task.status, 'done', run.said);
    whole = await listRegistry(peer.url);
    assert.ok(whole.length >= 4, whole.join());
  }
  for (const order of orders) {
    const name = order.join('');
    await using peer = await open(name);
    for (const [i, number] of order.entries()) {
      // the disk of the courier: read, then taken away
      const disk = at(`${name}-disk`);
      await cp(parts[number].root, disk, { recursive: true });
      const run = await bring(disk, peer.host, name);
      assert.equal(run.task.status, 'done', run.said);
      assert.equal(run.task.delivery?.complete, i === 2, run.said);
      await rm(disk, { recursive: true });
      execFileSync(registry, ['garbage-collect', join(at(name), 'registry.yaml')], { stdio: 'ignore' });
    }
    assert.deepEqual(await listRegistry(peer.url), whole, name);
  }
});

test('zot collects between the parts, and every blob of the delivery is there at the end', async (t) => {
  const zot = needs(t, 'zot');
  if (!zot) return;
  const { medium, parts } = await openParts();
  await using _medium = medium;
  await using folder = await openTempFolder('svc-parts-');
  await using peer = await startCollectingZot(zot, join(folder.path, 'zot'));
  const state = join(folder.path, 'state');
  for (const number of [2, 0, 1] as const) {
    const run = await importCarried(parts[number].root, [medium.signer], peer, { state });
    assert.equal(run.task.status, 'done', run.said);
    assert.equal(run.task.delivery?.complete, number === 1, run.said);
    await peer.collect('origin.example/shop/image');
  }
  const tags = await listRegistry(peer.url);
  assert.deepEqual(
    tags.map((line) => line.split(' ')[0]).filter((name) => !name!.includes('sha256-')),
    [
      'cookbook/depot:1.0.0',
      'cookbook/shop:1.0.0',
      'origin.example/depot/image:1.0.0',
      'origin.example/shop/image:1.0.0',
    ],
  );
  // a second import of a part asks for everything again, and moves nothing
  const again = await importCarried(parts[0].root, [medium.signer], peer, { state });
  assert.equal(again.task.status, 'done', again.said);
  assert.equal(again.imported?.pushed, 0, again.said);
});
