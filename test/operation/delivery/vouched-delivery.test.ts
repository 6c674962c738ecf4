import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { segmentPath } from '../../../src/store/rest/absent-list.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { cutAt, openSplitDelivery, splitId } from '../../kit/scene/split-delivery.ts';
import { stampPassport } from '../../kit/scene/stamp-passport.ts';

const sender = toSigner(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const passports = { keys: [{ name: 'source', key: sender.publicKey }], required: false };

test('a medium without a passport takes nothing from a delivery whose disk had one', async () => {
  await using delivery = await openSplitDelivery();
  const { signer, folder } = delivery.medium;
  await using other = await openSplitDelivery({ signer, seed: ' of others', version: '2.0.0' });
  await using zone = await createRegistryDouble();
  delivery.putBase(zone);
  const state = join(folder, 'zone-state');
  const bring = async (root: string) => {
    const done = await importCarried(root, [signer], zone, { state, passports });
    assert.equal(done.error, undefined, done.said);
    return (done.task.verification?.findings ?? []).map(({ code }) => code);
  };
  const record = () => openArrivals(state).get(splitId);
  const first = await delivery.carry(1);
  await stampPassport(first, sender);
  await bring(first.root);
  const known = await record();
  assert.equal(known?.vouched, true);

  const forged = await carryPart(other.medium, { delivery: { id: splitId, part: 1, parts: 1 } });
  assert.ok((await bring(forged.root)).includes('SVC-MED-044'));
  assert.ok(zone.tags('cookbook/shop').includes('2.0.0'), 'its signed recipes are imported');
  assert.deepEqual(await record(), known);

  const mixed = await delivery.carry(1);
  const bytes = Buffer.alloc(cutAt, 'x');
  const path = segmentPath({ digest: delivery.layers.shop[2], offset: 0 });
  await writeFile(join(mixed.root, path), bytes);
  await mixed.editManifest((header, lines) => {
    header.delivery = { id: splitId, part: 1, parts: 2 };
    return lines.map((one) => (one.path === path ? { ...one, digest: hashBytes(bytes) } : one));
  });
  assert.ok((await bring(mixed.root)).includes('SVC-MED-044'));
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
  assert.ok((await bring(unstamped.root)).includes('SVC-MED-044'));
  assert.equal((await record())?.complete, true);
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
