import assert from 'node:assert/strict';
import { cp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../src/attest/receipt.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { receiptLimits } from '../../src/contract/receipt.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { isSvcError, type SvcError } from '../../src/text/error.ts';
import { openOwnReceipts } from '../../src/zone/own-receipts.ts';
import { openReceipts, type ZoneKey } from '../../src/zone/receipts.ts';
import { toReceipt } from '../kit/content/receipt.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

/** A zone that writes receipts, on a machine with its own state. */
function openZone(state: string, zone = 'zone-b', signer = toSigner(createSigner().privateKey)) {
  const own = openOwnReceipts(state);
  const subjects = [toSubject(toZoneFile(zone))];
  const key: ZoneKey = { name: zone, key: signer.publicKey, for: ['receipt'] };
  return {
    own,
    key,
    signer,
    write: (members: Parameters<typeof toReceipt>[0] = {}) =>
      own.issue(zone, (place) => writeReceipt(toReceipt({ zone, ...members, ...place }), subjects, signer)),
  };
}

async function refusalOf(work: Promise<unknown>): Promise<SvcError> {
  const error = await work.then(
    () => assert.fail('it is accepted'),
    (failure: unknown) => failure,
  );
  assert.ok(isSvcError(error), String(error));
  return error;
}

test('a zone numbers its receipts, and each names the one before', async () => {
  await using folder = await openTempFolder();
  const { own, write } = openZone(folder.path);
  assert.equal(await own.last('zone-b'), undefined);
  const first = await write();
  const second = await write();
  assert.equal(first.receipt.sequence, 1);
  assert.equal(first.receipt.previous, undefined);
  assert.equal(second.receipt.sequence, 2);
  assert.equal(second.receipt.previous, first.digest);
  assert.equal((await openOwnReceipts(folder.path).last('zone-b'))?.digest, second.digest);
});

test('the last delivery that each receipt names stays known after the next ones', async () => {
  await using folder = await openTempFolder();
  const { own, write } = openZone(folder.path);
  const manifest = hashBytes('medium');
  const none = await write();
  const [a, b] = ['dlv_00000000000a', 'dlv_00000000000b'];
  const first = await write({ lastDelivery: { id: a, part: 1, manifest } });
  assert.equal(await own.deliveryOf('zone-b', first.digest), a);
  const second = await write({ lastDelivery: { id: b, part: 2, manifest } });
  await write();
  const found = [none, first, second].map(({ digest }) => own.deliveryOf('zone-b', digest));
  assert.deepEqual(await Promise.all(found), [undefined, a, b]);
  assert.equal(await own.deliveryOf('zone-c', first.digest), undefined);
  await writeFile(join(folder.path, 'receipts/own/zone-b.deliveries.json'), 'damaged');
  assert.equal(await own.deliveryOf('zone-b', first.digest), undefined);
  const last = await write({ lastDelivery: { id: b, part: 1, manifest } });
  assert.equal(last.receipt.sequence, 5);
});

test('receipts that are written at the same time get different numbers', async () => {
  await using folder = await openTempFolder();
  const { write } = openZone(folder.path);
  const receipts = await Promise.all(Array.from({ length: 5 }, () => write()));
  assert.deepEqual(receipts.map(({ receipt }) => receipt.sequence).sort(), [1, 2, 3, 4, 5]);
});

test('a receipt that cannot be signed uses no number', async () => {
  await using folder = await openTempFolder();
  const { own, write } = openZone(folder.path);
  await write();
  const failure = new Error('no key');
  await assert.rejects(
    own.issue('zone-b', () => {
      throw failure;
    }),
    failure,
  );
  assert.equal((await write()).receipt.sequence, 2);
});

test('a number is not used again when the last own receipt is damaged', async () => {
  await using folder = await openTempFolder();
  const { write } = openZone(folder.path);
  await write();
  const file = join(folder.path, 'receipts', 'own', 'zone-b.sigstore.json');
  await truncate(file, 100);
  assert.equal((await refusalOf(write())).code, 'SVC-STO-001');
  assert.equal((await stat(file)).size, 100);
});

test('the state keeps a receipt for its owner only, and nothing else is left', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const state = join(folder.path, 'sender');
  const { bytes } = await zone.write();
  await openReceipts(state).add(bytes, { keys: [zone.key] });
  const files = await readdir(join(state, 'receipts'));
  assert.deepEqual(files.sort(), ['receipts.lock', 'zone-b.sigstore.json']);
  const path = join(state, 'receipts', 'zone-b.sigstore.json');
  assert.deepEqual(await readFile(path), bytes);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('the sender keeps the last receipt of each zone', async () => {
  await using folder = await openTempFolder();
  const b = openZone(join(folder.path, 'b'));
  const c = openZone(join(folder.path, 'c'), 'ZONE of C / ../..');
  const keys = [b.key, c.key];
  const receipts = openReceipts(join(folder.path, 'sender'));
  assert.deepEqual(await receipts.list(), []);
  assert.equal(await receipts.latest('zone-b', keys), undefined);
  for (const zone of [b, b, c])
    assert.equal((await receipts.add((await zone.write()).bytes, { keys })).isNew, true);
  assert.deepEqual(
    (await receipts.list()).map(({ receipt: { zone, sequence } }) => [zone, sequence]),
    [
      ['ZONE of C / ../..', 1],
      ['zone-b', 2],
    ],
  );
  assert.equal((await receipts.latest('zone-b', keys))?.receipt.sequence, 2);
  assert.equal((await readdir(join(folder.path, 'sender', 'receipts'))).length, 3);
});

test('a receipt that is known is no new one, whatever surrounds its statement', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const receipts = openReceipts(join(folder.path, 'sender'));
  const { bytes } = await zone.write();
  const spaced = Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, 2));
  assert.equal((await receipts.add(bytes, { keys: [zone.key] })).isNew, true);
  for (const same of [bytes, spaced])
    assert.equal((await receipts.add(same, { keys: [zone.key] })).isNew, false);
});

