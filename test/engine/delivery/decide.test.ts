import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PartSupply } from '../../../src/engine/delivery/partition.ts';
import { toSvcError } from '../../../src/text/error.ts';
import { buildImage } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { decideFor } from '../../kit/scene/delivery.ts';
import { buildMedium, toImageRecipe } from '../../kit/scene/medium.ts';

const tooSmall: readonly { supply: PartSupply; folders?: readonly string[]; says: RegExp }[] = [
  { supply: { given: [{ bytes: 300_000 }] }, folders: ['/mnt/a'], says: /disk \/mnt\/a has .* a quarter/ },
  { supply: { given: [{ bytes: 2 ** 40 }, { bytes: 300_000 }] }, says: /disk 2 has .* a quarter/ },
  { supply: { given: [{ bytes: 2 ** 40, maxFolderEntries: 3 }] }, says: /folder of disk 1 takes 3/ },
];

test('content that does not fit is refused with the figures', async () => {
  await using medium = await buildMedium();
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  for (const { says, ...options } of tooSmall)
    await assert.rejects(decideFor(store, options), (thrown) => {
      const error = toSvcError(thrown);
      return error.code === 'SVC-MED-046' && says.test(String(error.params.detail));
    });
});

test('a refusal for lack of space says how many disks like the largest would do', async () => {
  const toRecipe = (name: string) =>
    toImageRecipe(name, buildImage(name, { ownLayers: 1, layerSize: 1_000_000 }));
  await using medium = await buildMedium({ recipes: ['shop', 'depot', 'yard'].map(toRecipe) });
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const each = { bytes: 1_500_000 };
  const refused = async (given: readonly { readonly bytes: number }[]) => {
    const error = toSvcError(await decideFor(store, { supply: { given } }).catch((thrown) => thrown));
    return String(error.params.detail);
  };
  assert.match(await refused([each, { bytes: 1_200_000 }]), /find no place, and 3 disks like the largest/);
  assert.equal((await decideFor(store, { supply: { given: [each, each, each] } })).parts.length, 3);
});

test('the identifier follows from the plan', async () => {
  await using medium = await buildMedium();
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const { id } = await decideFor(store);
  assert.match(id, /^dlv_[0-9a-f]{12}$/);
  assert.equal((await decideFor(store, { supply: { given: [{ bytes: 2 ** 41 }] } })).id, id);
  const header = { zone: 'zone-b', receipt: `sha256:${'1'.repeat(64)}`, sequence: 1 } as const;
  const base = { roots: new Map(), header };
  const others = [
    await decideFor(store, { recipes: ['shop'] }),
    await decideFor(store, { base }),
    await decideFor(store, { base: { ...base, header: { ...header, sequence: 2 } } }),
  ];
  assert.equal(new Set([id, ...others.map((one) => one.id)]).size, 4);
});
