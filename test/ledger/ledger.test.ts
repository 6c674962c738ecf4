import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAtOnce } from '../../src/base/pacer.ts';
import { isSvcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { type Note, openTempLedger } from '../kit/instance/temp-ledger.ts';

const key = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(32, 2);
const fileOf = (root: string, generation = 1): string =>
  join(root, 'ledger', `content-0000000${generation}.jsonl`);
const note = (n: number): Note => ({ op: 'note', n });
const batchesOf = (text: string): number => text.match(/^\{"batch":/gm)?.length ?? 0;

test('opening makes nothing; the first append makes the ledger', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  assert.deepEqual(await readdir(folder.path), []);
  assert.deepEqual([ledger.state().generation, ledger.state().sequence, ledger.keyed], [0, 0, false]);
  await ledger.append([note(1)]);
  assert.deepEqual(await readdir(join(folder.path, 'ledger')), ['content-00000001.jsonl']);
  await ledger.close();
});

test('what was appended is told again in order, and the state is that of the file', async () => {
  await using folder = await openTempFolder();
  const first = await openTempLedger(folder.path, { key });
  for (let n = 0; n < 5; n += 1) await first.ledger.append([note(n), note(n + 100)]);
  const state = first.ledger.state();
  await first.ledger.close();
  const second = await openTempLedger(folder.path, { key });
  assert.deepEqual(
    second.told.map(({ n }) => n),
    [0, 100, 1, 101, 2, 102, 3, 103, 4, 104],
  );
  const bytes = await readFile(fileOf(folder.path));
  assert.deepEqual(second.ledger.state(), state);
  assert.equal(state.length, bytes.length);
  assert.equal(state.sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.deepEqual(second.ledger.authors, { verified: 5, unkeyed: 0, foreign: 0 });
  assert.equal(second.ledger.records, 10);
  await second.ledger.append([note(9)]);
  assert.equal(second.ledger.state().sequence, state.sequence + 1);
  await second.ledger.close();
});

test('calls of one moment share one batch, each whole', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(0)]);
  const before = ledger.head;
  await Promise.all(Array.from({ length: 50 }, (_, n) => ledger.append([note(n)])));
  assert.equal(ledger.state().sequence, 2);
  assert.equal(ledger.records, 51);
  assert.notEqual(ledger.head, before);
  await ledger.close();
  assert.equal(batchesOf(await readFile(fileOf(folder.path), 'utf8')), 2);
});

test('a batch that was prepared in steps is appended as it is, and one with a record that cannot be read is refused', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  const records = Array.from({ length: 50 }, (_, n) => ({ op: 'many', n }));
  await ledger.append(runAtOnce(ledger.prepare(records)));
  await ledger.append(runAtOnce(ledger.prepare([])));
  assert.throws(
    () => runAtOnce(ledger.prepare([{ n: 1 } as never])),
    (error) => isSvcError(error, 'SVC-STO-002'),
  );
  await ledger.close();
  const again = await openTempLedger(folder.path);
  assert.deepEqual(again.told, records);
  await again.ledger.close();
});

test('an empty append writes nothing', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([]);
  assert.deepEqual(await readdir(folder.path), []);
  await ledger.close();
});

test('records that are not known are counted, not told', async () => {
  await using folder = await openTempFolder();
  // a later version knows more
  const { ledger } = await openTempLedger(folder.path, { parse: (value) => value as Note });
  await ledger.append([note(1), { strange: true } as never, note(2)]);
  await ledger.close();
  const again = await openTempLedger(folder.path);
  assert.deepEqual(again.told, [note(1), note(2)]);
  assert.equal(again.ledger.unreadable, 1);
  await again.ledger.close();
});

test('a ledger that may only be read, or is closed, takes nothing', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { writable: false });
  const refused = (error: unknown): boolean => isSvcError(error, 'SVC-STO-002');
  await assert.rejects(ledger.append([note(1)]), refused);
  await assert.rejects(
    ledger.compact(() => []),
    refused,
  );
  const other = await openTempLedger(folder.path);
  await other.ledger.close();
  await assert.rejects(other.ledger.append([note(1)]), refused);
  await assert.rejects(
    other.ledger.compact(() => []),
    refused,
  );
  assert.deepEqual(await readdir(folder.path), []);
});

test('batches under another key or under none are told apart, and nothing is added to them', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(1)]);
  await ledger.append([note(2)]);
  await ledger.close();
  for (const mine of [otherKey, undefined]) {
    const visit = await openTempLedger(folder.path, { key: mine });
    assert.deepEqual(visit.ledger.authors, { verified: 0, unkeyed: 0, foreign: 2 });
    assert.equal(visit.told.length, 2);
    assert.equal(visit.ledger.keyed, true);
    await assert.rejects(visit.ledger.append([note(3)]), (error) => isSvcError(error, 'SVC-CFG-001'));
    await assert.rejects(
      visit.ledger.compact(() => []),
      (error) => isSvcError(error, 'SVC-CFG-001'),
    );
    await visit.ledger.close();
  }
});