test('a receipt is believed only under the key of its zone', async () => {
  await using folder = await openTempFolder();
  const b = openZone(join(folder.path, 'b'));
  const c = openZone(join(folder.path, 'c'), 'zone-c');
  const receipts = openReceipts(join(folder.path, 'sender'));
  const { bytes } = await b.write();
  const refuse = async (keys: readonly ZoneKey[], file = bytes): Promise<unknown> => {
    const error = await refusalOf(receipts.add(file, { keys, path: 'r.json' }));
    assert.equal(error.code, 'SVC-RCP-001');
    assert.equal(error.class, 'verification');
    assert.equal(error.params.path, 'r.json');
    return error.params.problem;
  };
  assert.equal(await refuse([]), 'signer');
  assert.equal(await refuse([c.key]), 'signer');
  assert.equal(await refuse([{ ...c.key, name: 'zone-b' }]), 'signer');
  assert.equal(await refuse([{ ...b.key, for: ['passport'] }]), 'kind');
  assert.equal(await refuse([{ ...b.key, name: 'zone-c' }]), 'zone');
  assert.equal(await refuse([b.key], Buffer.from('nothing')), undefined);
  assert.equal(await refuse([b.key], Buffer.alloc(receiptLimits.bytes + 1, ' ')), undefined);
  // the key of zone-c speaks of zone-b
  const forged = writeReceipt(toReceipt(), [toSubject(toZoneFile('zone-b'))], c.signer);
  assert.equal(await refuse([b.key, c.key], forged), 'zone');
  assert.deepEqual(await receipts.list(), []);
});

test('a receipt whose key is no longer configured is listed, and not used', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const receipts = openReceipts(join(folder.path, 'sender'));
  await receipts.add((await zone.write()).bytes, { keys: [zone.key] });
  const other = { ...zone.key, key: createSigner().publicKey };
  for (const keys of [[], [other], [{ ...zone.key, for: ['passport'] }], [{ ...zone.key, name: 'zone-c' }]])
    assert.equal(await receipts.latest('zone-b', keys), undefined);
  assert.equal((await receipts.list()).length, 1);
  assert.ok(await receipts.latest('zone-b', [other, zone.key]));
});

test('an earlier receipt is refused, unless it is asked for', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const receipts = openReceipts(join(folder.path, 'sender'));
  const keys = [zone.key];
  const written = [await zone.write(), await zone.write(), await zone.write()];
  const [first, second, third] = written.map(({ bytes }) => bytes) as [Buffer, Buffer, Buffer];
  await receipts.add(first, { keys });
  await receipts.add(third, { keys });
  const error = await refusalOf(receipts.add(second, { keys }));
  assert.equal(error.code, 'SVC-RCP-002');
  assert.equal(error.class, 'policy');
  assert.deepEqual(error.params, { zone: 'zone-b', sequence: 2, known: 3 });
  assert.equal((await receipts.latest('zone-b', keys))?.receipt.sequence, 3);
  assert.equal((await receipts.add(second, { keys, allowOlder: true })).isNew, true);
  assert.equal((await receipts.latest('zone-b', keys))?.receipt.sequence, 2);
  assert.equal((await receipts.add(third, { keys })).isNew, true);
});

