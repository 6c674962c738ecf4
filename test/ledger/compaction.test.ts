import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSvcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { type Note, openTempLedger } from '../kit/instance/temp-ledger.ts';

const key = Buffer.alloc(32, 1);
const note = (n: number): Note => ({ op: 'note', n });
const nameOf = (generation: number): string => `content-0000000${generation}.jsonl`;
const fileOf = (root: string, generation: number): string => join(root, 'ledger', nameOf(generation));
const filesOf = (root: string): Promise<string[]> => readdir(join(root, 'ledger'));

test('a new generation holds the live records, continues the sequence and replaces the old file', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  for (let n = 0; n < 4; n += 1) await ledger.append([note(n)]);
  const old = ledger.state();
  await ledger.compact(() => [note(2), note(3)]);
  assert.deepEqual(await filesOf(folder.path), [nameOf(2)]);
  assert.equal(ledger.state().generation, 2);
  assert.equal(ledger.state().sequence, old.sequence + 1);
  assert.equal(ledger.records, 2);
  await ledger.append([note(5)]);
  await ledger.close();
  const [opening] = (await readFile(fileOf(folder.path, 2), 'utf8')).split('\n', 1);
  assert.deepEqual(JSON.parse(opening!).predecessor, old);
  const again = await openTempLedger(folder.path, { key, remembered: () => old });
  assert.deepEqual(again.told, [note(2), note(3), note(5)]);
  assert.equal(again.ledger.prefix, 'superseded');
  assert.deepEqual(again.ledger.authors, { verified: 2, unkeyed: 0, foreign: 0 });
  await again.ledger.close();
});

test('a snapshot of many records is cut into batches and read back whole', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(0)]);
  const many = Array.from({ length: 20_000 }, (_, n) => ({ op: 'x'.repeat(100), n }));
  await ledger.compact(() => many);
  await ledger.close();
  const again = await openTempLedger(folder.path, { key });
  assert.equal(again.told.length, many.length);
  assert.deepEqual(again.told.at(-1), many.at(-1));
  assert.ok(again.ledger.state().sequence > 5);
  await again.ledger.close();
});

test('appends made during a compaction wait for it and follow the snapshot', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(0)]);
  let live: Note[] = [note(0)];
  const early = ledger.append([note(1)]).then(() => {
    live = [...live, note(1)];
  });
  await nextTurn();
  const compaction = ledger.compact(() => live);
  const late = [ledger.append([note(2)]), ledger.append([note(3)])];
  await Promise.all([early, compaction, ...late]);
  await ledger.close();
  const again = await openTempLedger(folder.path, { key });
  assert.deepEqual(
    again.told.map(({ n }) => n),
    [0, 1, 2, 3],
  );
  await again.ledger.close();
});

test('a compaction that was cut short at any byte does not count, and is removed before the next append', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  for (let n = 0; n < 3; n += 1) await ledger.append([note(n)]);
  await ledger.close();
  const old = await readFile(fileOf(folder.path, 1));
  const compacting = await openTempLedger(folder.path, { key });
  await compacting.ledger.compact(() => [note(1)]);
  const state = compacting.ledger.state();
  await compacting.ledger.close();
  const fresh = await readFile(fileOf(folder.path, 2));
  await using next = await openTempFolder();
  await mkdir(join(next.path, 'ledger'));
  for (let cut = 0; cut < fresh.length; cut += 1) {
    await writeFile(fileOf(next.path, 1), old);
    await writeFile(fileOf(next.path, 2), fresh.subarray(0, cut));
    const { ledger, told } = await openTempLedger(next.path, { key });
    assert.deepEqual(told, [note(0), note(1), note(2)], `cut at ${cut}`);
    assert.equal(ledger.damage, undefined);
    assert.deepEqual((await filesOf(next.path)).length, 2, 'opening changes nothing');
    if (cut % 40 === 0) {
      await ledger.append([note(3)]);
      assert.deepEqual(await filesOf(next.path), [nameOf(1)]);
    }
    await ledger.close();
  }
  // complete, and the old one not yet removed
  await writeFile(fileOf(next.path, 1), old);
  await writeFile(fileOf(next.path, 2), fresh);
  const complete = await openTempLedger(next.path, { key });
  assert.deepEqual(complete.told, [note(1)]);
  assert.deepEqual(complete.ledger.state(), state);
  await complete.ledger.append([note(4)]);
  assert.deepEqual(await filesOf(next.path), [nameOf(2)]);
  await complete.ledger.close();
});

