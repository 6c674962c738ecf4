import assert from 'node:assert/strict';
import { lstat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { blameDisk } from '../../../src/engine/medium/parts/blame-disk.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { segmentPath } from '../../../src/store/rest/absent-list.ts';
import { type fromErrorRecord, svcError } from '../../../src/text/error.ts';
import { renderError } from '../../../src/text/message.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { openSplitDelivery, type SplitDelivery, splitId } from '../../kit/scene/split-delivery.ts';

let delivery: SplitDelivery;
before(async () => {
  delivery = await openSplitDelivery();
});
after(() => delivery[Symbol.asyncDispose]());

/** Imports part 1 of a delivery and changes it before or after its verification. @returns the error of the recipe */
async function importSpoilt(
  recipe: 'shop' | 'depot',
  spoil: (root: string) => Promise<unknown>,
  when: 'before' | 'between',
) {
  await using zone = await createRegistryDouble();
  delivery.putBase(zone);
  const { root } = await delivery.carry(1);
  if (when === 'before') await spoil(root);
  const { items } = await importCarried(root, [delivery.medium.signer], zone, {
    state: join(root, '..', `state-${Math.random()}`),
    ...(when === 'between' ? { between: () => spoil(root) } : {}),
  });
  const failed = items.find(({ name, error }) => name.startsWith(recipe) && error !== undefined);
  assert.ok(failed?.error, JSON.stringify(items));
  assert.deepEqual(
    zone.content().filter((line) => line.startsWith(`cookbook/${recipe}`)),
    [],
  );
  return failed.error;
}

const requireNamed = (error: Parameters<typeof fromErrorRecord>[0], code: string, path: string): void => {
  assert.deepEqual(
    [error.code, error.params.path, error.params.part, error.params.delivery],
    [code, path, 1, splitId],
  );
  const { what } = renderError(error, 'en');
  assert.ok(what.includes(`part 1 of delivery ${splitId}`) && what.includes(path), what);
  // a repair needs the room of the other disks too
  assert.match(
    renderError(error, 'en').action,
    /With all disks of delivery \S+ connected there, the command that wrote it repairs this one\./,
  );
  const { what: french } = renderError(error, 'fr');
  assert.ok(french.includes(`partie 1 de la livraison ${splitId}`), french);
};

for (const when of ['before', 'between'] as const) {
  test(`a blob altered ${when} the verification and the push names its part, its delivery and its path`, async () => {
    const path = blobPath(delivery.layers.depot[0]);
    const error = await importSpoilt('depot', (root) => damageFile(join(root, path), 9), when);
    requireNamed(error, 'SVC-MED-012', path);
  });

  test(`a segment altered ${when} the verification and the push names its part, its delivery and its path`, async () => {
    const path = segmentPath({ digest: delivery.layers.shop[2], offset: 0 });
    const error = await importSpoilt('shop', (root) => damageFile(join(root, path), 9), when);
    requireNamed(error, 'SVC-MED-012', path);
  });

  test(`a file that grew ${when} the verification and the push is refused by its size`, async () => {
    for (const [recipe, path] of [
      ['depot', blobPath(delivery.layers.depot[1])],
      ['shop', segmentPath({ digest: delivery.layers.shop[2], offset: 0 })],
    ] as const) {
      // reading it to its end would take minutes
      const error = await importSpoilt(recipe, (root) => truncate(join(root, path), 2 ** 40), when);
      requireNamed(error, 'SVC-MED-011', path);
      assert.equal(error.params.actual, 2 ** 40);
    }
  });
}

test('a destination that reports another digest of an unchanged file leaves the disk without blame', async () => {
  const { root } = await delivery.carry(1);
  const [digest] = delivery.layers.depot;
  const { size, dev, ino, ctimeNs } = await lstat(join(root, blobPath(digest)), { bigint: true });
  const files = new Map([[digest, { size: Number(size), device: dev, inode: ino, ctimeNs }]]);
  const error = svcError('SVC-SIG-002', { reference: digest, expected: digest, actual: 'other' });
  assert.equal(await blameDisk(error, { files }, root, {}), error);
});

test('a damaged disk that comes first needs the parts that have content of its recipes, and not all others', async () => {
  const { depot, shop } = delivery.layers;
  const manifest = delivery.artifacts.depot.manifest.descriptor.digest;
  const segment = segmentPath({ digest: shop[2], offset: 0 });
  const cases: readonly [path: string, wanted: Readonly<Record<string, readonly number[]>>][] = [
    [blobPath(depot[0]), { depot: [1], shop: [2], yard: [2] }],
    [segment, { shop: [1, 2], yard: [2] }],
    // nothing says which blobs a damaged document names
    [blobPath(manifest), { depot: [1, 2, 3, 4], shop: [2], yard: [2] }],
  ];
  for (const [path, wanted] of cases) {
    await using zone = await createRegistryDouble();
    delivery.putBase(zone);
    const { root } = await delivery.carry(1, { delivery: { id: splitId, part: 1, parts: 4 } });
    await damageFile(join(root, path), 9);
    const state = join(root, '..', `state-${Math.random()}`);
    const { task } = await importCarried(root, [delivery.medium.signer], zone, { state });
    const { recipes, needed } = task.delivery!;
    const open = recipes.flatMap(({ name, parts }) => (parts === undefined ? [] : [[name, parts] as const]));
    assert.deepEqual(Object.fromEntries(open), wanted, path);
    assert.deepEqual(needed, [...new Set(Object.values(wanted).flat())].sort(), path);
  }
});
