import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Digest } from '../../../src/base/digest.ts';
import { openClearedSource } from '../../../src/engine/medium/cleared-source.ts';
import type { ClearedRecipe } from '../../../src/engine/medium/judge-recipe.ts';
import { type HeldBlobs, openHeldBlobs } from '../../../src/engine/medium/parts/hold-blobs.ts';
import { openMemoryRegistry } from '../../../src/engine/prove/memory-registry.ts';
import type { RemoteRegistry } from '../../../src/remote/model.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, buildImage } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

/** Layers of the images, by the names of their recipes. */
const layersOf = new Map<string, Artifact['blobs']>();

function toRecipe(name: string, ownLayers: number): MediumRecipe {
  const artifact = buildImage(name, { ownLayers });
  layersOf.set(name, artifact.blobs.slice(1));
  const ref = `origin.example/${name}/image`;
  return {
    ...{ name, version: '1.0.0', layout: 'bundle' },
    ingredients: [{ name: 'image', kind: 'ContainerImage', ref, tag: '1.0.0', artifact }],
  };
}

const openEmptyRegistry = () =>
  openMemoryRegistry({
    traits: { sparse: 'accepted', 'foreign-layers': 'accepted', 'long-digest': 'accepted' },
  });

/** Holds content of a disk, which has all of it. */
function openHeld(registry: RemoteRegistry, store: Store, cleared: readonly ClearedRecipe[]): HeldBlobs {
  const away = { has: () => false, open: () => Promise.reject(new Error('nothing is away')) };
  return openHeldBlobs({
    registry,
    destination: { registry: 'zone.example', cookbook: 'cookbook' },
    delivery: { id: 'dlv_000000000000', part: 1, parts: 2 },
    source: (repository) =>
      openClearedSource(
        store.root,
        cleared,
        openRepository(store, repository, { owner: { provenance: 'recipe' } }),
        away,
      ),
    holders: new Map(),
  })!;
}

test('recipes that wait for another disk share four uploads: the memory does not grow with their number', async () => {
  const names = ['one', 'two', 'three'];
  await using medium = await buildMedium({ recipes: names.map((name) => toRecipe(name, 6)) });
  const { cleared } = await verifyCarried(medium.root, trust(medium.signer));
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const memory = openEmptyRegistry();
  let [atOnce, most, all] = [0, 0, 0];
  const registry: RemoteRegistry = {
    ...memory,
    repository: (...place) => {
      const target = memory.repository(...place);
      return {
        ...target,
        pushBlob: async (...blob) => {
          // the empty configuration of a holding manifest is in memory
          if (blob[0].size === 2) return target.pushBlob(...blob);
          atOnce += 1;
          all += 1;
          most = Math.max(most, atOnce);
          for (let i = 0; i < 20; i += 1) await turn();
          await target.pushBlob(...blob);
          atOnce -= 1;
        },
      };
    },
  };
  const held = openHeld(registry, store, cleared);
  await Promise.all(
    cleared.map((recipe) => held.hold(recipe, (digest) => recipe.files.has(digest), new Set())),
  );
  assert.ok(all > 12, `${all} uploads`);
  assert.equal(most, 4);
});

test('a repository with nothing but configurations, which each disk has, gets no holding manifest', async () => {
  await using medium = await buildMedium({ recipes: [toRecipe('one', 2), toRecipe('two', 2)] });
  const { cleared } = await verifyCarried(medium.root, trust(medium.signer));
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const memory = openEmptyRegistry();
  const asked: string[] = [];
  const registry: RemoteRegistry = {
    ...memory,
    repository: (...place) => {
      const target = memory.repository(...place);
      const noting =
        <A extends readonly unknown[], R>(name: string, work: (...args: A) => R) =>
        (...args: A): R => {
          asked.push(name);
          return work(...args);
        };
      return {
        ...target,
        hasBlob: noting('hasBlob', target.hasBlob),
        pushBlob: noting('pushBlob', target.pushBlob),
        mountBlob: noting('mountBlob', target.mountBlob),
        pushManifest: noting('pushManifest', target.pushManifest),
        fetchManifest: noting('fetchManifest', target.fetchManifest),
      };
    },
  };
  const held = openHeld(registry, store, cleared);
  const [one, two] = cleared;
  const layers = (recipe: ClearedRecipe) =>
    new Set([...layersOf.get(recipe.record.name)!].map(({ descriptor: { digest } }) => digest));
  // the layers are on another disk
  const gone = layers(one!);
  await held.hold(one!, (digest) => one!.files.has(digest) && !gone.has(digest), gone);
  assert.deepEqual(asked, ['hasBlob', 'pushBlob']);
  await held.hold(two!, (digest) => two!.files.has(digest), new Set());
  const place = { host: 'zone.example', repository: 'origin.example/two/image' };
  const found = await memory.repository(place).fetchManifest('svc-holding-dlv_000000000000');
  const named = JSON.parse(found!.bytes.toString()).layers.map(({ digest }: { digest: Digest }) => digest);
  assert.equal(named.length, layers(two!).size + 1);
});
