import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { segmentPath } from '../../../src/store/rest/absent-list.ts';
import { listReceived } from '../../../src/view/received-deliveries.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { selectDelivery } from '../../../src/zone/delivery-record.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { cutAt, layerSize, openSplitDelivery, splitId } from '../../kit/scene/split-delivery.ts';
import { createPassportPeers, stampPassport } from '../../kit/scene/stamp-passport.ts';

const { sender, rival, passports } = createPassportPeers();

const has = (findings: readonly { readonly code: string }[], code: string): boolean =>
  findings.some((one) => one.code === code);

/** A zone that has part 1 of a delivery of two parts, with a passport, beside another medium of the same signer. */
async function openReceiver() {
  await using stack = new AsyncDisposableStack();
  const delivery = stack.use(await openSplitDelivery());
  const { signer, folder } = delivery.medium;
  const other = stack.use(await openSplitDelivery({ signer, seed: ' of others', version: '2.0.0' }));
  const registry = stack.use(await createRegistryDouble());
  delivery.putBase(registry);
  const state = join(folder, 'zone-state');
  const bring = async (root: string) => {
    const done = await importCarried(root, [signer], registry, { state, passports });
    assert.equal(done.error, undefined, done.said);
    return done.task.verification?.findings ?? [];
  };
  const record = async () => selectDelivery(await openArrivals(state).find(splitId), 'source').own;
  const first = await delivery.carry(1);
  await stampPassport(first, sender);
  await bring(first.root);
  const known = await record();
  assert.equal(known?.peer, 'source');
  const all = stack.move();
  return {
    ...{ delivery, other, registry, state, bring, record, known },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('a medium without a passport takes nothing from a delivery whose disk had one', async () => {
  await using zone = await openReceiver();
  const { delivery, other, bring, record, known } = zone;

  const forged = await carryPart(other.medium, { delivery: { id: splitId, part: 1, parts: 1 } });
  assert.ok(has(await bring(forged.root), 'SVC-MED-044'));
  assert.ok(zone.registry.tags('cookbook/shop').includes('2.0.0'), 'its signed recipes are imported');
  assert.deepEqual(await record(), known);

  const mixed = await delivery.carry(1);
  const bytes = Buffer.alloc(cutAt, 'x');
  const path = segmentPath({ digest: delivery.layers.shop[2], offset: 0 });
  await writeFile(join(mixed.root, path), bytes);
  await mixed.editManifest((header, lines) => {
    header.delivery = { id: splitId, part: 1, parts: 2 };
    return lines.map((one) => (one.path === path ? { ...one, digest: hashBytes(bytes) } : one));
  });
  assert.ok(has(await bring(mixed.root), 'SVC-MED-044'));
  // the same under the name of a delivery that nobody knows
  await mixed.editManifest((header, lines) => {
    header.delivery = { id: 'dlv_ffffffffffff', part: 1, parts: 2 };
    return lines;
  });
  await bring(mixed.root);
  assert.deepEqual(await record(), known);

  const unstamped = await delivery.carry(2);
  await unstamped.editManifest((header, lines) => {
    header.writtenAt = '2026-02-03T00:00:00Z';
    return lines;
  });
  const second = await delivery.carry(2);
  await stampPassport(second, sender);
  await bring(second.root);
  assert.equal((await record())?.complete, true);
  assert.ok(has(await bring(unstamped.root), 'SVC-MED-044'));
  assert.equal((await record())?.complete, true);
});

test('a medium with a passport of another peer takes nothing from a delivery, nor a kept segment', async () => {
  await using zone = await openReceiver();
  const { delivery, other, state, bring, record, known } = zone;

  const forged = await carryPart(other.medium, { delivery: { id: splitId, part: 1, parts: 1 } });
  await stampPassport(forged, rival);
  const finding = (await bring(forged.root)).find(({ code }) => code === 'SVC-MED-049');
  assert.match(
    JSON.stringify(finding),
    /peer source signed the passport of the delivery, and peer rival that of this disk/,
  );
  assert.equal(finding?.params.odd, 'peer');
  assert.deepEqual(await record(), known);
  // it is a delivery of its own
  const [rivals] = (await openArrivals(state).find(splitId)).filter(({ peer }) => peer === 'rival');
  assert.deepEqual(
    rivals?.landed.map(({ part }) => part),
    [1],
  );
  assert.equal((await listReceived(state)).length, 2);

  const path = segmentPath({ digest: delivery.layers.shop[2], offset: 0 });
  for (const id of [splitId, 'dlv_ffffffffffff']) {
    const bytes = Buffer.alloc(cutAt, 'x');
    const mixed = await delivery.carry(1);
    await writeFile(join(mixed.root, path), bytes);
    await mixed.editManifest((header, lines) => {
      header.delivery = { id, part: 1, parts: 2 };
      return lines.map((one) => (one.path === path ? { ...one, digest: hashBytes(bytes) } : one));
    });
    await stampPassport(mixed, rival);
    await bring(mixed.root);
    assert.deepEqual(await record(), known);
  }
  assert.equal((await openArrivals(state).get('dlv_ffffffffffff'))?.peer, 'rival');
  const second = await delivery.carry(2);
  await stampPassport(second, sender);
  await bring(second.root);
  assert.equal((await record())?.complete, true);
});

test('a peer that signs the disks of another one first takes no part of its delivery', async () => {
  await using delivery = await openSplitDelivery();
  await using zone = await createRegistryDouble();
  delivery.putBase(zone);
  const state = join(delivery.medium.folder, 'zone-state');
  const bring = async (part: 1 | 2, by?: typeof sender) => {
    const disk = await delivery.carry(part);
    if (by) await stampPassport(disk, by);
    const { task, error, said } = await importCarried(disk.root, [delivery.medium.signer], zone, {
      ...{ state, passports },
    });
    assert.equal(error, undefined, said);
    return (task.verification?.findings ?? []).map(({ code }) => code);
  };
  await bring(1);
  await bring(1, rival);
  assert.deepEqual(
    (await openArrivals(state).find(splitId)).map(({ peer }) => peer),
    ['rival'],
    'a record without a passport does not stay beside one with a passport',
  );
  await bring(1, sender);
  const codes = await bring(2, sender);
  assert.ok(codes.includes('SVC-MED-049'), codes.join(' '));
  const records = new Map((await openArrivals(state).find(splitId)).map((one) => [one.peer, one]));
  assert.deepEqual([...records.keys()].sort(), ['rival', 'source']);
  const own = records.get('source');
  assert.deepEqual([own?.complete, own?.landed.map(({ part }) => part)], [true, [1, 2]]);
  assert.deepEqual(
    records.get('rival')?.landed.map(({ part }) => part),
    [1],
  );
});

test('a segment without a passport discards none that has one, whichever comes first', async () => {
  for (const isFirst of [true, false]) {
    await using delivery = await openSplitDelivery();
    await using zone = await createRegistryDouble();
    delivery.putBase(zone);
    const { signer, folder } = delivery.medium;
    const state = join(folder, 'zone-state');
    const bring = (root: string) => importCarried(root, [signer], zone, { state, passports });
    const record = () => openArrivals(state).get(splitId);
    const forged = await delivery.carry(2);
    const path = segmentPath({ digest: delivery.layers.shop[2], offset: cutAt });
    const bytes = Buffer.alloc(layerSize - cutAt, 'x');
    await writeFile(join(forged.root, path), bytes);
    await forged.editManifest((header, lines) => {
      header.delivery = { id: 'dlv_ffffffffffff', part: 2, parts: 2 };
      return lines.map((one) => (one.path === path ? { ...one, digest: hashBytes(bytes) } : one));
    });
    if (isFirst) await bring(forged.root);
    const first = await delivery.carry(1);
    await stampPassport(first, sender);
    const { imported, said } = await bring(first.root);
    assert.deepEqual(imported?.failures, [], said);
    if (!isFirst) await bring(forged.root);
    assert.deepEqual(
      [(await record())?.landed.map(({ part }) => part), (await record())?.needed],
      [[1], [2]],
    );
    const second = await delivery.carry(2);
    await stampPassport(second, sender);
    await bring(second.root);
    assert.equal((await record())?.complete, true);
  }
});

test('a disk without a passport that says the same is reported too', async () => {
  await using delivery = await openSplitDelivery();
  await using zone = await createRegistryDouble();
  delivery.putBase(zone);
  const state = join(delivery.medium.folder, 'zone-state');
  const bring = (root: string) => importCarried(root, [delivery.medium.signer], zone, { state, passports });
  const first = await delivery.carry(1);
  await stampPassport(first, sender);
  await bring(first.root);
  const { task, said } = await bring((await delivery.carry(2)).root);
  const codes = task.verification?.findings.map(({ code }) => code) ?? [];
  assert.ok(codes.includes('SVC-MED-049'), said);
  assert.deepEqual(
    (await openArrivals(state).get(splitId))?.landed.map(({ part }) => part),
    [1],
  );
});

/** A zone, and a source of disks with one recipe whose image has the tag `stable`. */
async function openStableZone(t: TestContext) {
  const signer = createSigner();
  const registry = await createRegistryDouble();
  t.after(() => registry[Symbol.asyncDispose]());
  let state: string | undefined;
  let count = 0;
  return {
    bring: async (
      [name, version]: readonly [name: string, version: string],
      { day, isVouched, by = sender }: { day: number; isVouched: boolean; by?: typeof sender },
    ) => {
      const artifact = buildImage(`${name} ${version}`);
      const ref = 'origin.example/web';
      const ingredients = [{ name: 'web', kind: 'ContainerImage' as const, ref, tag: 'stable', artifact }];
      const medium = await buildMedium({
        recipes: [{ name, version, layout: 'bundle', ingredients }],
        ...{ signer, resolvedAt: new Date(Date.UTC(2026, 0, 10 + day)).toISOString(), inMemory: true },
      });
      t.after(() => medium[Symbol.asyncDispose]());
      state ??= join(medium.folder, 'zone-state');
      count += 1;
      const disk = await carryPart(medium, {
        delivery: { id: `dlv_00000000000${count}`, part: 1, parts: 1 },
      });
      if (isVouched) await stampPassport(disk, by);
      const { error, said, task } = await importCarried(disk.root, [signer], registry, { state, passports });
      assert.equal(error, undefined, said);
      return [artifact.manifest.descriptor.digest, said, task.movedTags] as const;
    },
    stable: () => registry.manifest('origin.example/web', 'stable')?.digest,
  };
}

test('a newer medium without a passport overtakes no delivery whose disk had one', async (t) => {
  await using delivery = await openSplitDelivery({ resolvedAt: '2026-01-02T00:00:00Z' });
  const { signer, folder } = delivery.medium;
  await using zone = await createRegistryDouble();
  delivery.putBase(zone);
  const state = join(folder, 'zone-state');
  const bring = (root: string) => importCarried(root, [signer], zone, { state, passports });
  const first = await delivery.carry(1);
  await stampPassport(first, sender);
  await bring(first.root);

  const later = { signer, resolvedAt: '2026-01-09T00:00:00Z', seed: ' later', version: '3.0.0' };
  await using newer = await openSplitDelivery(later);
  const unsigned = await carryPart(newer.medium, { delivery: { id: 'dlv_eeeeeeeeeeee', part: 1, parts: 1 } });
  assert.equal((await bring(unsigned.root)).error, undefined);
  const [record] = (await listReceived(state)).filter(({ id }) => id === splitId);
  assert.equal(record?.overtakenBy, undefined);
  assert.deepEqual(record?.needed, [2]);

  await t.test('a medium without a passport is refused as older', async () => {
    const second = await delivery.carry(2);
    assert.equal((await bring(second.root)).error?.code, 'SVC-MED-007');
  });
  const second = await delivery.carry(2);
  await stampPassport(second, sender);
  const done = await bring(second.root);
  assert.equal(done.error, undefined, done.said);
  assert.equal((await openArrivals(state).get(splitId))?.complete, true);
  await t.test('a newer medium with a passport of the same peer overtakes', async () => {
    await stampPassport(unsigned, sender);
    assert.equal((await bring(unsigned.root)).error, undefined);
    await using older = await openSplitDelivery({
      signer,
      resolvedAt: '2026-01-03T00:00:00Z',
      seed: ' older',
    });
    const disk = await older.carry(1, { delivery: { id: 'dlv_dddddddddddd', part: 1, parts: 2 } });
    await stampPassport(disk, sender);
    assert.equal((await bring(disk.root)).error?.code, 'SVC-MED-007');
  });
});

test('a recipe that takes the tag of another one says so, once', async (t) => {
  const zone = await openStableZone(t);
  await zone.bring(['other', '2.0.0'], { day: 1, isVouched: true });
  const [digest, said] = await zone.bring(['shop', '1.0.0'], { day: 2, isVouched: true });
  assert.equal(zone.stable(), digest);
  assert.match(said, /shop@1\.0\.0\/web: the tag stable is taken from other@2\.0\.0, whose content is here/);
  const [, next] = await zone.bring(['shop', '1.1.0'], { day: 3, isVouched: true });
  assert.doesNotMatch(next, /is taken from/);
});

test('a later medium of another peer takes a tag only with a higher version, and the task names each tag', async (t) => {
  const zone = await openStableZone(t);
  const [own, , first] = await zone.bring(['shop', '1.1.0'], { day: 2, isVouched: true });
  assert.equal(first, undefined);
  const named = { tag: 'stable', from: 'shop@1.1.0' };
  const [, , kept] = await zone.bring(['shop', '1.0.0'], { day: 400, isVouched: true, by: rival });
  assert.equal(zone.stable(), own);
  assert.deepEqual(kept, [{ ...named, ingredient: 'shop@1.0.0/web', kept: true }]);
  const [higher, , moved] = await zone.bring(['shop', '1.2.0'], { day: 401, isVouched: true, by: rival });
  assert.equal(zone.stable(), higher);
  assert.deepEqual(moved, [{ ...named, ingredient: 'shop@1.2.0/web', kept: false }]);
});

test('a newer medium without a passport keeps a tag beside lower versions only, and takes none of a vouched one', async (t) => {
  const zone = await openStableZone(t);
  const [forged] = await zone.bring(['shop', '1.1.0'], { day: 5, isVouched: false });
  assert.equal(zone.stable(), forged);
  // an older disk does not take the tag back from a higher version
  await zone.bring(['shop', '1.0.5'], { day: 2, isVouched: true });
  assert.equal(zone.stable(), forged);
  const [higher, said] = await zone.bring(['shop', '1.2.0'], { day: 3, isVouched: true });
  assert.equal(zone.stable(), higher);
  assert.match(said, /shop@1.2.0\/web: the tag stable is taken from a later medium without a passport/);
  await zone.bring(['shop', '1.3.0'], { day: 6, isVouched: false });
  assert.equal(zone.stable(), higher, 'it came with a passport');
});
