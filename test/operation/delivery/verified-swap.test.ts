import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openCustody } from '../../../src/custody/custody.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { openSplitDelivery, splitId } from '../../kit/scene/split-delivery.ts';
import { createPassportPeers, stampPassport } from '../../kit/scene/stamp-passport.ts';

const { sender, rival, passports } = createPassportPeers();

/** A zone that verified a disk with a passport, and then imports the disk in the drive. */
async function importAfterVerify(
  options: { readonly by?: typeof sender; readonly isSame?: true; readonly isReceived?: true } = {},
) {
  await using delivery = await openSplitDelivery();
  await using registry = await createRegistryDouble();
  delivery.putBase(registry);
  const state = join(delivery.medium.folder, 'zone-state');
  const disk = await delivery.carry(1);
  if (options.by !== undefined) await stampPassport(disk, options.by);
  const custody = openCustody({ stateRoot: state, site: 'zone-b' });
  const note = (type: 'verified' | 'received', of: string, by: object) =>
    custody.record({
      ...{ type, actor: 'ana', subjects: [{ name: 'media.jsonl', digest: hashBytes(of) }] },
      details: { medium: 'disk-1', zone: 'zone-b', delivery: splitId, part: 1, parts: 2, ...by },
    });
  const vouched = { vouched: true, peer: 'source' };
  await note('verified', 'other disk', { vouched: false });
  if (options.isSame !== true) await note('verified', 'disk of the sender', vouched);
  if (options.isReceived === true) await note('received', 'disk of the sender', vouched);
  const done = await importCarried(disk.root, [delivery.medium.signer], registry, { state, passports });
  assert.equal(done.error, undefined, done.said);
  const records = await openArrivals(state).find(splitId);
  return {
    findings: (done.task.verification?.findings ?? []).filter(({ code }) => /^SVC-MED-04[49]$/.test(code)),
    records: records.map(({ peer, landed }) => [peer, landed.length]),
    delivery: done.freshness?.delivery,
  };
}

test('a disk without a passport after the verification of one that had it is a stranger, and no part of the delivery', async () => {
  const { findings, records, delivery } = await importAfterVerify();
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['SVC-MED-049'],
  );
  assert.match(JSON.stringify(findings), /peer source signed the passport of the delivery/);
  assert.deepEqual([records, delivery], [[], undefined]);
});

test('a disk of another peer after the verification of one is told, and recorded apart', async () => {
  const { findings, records } = await importAfterVerify({ by: rival });
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['SVC-MED-049'],
  );
  assert.deepEqual(records, [['rival', 1]]);
});

test('a disk after the verification of others of its kind is no stranger, and a forgotten delivery begins anew', async () => {
  for (const options of [{ by: sender }, { isSame: true }, { isReceived: true }] as const) {
    const { findings, records } = await importAfterVerify(options);
    assert.deepEqual([findings, records.length], [[], 1], JSON.stringify(options));
  }
});
