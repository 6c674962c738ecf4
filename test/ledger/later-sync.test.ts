import assert from 'node:assert/strict';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { type Note, openTempLedger } from '../kit/instance/temp-ledger.ts';

const note = (n: number): Note => ({ op: 'note', n });
const unawaited = { awaitSync: false };

/** Counts the syncs of files from now on; fails the one that `fails` names. */
async function watchSyncs(t: TestContext, folder: string) {
  const probe = await open(join(folder, 'probe'), 'w');
  const prototype = Object.getPrototypeOf(probe) as { datasync(): Promise<void> };
  await probe.close();
  const failures: string[] = [];
  const sync = prototype.datasync;
  const { mock } = t.mock.method(prototype, 'datasync', function (this: typeof prototype) {
    const code = failures.shift();
    return code === undefined ? sync.call(this) : Promise.reject(Object.assign(new Error(code), { code }));
  });
  return { failures, count: () => mock.callCount() };
}

async function readBack(folder: string): Promise<readonly (number | undefined)[]> {
  const { ledger, told } = await openTempLedger(folder);
  assert.deepEqual([ledger.truncatedTail, ledger.damage], [undefined, undefined]);
  await ledger.close();
  return told.map(({ n }) => n);
}

test('records that nobody waits for share the sync of the next caller who waits, or the one that follows soon', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(0)]);
  const syncs = await watchSyncs(t, folder.path);
  const durable = ledger.state();
  for (let n = 1; n <= 10; n += 1) await ledger.append([note(n)], unawaited);
  assert.equal(syncs.count(), 0);
  assert.deepEqual(ledger.state(), durable);
  await ledger.append([note(11)]);
  assert.equal(syncs.count(), 1);
  assert.equal(ledger.state().sequence, durable.sequence + 11);
  await ledger.append([note(12)], unawaited);
  assert.equal(syncs.count(), 1);
  t.mock.timers.tick(50);
  await ledger.sync();
  assert.equal(syncs.count(), 2);
  assert.equal(ledger.state().length, (await readFile(ledger.path)).length);
  await ledger.append([note(13)], unawaited);
  await ledger.close();
  assert.equal(syncs.count(), 3);
  assert.deepEqual(
    await readBack(folder.path),
    Array.from({ length: 14 }, (_, n) => n),
  );
});

test('a sync that fails takes back what it would have made durable, and the caller who waits learns of it', async (t) => {
  for (const [code, goesOn] of [
    ['EDQUOT', true],
    ['EIO', false],
  ] as const) {
    await using folder = await openTempFolder();
    const { ledger } = await openTempLedger(folder.path);
    await ledger.append([note(0)]);
    await ledger.append([note(1)], unawaited);
    const before = ledger.state();
    const syncs = await watchSyncs(t, folder.path);
    syncs.failures.push(code);
    const waits = ledger.append([note(2)]);
    await assert.rejects(waits, (error) => isSvcError(error, goesOn ? 'SVC-STO-004' : 'SVC-STO-002'), code);
    assert.deepEqual(ledger.state(), before);
    if (goesOn) await ledger.append([note(3)]);
    else
      await assert.rejects(ledger.append([note(3)], unawaited), (error) => isSvcError(error, 'SVC-STO-002'));
    await ledger.close();
    t.mock.restoreAll();
    assert.deepEqual(await readBack(folder.path), goesOn ? [0, 3] : [0]);
  }
});

test('a new generation begins after records that were not synced yet', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(0)]);
  await ledger.append([note(1)], unawaited);
  await ledger.compact(() => [note(0), note(1)]);
  assert.equal(ledger.state().generation, 2);
  await ledger.append([note(2)], unawaited);
  await ledger.close();
  assert.deepEqual(await readBack(folder.path), [0, 1, 2]);
});

test('a power cut that takes a batch before its sync and leaves a later one of the same sync is no damage', async () => {
  for (const isSynced of [false, true]) {
    await using folder = await openTempFolder();
    const { ledger } = await openTempLedger(folder.path);
    await ledger.append([note(0)]);
    const from = ledger.state().length;
    await ledger.append([note(1)], unawaited);
    const to = (await readFile(ledger.path)).length;
    await ledger.append([note(2)]);
    // proves that the others were durable
    if (isSynced) await ledger.append([note(3)]);
    await ledger.close();
    const bytes = await readFile(ledger.path);
    await writeFile(ledger.path, bytes.fill(0, from, to));
    const again = await openTempLedger(folder.path);
    const { damage, truncatedTail } = again.ledger;
    if (isSynced) assert.deepEqual(damage, { path: ledger.path, offset: from });
    else {
      assert.deepEqual([damage, truncatedTail], [undefined, { offset: from, bytes: bytes.length - from }]);
      await again.ledger.append([note(4)]);
    }
    await again.ledger.close();
    if (isSynced) continue;
    assert.deepEqual(await readBack(folder.path), [0, 4]);
  }
});