test('two receipts of one number are refused, also where only the next one tells it, and nobody can waive it', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  await zone.write();
  await cp(join(folder.path, 'zone'), join(folder.path, 'restored'), { recursive: true });
  const again = openZone(join(folder.path, 'restored'), 'zone-b', zone.signer);
  const second = await zone.write();
  const forked = await again.write({ recipes: 1 });
  const receipts = openReceipts(join(folder.path, 'sender'));
  const keys = [zone.key];
  await receipts.add(second.bytes, { keys });
  for (const allowOlder of [false, true]) {
    const error = await refusalOf(receipts.add(forked.bytes, { keys, allowOlder }));
    assert.equal(error.code, 'SVC-RCP-003');
    assert.equal(error.class, 'verification');
    const { digest, expected, known, sequence } = error.params;
    // the next receipt of the zone has number 3, and names the forked one as its predecessor
    assert.deepEqual([digest, expected, known, sequence], [forked.digest, second.digest, 2, 3]);
  }
  const error = await refusalOf(receipts.add((await again.write()).bytes, { keys }));
  assert.equal(error.code, 'SVC-RCP-003');
  assert.deepEqual([error.params.digest, error.params.sequence], [forked.digest, 3]);
  assert.equal((await receipts.latest('zone-b', keys))?.digest, second.digest);
  // the remedy of both errors: a receipt with a higher number than they name
  assert.equal((await receipts.add((await again.write()).bytes, { keys })).isNew, true);
});

test('an earlier receipt of two of one number asks for a number that the known ones do not refuse', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const again = openZone(join(folder.path, 'restored'), 'zone-b', zone.signer);
  const receipts = openReceipts(join(folder.path, 'sender'));
  const keys = [zone.key];
  await receipts.add((await zone.write()).bytes, { keys });
  const forked = await again.write({ recipes: 1 });
  const refuse = async (bytes: Buffer): Promise<unknown[]> => {
    const { code, params } = await refusalOf(receipts.add(bytes, { keys }));
    return [code, params.sequence];
  };
  assert.deepEqual(await refuse(forked.bytes), ['SVC-RCP-003', 2]);
  for (const _ of [2, 3, 4]) await receipts.add((await zone.write()).bytes, { keys });
  assert.deepEqual(await refuse(forked.bytes), ['SVC-RCP-003', 5]);
  for (const _ of [2, 3, 4, 5]) await refuse((await again.write()).bytes);
  assert.equal((await receipts.add((await again.write()).bytes, { keys })).isNew, true);
});

test('a file in the place of a receipt is told, and not taken for its absence', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const receipts = openReceipts(join(folder.path, 'sender'));
  const keys = [zone.key];
  const { bytes } = await zone.write();
  await receipts.add(bytes, { keys });
  const files = join(folder.path, 'sender', 'receipts');
  for (const damage of [Buffer.alloc(0), bytes.subarray(0, 200), Buffer.alloc(receiptLimits.bytes + 1)]) {
    await writeFile(join(files, 'zone-b.sigstore.json'), damage);
    for (const work of [() => receipts.latest('zone-b', keys), () => receipts.list()])
      assert.equal((await refusalOf(work())).code, 'SVC-STO-001');
  }
  await writeFile(join(files, 'zone-b.sigstore.json'), bytes);
  await writeFile(join(files, 'zone-c.sigstore.json'), bytes);
  assert.equal(
    (await refusalOf(receipts.latest('zone-c', keys))).code,
    'SVC-STO-001',
    'that of another zone',
  );
});

test('the digest of a receipt is the one that its successor names', async () => {
  await using folder = await openTempFolder();
  const { write } = openZone(folder.path);
  const first = await write();
  const payload = Buffer.from(JSON.parse(first.bytes.toString()).dsseEnvelope.payload, 'base64');
  assert.equal((await write()).receipt.previous, hashBytes(payload));
});

/** A zone at hour n of a day. */
const hour = (n: number) => ({ issuedAt: `2026-03-01T${String(n).padStart(2, '0')}:00:00.000Z` });

