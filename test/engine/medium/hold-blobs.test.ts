import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openClearedSource } from '../../../src/engine/medium/cleared-source.ts';
import { openHeldBlobs } from '../../../src/engine/medium/parts/hold-blobs.ts';
import { openMemoryRegistry } from '../../../src/engine/prove/memory-registry.ts';
import type { RemoteRegistry } from '../../../src/remote/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { buildImage } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';

test('recipes that wait for another disk share four uploads: the memory does not grow with their number', async () => {
  const names = ['one', 'two', 'three'];
  await using medium = await buildMedium({
    recipes: names.map((name) => ({
      name,
      version: '1.0.0',
      layout: 'bundle',
      ingredients: [
        {
          name: 'image',
          kind: 'ContainerImage',
          ref: `origin.example/${name}/image`,
          tag: '1.0.0',
          artifact: buildImage(name, { ownLayers: 6 }),
        },
      ],
    })),
  });
  const { cleared } = await verifyCarried(medium.root, trust(medium.signer));
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const memory = openMemoryRegistry({
    traits: { sparse: 'accepted', 'foreign-layers': 'accepted', 'long-digest': 'accepted' },
  });
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
  const away = { has: () => false, open: () => Promise.reject(new Error('nothing is away')) };
  const held = openHeldBlobs({
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
  await Promise.all(
    cleared.map((recipe) => held.hold(recipe, (digest) => recipe.files.has(digest), new Set())),
  );
  assert.ok(all > 12, `${all} uploads`);
  assert.equal(most, 4);
});