test('a later generation without its commit and without its predecessor is damage, not an empty ledger', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(1)]);
  await ledger.compact(() => [note(1), note(2)]);
  await ledger.close();
  const whole = await readFile(fileOf(folder.path, 2));
  await writeFile(fileOf(folder.path, 2), whole.subarray(0, whole.indexOf('{"commit"')));
  const cut = await openTempLedger(folder.path, { key });
  assert.ok(cut.ledger.damage);
  await assert.rejects(cut.ledger.append([note(3)]), (error) => isSvcError(error, 'SVC-STO-002'));
  await cut.ledger.close();
});

test('adoption puts everything under the new key, and the old key opens it as foreign', async () => {
  await using folder = await openTempFolder();
  const theirs = await openTempLedger(folder.path, { key: Buffer.alloc(32, 9) });
  await theirs.ledger.append([note(1)]);
  await theirs.ledger.close();
  const { ledger, told } = await openTempLedger(folder.path, { key });
  await ledger.compact(() => told, { key });
  await ledger.append([note(2)]);
  await ledger.close();
  const ours = await openTempLedger(folder.path, { key });
  assert.deepEqual(ours.ledger.authors, { verified: 2, unkeyed: 0, foreign: 0 });
  assert.deepEqual(ours.told, [note(1), note(2)]);
  await ours.ledger.close();
  const unkeyed = await openTempLedger(folder.path);
  await unkeyed.ledger.compact(() => unkeyed.told, { key: undefined });
  assert.equal(unkeyed.ledger.keyed, false);
  await unkeyed.ledger.close();
});

test('a snapshot that throws changes nothing, and the ledger goes on', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path, { key });
  await ledger.append([note(1)]);
  const broken = function* (): Generator<Note> {
    yield note(1);
    throw new Error('broken');
  };
  await assert.rejects(ledger.compact(broken));
  assert.deepEqual(await filesOf(folder.path), [nameOf(1)]);
  await ledger.append([note(2)]);
  await ledger.close();
  const again = await openTempLedger(folder.path, { key });
  assert.deepEqual(again.told, [note(1), note(2)]);
  await again.ledger.close();
});

test('more generations than any run leaves are refused unread', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'ledger'));
  for (let n = 1; n <= 9; n += 1) await writeFile(fileOf(folder.path, n), '');
  await assert.rejects(openTempLedger(folder.path), (error) => isSvcError(error, 'SVC-STO-001'));
});

test('compaction is worth it when dead records or small batches outweigh the live ones', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append(Array.from({ length: 10_000 }, (_, n) => note(n)));
  assert.equal(ledger.shouldCompact(10_000), false);
  assert.equal(ledger.shouldCompact(100), true);
  await ledger.compact(() => [note(1)]);
  assert.equal(ledger.shouldCompact(1), false);
  await ledger.close();
});

test('a writer killed at any moment loses nothing that it was told is durable', async () => {
  await using folder = await openTempFolder();
  const program = `
    const { openTempLedger } = await import(${JSON.stringify(join(import.meta.dirname, '../kit/instance/temp-ledger.ts'))});
    const { ledger, told } = await openTempLedger(${JSON.stringify(folder.path)}, { key: Buffer.alloc(32, 1) });
    if (ledger.damage) process.exit(9);
    const live = [...told];
    for (let n = live.length; ; n += 1) {
      await ledger.append([{ op: 'note', n }]);
      live.push({ op: 'note', n });
      process.stdout.write(n + '\\n');
      if (n % 5 === 4) await ledger.compact(() => live);
    }`;
  let known = 0;
  for (let round = 0; round < 6; round += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    let output = '';
    let lines = 0;
    for await (const chunk of child.stdout) {
      output += chunk;
      lines = output.split('\n').length;
      if (lines > 6 + round * 3) child.kill('SIGKILL');
    }
    const [code, signal] = await exited;
    assert.deepEqual([code, signal], [null, 'SIGKILL']);
    const acknowledged = Number(output.split('\n').at(-2)) + 1;
    const { ledger, told } = await openTempLedger(folder.path, { key });
    assert.deepEqual(
      told,
      Array.from(told, (_, n) => note(n)),
      'in order and without a gap',
    );
    assert.ok(told.length >= acknowledged && told.length >= known);
    assert.deepEqual([ledger.damage, ledger.authors.foreign], [undefined, 0]);
    known = told.length;
    await ledger.close();
  }
  assert.ok(known > 30);
});