test('an unkeyed ledger goes on unkeyed, and is not continued under a key', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(1)]);
  await ledger.close();
  const keyed = await openTempLedger(folder.path, { key });
  assert.deepEqual(keyed.ledger.authors, { verified: 0, unkeyed: 1, foreign: 0 });
  await assert.rejects(keyed.ledger.append([note(2)]), (error) => isSvcError(error, 'SVC-CFG-001'));
  await keyed.ledger.close();
  const unkeyed = await openTempLedger(folder.path);
  await unkeyed.ledger.append([note(2)]);
  await unkeyed.ledger.close();
});

test('one altered record under a right checksum is foreign: only the key vouches for it', async () => {
  await using folder = await openTempFolder();
  const forged = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(1)]);
  const { length } = ledger.state();
  await ledger.append([note(2)]);
  await ledger.close();
  // the forger continues the same beginning without knowing the key
  const bytes = (await readFile(fileOf(folder.path))).subarray(0, length);
  await mkdir(join(forged.path, 'ledger'));
  await writeFile(fileOf(forged.path), bytes);
  const whole = await openTempLedger(forged.path, { key });
  await whole.ledger.append([note(666)]);
  await whole.ledger.close();
  const genuine = await readFile(fileOf(forged.path), 'utf8');
  const unsigned = genuine.replace(/(\{"batch":2.*"hmac":")[0-9a-f]{32}/, `$1${'0'.repeat(32)}`);
  await writeFile(fileOf(forged.path), unsigned);
  const visit = await openTempLedger(forged.path, { key });
  assert.deepEqual(visit.ledger.authors, { verified: 1, unkeyed: 0, foreign: 1 });
  await visit.ledger.close();
  await forged[Symbol.asyncDispose]();
});

test('a batch of another ledger under the same key cannot be brought in', async () => {
  await using folder = await openTempFolder();
  await using donor = await openTempFolder();
  const write = async (root: string, first: number): Promise<number> => {
    const { ledger } = await openTempLedger(root, { key });
    await ledger.append([note(first)]);
    const { length } = ledger.state();
    await ledger.append([note(first + 1)]);
    await ledger.close();
    return length;
  };
  const end = await write(folder.path, 1);
  const donorEnd = await write(donor.path, 50);
  const own = (await readFile(fileOf(folder.path))).subarray(0, end);
  const brought = (await readFile(fileOf(donor.path))).subarray(donorEnd);
  await writeFile(fileOf(folder.path), Buffer.concat([own, brought]));
  const visit = await openTempLedger(folder.path, { key });
  assert.deepEqual(visit.told, [note(1)]);
  assert.equal(visit.ledger.damage?.offset, end);
  await visit.ledger.close();
});

test('the remembered prefix is found, and batches after it are verified by themselves', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(1)]);
  await ledger.append([note(2)]);
  const remembered = ledger.state();
  await ledger.append([note(3)]);
  await ledger.close();
  const asked: Note[] = [];
  const ask = (first: Note): typeof remembered => {
    asked.push(first);
    return remembered;
  };
  const again = await openTempLedger(folder.path, { key, remembered: ask });
  assert.deepEqual(asked, [note(1)]);
  assert.equal(again.ledger.prefix, 'matches');
  assert.deepEqual(again.ledger.authors, { verified: 3, unkeyed: 0, foreign: 0 });
  assert.deepEqual(again.told, [note(1), note(2), note(3)]);
  await again.ledger.close();
  const foreign = await openTempLedger(folder.path, { key: otherKey, remembered: ask });
  assert.deepEqual(foreign.ledger.authors, { verified: 2, unkeyed: 0, foreign: 1 });
  await foreign.ledger.close();
});

test('a prefix that was cut, altered or rolled back is not the remembered one', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(1)]);
  const early = ledger.state();
  await ledger.append([note(2)]);
  const late = ledger.state();
  await ledger.close();
  const whole = await readFile(fileOf(folder.path));
  const judge = async (state = late): Promise<string> => {
    const visit = await openTempLedger(folder.path, { key, remembered: () => state });
    await visit.ledger.close();
    return visit.ledger.prefix;
  };
  assert.equal(await judge(), 'matches');
  assert.equal(await judge({ ...late, sha256: early.sha256 }), 'differs');
  assert.equal(await judge({ ...late, generation: 2 }), 'differs');
  await writeFile(fileOf(folder.path), whole.subarray(0, early.length));
  assert.equal(await judge(), 'differs');
  assert.equal(await judge(early), 'matches');
});

