import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openTempLedger } from '../kit/instance/temp-ledger.ts';

/** Makes a ledger file of 4 GiB that takes a few KiB of room. */
async function makeHollow(root: string, generation: number, head = ''): Promise<void> {
  const name = `content-${String(generation).padStart(8, '0')}.jsonl`;
  const file = await open(join(root, 'ledger', name), 'w');
  try {
    await file.write(head);
    await file.truncate(4 * 2 ** 30);
    await file.write(Buffer.from('end'), 0, 3, 4 * 2 ** 30 - 3);
  } finally {
    await file.close();
  }
}

test('seven files of 4 GiB that were never written are passed over without being read', async () => {
  await using folder = await openTempFolder();
  const made = await openTempLedger(folder.path);
  await made.ledger.append([{ op: 'kept' }]);
  await made.ledger.close();
  for (let generation = 2; generation <= 8; generation += 1)
    await makeHollow(folder.path, generation, generation % 2 === 0 ? '' : '{"batch":2}\n');
  const before = process.cpuUsage();
  const { ledger, told } = await openTempLedger(folder.path, { writable: false });
  const { user, system } = process.cpuUsage(before);
  await ledger.close();
  assert.deepEqual(told, [{ op: 'kept' }]);
  assert.ok(user + system < 500_000, `${user + system} µs`);
});

test('the only file of a ledger is refused by name when most of it was never written', async () => {
  await using folder = await openTempFolder();
  const made = await openTempLedger(folder.path);
  await made.ledger.append([{ op: 'kept' }]);
  await made.ledger.close();
  await makeHollow(folder.path, 1);
  const before = process.cpuUsage();
  await assert.rejects(openTempLedger(folder.path), (error) => {
    assert.ok(isSvcError(error, 'SVC-STO-001'), String(error));
    assert.match(String(error.params.path), /content-00000001\.jsonl$/);
    return true;
  });
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 500_000, `${user + system} µs`);
});