test('after a zone lost its state, the receipts of the lost count stay refused', async () => {
  await using folder = await openTempFolder();
  const lost = openZone(join(folder.path, 'lost'));
  const anew = openZone(join(folder.path, 'anew'), 'zone-b', lost.signer);
  const keys = [lost.key];
  const receipts = openReceipts(join(folder.path, 'sender'));
  const old: Buffer[] = [];
  for (let n = 1; n <= 8; n++) old.push((await lost.write(hour(n))).bytes);
  const add = (bytes: Buffer, allowOlder = false) => receipts.add(bytes, { keys, allowOlder });
  await add(old[4]!);
  const [first, second, third] = [
    await anew.write(hour(12)),
    await anew.write(hour(13)),
    await anew.write(hour(14)),
  ];
  assert.equal((await refusalOf(add(first.bytes))).code, 'SVC-RCP-002');
  await add(first.bytes, true);
  for (const [i, bytes] of old.entries()) {
    const { code, params } = await refusalOf(add(bytes));
    assert.deepEqual([code, params.problem, params.sequence], ['SVC-RCP-005', 'closed', i + 1]);
  }
  for (const known of [first, second]) {
    await add(known.bytes);
    for (const bytes of old) assert.equal((await refusalOf(add(bytes))).code, 'SVC-RCP-005');
    const withheld = await receipts
      .requireContinued((await lost.own.last('zone-b'))!, 'base')
      .catch((e) => e);
    assert.equal(withheld.code, 'SVC-RCP-005');
  }
  assert.equal((await add(third.bytes)).isNew, true);
  assert.equal(await receipts.fork(third), undefined);
});

test('a withheld receipt of a count that the sender never saw is refused by its date', async () => {
  await using folder = await openTempFolder();
  const lost = openZone(join(folder.path, 'lost'));
  const anew = openZone(join(folder.path, 'anew'), 'zone-b', lost.signer);
  const keys = [lost.key];
  const receipts = openReceipts(join(folder.path, 'sender'));
  const old: Buffer[] = [];
  for (let n = 1; n <= 6; n++) old.push((await lost.write(hour(n))).bytes);
  await receipts.add((await anew.write(hour(12))).bytes, { keys });
  const { code, params } = await refusalOf(receipts.add(old[5]!, { keys }));
  assert.deepEqual([code, params.problem, params.sequence, params.known], ['SVC-RCP-005', undefined, 6, 1]);
  // the clock of the zone went back: the next receipt follows, and a later one does not
  assert.equal((await receipts.add((await anew.write(hour(2))).bytes, { keys })).isNew, true);
  await anew.write(hour(1));
  const skipping = (await anew.write(hour(1))).bytes;
  assert.equal((await refusalOf(receipts.add(skipping, { keys }))).code, 'SVC-RCP-005');
  assert.equal((await receipts.add(skipping, { keys, allowOlder: true })).isNew, true);
});

test('a count that was closed by mistake is opened again by its next receipt', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const keys = [zone.key];
  const receipts = openReceipts(join(folder.path, 'sender'));
  const all: Buffer[] = [];
  for (let n = 1; n <= 5; n++) all.push((await zone.write(hour(n))).bytes);
  await receipts.add(all[2]!, { keys });
  await receipts.add(all[0]!, { keys, allowOlder: true });
  assert.equal((await refusalOf(receipts.add(all[3]!, { keys }))).code, 'SVC-RCP-005');
  await receipts.add(all[3]!, { keys, allowOlder: true });
  assert.equal((await receipts.add(all[4]!, { keys })).isNew, true);
});

test('two receipts of one number are told as such also in a count that was closed and went on again', async () => {
  await using folder = await openTempFolder();
  const zone = openZone(join(folder.path, 'zone'));
  const keys = [zone.key];
  const receipts = openReceipts(join(folder.path, 'sender'));
  const first = await zone.write(hour(1));
  const second = await zone.write(hour(2));
  await cp(join(folder.path, 'zone'), join(folder.path, 'restored'), { recursive: true });
  const again = openZone(join(folder.path, 'restored'), 'zone-b', zone.signer);
  const third = await zone.write(hour(3));
  const forked = await again.write(hour(4));
  await receipts.add(second.bytes, { keys });
  await receipts.add(first.bytes, { keys, allowOlder: true });
  for (const { bytes } of [second, third]) await receipts.add(bytes, { keys });
  assert.equal((await refusalOf(receipts.add(forked.bytes, { keys }))).code, 'SVC-RCP-003');
  assert.equal((await receipts.fork(third))?.refused, forked.digest);
});