test('a file that changed since it was read is not written', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(1)]);
  await ledger.close();
  const stale = await openTempLedger(folder.path);
  const writer = await openTempLedger(folder.path);
  await writer.ledger.append([note(2)]);
  await writer.ledger.close();
  await assert.rejects(stale.ledger.append([note(3)]), (error) => isSvcError(error, 'SVC-STO-007'));
  await stale.ledger.close();
  const again = await openTempLedger(folder.path);
  assert.deepEqual(again.told, [note(1), note(2)]);
  await again.ledger.close();
});

test('a ledger that is a link, a pipe or has a second name is not opened or not written', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(1)]);
  await ledger.close();
  const spare = join(folder.path, 'spare');
  await copyFile(fileOf(folder.path), spare);
  const unreadable = (error: unknown): boolean => isSvcError(error, 'SVC-STO-001');
  await rm(fileOf(folder.path));
  await symlink(spare, fileOf(folder.path));
  await assert.rejects(openTempLedger(folder.path), unreadable);
  await rm(fileOf(folder.path));
  execFileSync('mkfifo', [fileOf(folder.path)]);
  await assert.rejects(openTempLedger(folder.path), unreadable);
  await rm(fileOf(folder.path));
  await link(spare, fileOf(folder.path));
  const twin = await openTempLedger(folder.path);
  await assert.rejects(twin.ledger.append([note(2)]), unreadable);
  await twin.ledger.close();
  await rm(join(folder.path, 'ledger'), { recursive: true });
  await symlink('.', join(folder.path, 'ledger'));
  await assert.rejects(openTempLedger(folder.path), unreadable);
});

test('a disk that takes no more fails the append only, and the ledger goes on from the last whole batch', async () => {
  await using folder = await openTempFolder();
  const program = `
    const { openTempLedger } = await import(${JSON.stringify(join(import.meta.dirname, '../kit/instance/temp-ledger.ts'))});
    const { ledger } = await openTempLedger(${JSON.stringify(folder.path)});
    await ledger.append([{ op: 'first' }]);
    const before = ledger.head;
    const outcome = await ledger.append([{ op: 'x'.repeat(100_000) }]).catch((error) => error.code);
    const compaction = await ledger.compact(() => [{ op: 'y'.repeat(100_000) }]).catch((error) => error.code);
    const unchanged = ledger.head === before;
    await ledger.append([{ op: 'second' }]);
    await ledger.close();
    console.log(JSON.stringify([outcome, compaction, unchanged]));`;
  // a limit on the size of files stands for a full disk
  const script = 'ulimit -f 16; exec "$0" --input-type=module -e "$1"';
  const output = execFileSync('bash', ['-c', script, process.execPath, program], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(output), ['SVC-STO-005', 'SVC-STO-005', true]);
  const { ledger, told } = await openTempLedger(folder.path);
  assert.deepEqual(
    told.map(({ op }) => op),
    ['first', 'second'],
  );
  assert.deepEqual(await readdir(join(folder.path, 'ledger')), ['content-00000001.jsonl']);
  await ledger.close();
});

test('a record that could not be read back is never appended, and never becomes part of a new generation', async () => {
  await using folder = await openTempFolder();
  const parse = (value: unknown): Note | undefined =>
    (value as Note).op === 'note' && (value as Note).n! >= 0 ? (value as Note) : undefined;
  const { ledger } = await openTempLedger(folder.path, { key, parse });
  await ledger.append([note(1)]);
  const before = await readFile(fileOf(folder.path), 'utf8');
  const isRefused = (error: unknown) =>
    isSvcError(error, 'SVC-STO-002') && /note/.test(`${error.params.detail}`);
  await assert.rejects(ledger.append([note(2), note(-1)]), isRefused);
  await assert.rejects(
    ledger.compact(() => [note(1), note(-1)]),
    isRefused,
  );
  assert.equal(await readFile(fileOf(folder.path), 'utf8'), before);
  await ledger.append([note(3)]);
  await ledger.close();
  const { ledger: again, told } = await openTempLedger(folder.path, { key, parse });
  assert.deepEqual([told, again.unreadable], [[note(1), note(3)], 0]);
  await again.close();
});

test('a caller that does not await the sync finds its records in the file, before those of later callers', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(0)]);
  await ledger.append([note(1)], { awaitSync: false });
  // as after a kill of the process: the file is all that is left
  const killed = await openTempFolder();
  await mkdir(join(killed.path, 'ledger'));
  await copyFile(fileOf(folder.path), fileOf(killed.path));
  await Promise.all([ledger.append([note(2)], { awaitSync: false }), ledger.append([note(3)])]);
  await ledger.close();
  for (const [place, expected] of [
    [killed, [0, 1]],
    [folder, [0, 1, 2, 3]],
  ] as const) {
    const { ledger: again, told } = await openTempLedger(place.path, { key });
    assert.deepEqual(
      told.map(({ n }) => n),
      expected,
    );
    assert.equal(again.truncatedTail, undefined);
    assert.equal(again.damage, undefined);
    await again.close();
  }
  await killed[Symbol.asyncDispose]();
});
