import assert from 'node:assert/strict';
import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatHeader, sealBatch } from '../../src/ledger/codec.ts';
import type { LedgerState } from '../../src/ledger/ledger.ts';
import { isSvcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { type Note, openTempLedger } from '../kit/instance/temp-ledger.ts';

const key = Buffer.alloc(32, 1);
const note = (n: number): Note => ({ op: 'note', n });
const fileOf = (root: string): string => join(root, 'ledger', 'content-00000001.jsonl');

/** A ledger of single-record batches: its bytes, and its state after each. */
async function makeLedger(root: string, count: number): Promise<{ bytes: Buffer; states: LedgerState[] }> {
  const { ledger } = await openTempLedger(root, { key });
  const states: LedgerState[] = [];
  for (let n = 0; n < count; n += 1) {
    await ledger.append([note(n)]);
    states.push(ledger.state());
  }
  await ledger.close();
  return { bytes: await readFile(fileOf(root)), states };
}

test('a ledger cut at any byte keeps every whole batch and says where the rest was dropped', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 4);
  for (let cut = states[0]!.length; cut <= bytes.length; cut += 1) {
    await writeFile(fileOf(folder.path), bytes.subarray(0, cut));
    const { ledger, told } = await openTempLedger(folder.path, { key });
    const whole = states.filter(({ length }) => length <= cut);
    assert.deepEqual(
      told,
      Array.from(whole, (_, n) => note(n)),
      `cut at ${cut}`,
    );
    const { length } = whole.at(-1)!;
    const tail = cut === length ? undefined : { offset: length, bytes: cut - length };
    assert.deepEqual(ledger.truncatedTail, tail);
    assert.equal(ledger.damage, undefined);
    assert.deepEqual(ledger.state(), whole.at(-1));
    await ledger.close();
    assert.equal((await stat(fileOf(folder.path))).size, cut, 'opening changes nothing');
  }
});

test('a torn tail of any length is gone before the next batch stands there', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 3);
  for (let cut = states[1]!.length + 1; cut < bytes.length; cut += 7) {
    await writeFile(fileOf(folder.path), bytes.subarray(0, cut));
    const torn = await openTempLedger(folder.path, { key });
    await torn.ledger.append([note(77)]);
    await torn.ledger.close();
    const again = await openTempLedger(folder.path, { key });
    assert.deepEqual(again.told, [note(0), note(1), note(77)]);
    assert.equal(again.ledger.truncatedTail, undefined);
    await again.ledger.close();
  }
});

test('what a filesystem shows behind a torn write is part of the torn write', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 3);
  const cut = states[1]!.length;
  const stale = bytes.subarray(states[0]!.length, cut);
  const tails = [
    Buffer.alloc(5000),
    Buffer.from('\n\n{"batch":'),
    Buffer.alloc(70_000, 0xff),
    // clusters of an earlier time, with a batch that was whole then
    Buffer.concat([Buffer.alloc(100), stale]),
    stale,
  ];
  for (const tail of tails) {
    await writeFile(fileOf(folder.path), Buffer.concat([bytes.subarray(0, cut), tail]));
    const { ledger, told } = await openTempLedger(folder.path, { key });
    assert.equal(ledger.damage, undefined);
    assert.equal(told.length, 2);
    assert.deepEqual(ledger.truncatedTail, { offset: cut, bytes: tail.length });
    await ledger.close();
  }
});

test('any byte that flips before a whole batch is damage: nothing is added, and the offset is named', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 4);
  for (let at = states[0]!.length; at < states[2]!.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 0x01;
    await writeFile(fileOf(folder.path), flipped);
    const { ledger, told } = await openTempLedger(folder.path, { key });
    const hit = at < states[1]!.length ? 0 : 1;
    const expected = { path: fileOf(folder.path), offset: states[hit]!.length };
    // the checksum does not cover the seal itself. A flip there leaves the batch whole and the next one without its
    // predecessor, or makes it foreign
    const line = bytes.toString('latin1', expected.offset);
    const seal = expected.offset + line.indexOf('"hmac":"') + 8;
    if (at >= seal && at < seal + 32 && ledger.damage?.offset !== expected.offset) {
      assert.ok(ledger.authors.foreign === 1 || ledger.damage);
    } else {
      assert.deepEqual(ledger.damage, expected, `byte ${at}`);
      assert.equal(told.length, hit + 1);
    }
    await assert.rejects(ledger.append([note(9)]), (error) => isSvcError(error));
    await assert.rejects(
      ledger.compact(() => []),
      (error) => isSvcError(error),
    );
    await ledger.close();
    assert.deepEqual(await readFile(fileOf(folder.path)), flipped, 'a damaged ledger is left as it is');
  }
});

test('any byte that flips in the committed beginning is damage too, never an empty ledger', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 3);
  for (let at = 0; at < states[0]!.length; at += 1) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 0x01;
    await writeFile(fileOf(folder.path), flipped);
    const { ledger } = await openTempLedger(folder.path, { key });
    assert.ok(ledger.damage || ledger.authors.foreign > 0, `byte ${at}`);
    assert.equal(ledger.state().generation, 1);
    await ledger.close();
  }
});

test('a batch taken out, doubled or moved is found', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 4);
  const part = (n: number): Buffer => bytes.subarray(states[n - 1]!.length, states[n]!.length);
  const start = bytes.subarray(0, states[0]!.length);
  const arrangements: [Buffer[], number][] = [
    [[part(2), part(3)], 0],
    [[part(1), part(3)], 1],
    [[part(2), part(1), part(3)], 0],
    [[part(1), part(1), part(2)], 1],
  ];
  for (const [parts, whole] of arrangements) {
    await writeFile(fileOf(folder.path), Buffer.concat([start, ...parts]));
    const { ledger, told } = await openTempLedger(folder.path, { key });
    assert.equal(ledger.damage?.offset, states[whole]!.length);
    assert.equal(told.length, whole + 1);
    // records behind the damage were not read: a repair from this would forget them
    await assert.rejects(
      ledger.compact(() => told, { repair: true }),
      (error) => isSvcError(error, 'SVC-STO-002'),
    );
    await ledger.close();
  }
});

test('a repair keeps every batch that verifies, names what is lost, and leaves a sound ledger', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 6);
  bytes[states[1]!.length + 20]! ^= 0x01;
  bytes[states[3]!.length + 20]! ^= 0x01;
  await writeFile(fileOf(folder.path), bytes);
  const { ledger, told } = await openTempLedger(folder.path, { key, salvage: true });
  assert.deepEqual(told, [note(0), note(1), note(3), note(5)]);
  assert.deepEqual(ledger.lost, [
    { offset: states[1]!.length, bytes: states[2]!.length - states[1]!.length },
    { offset: states[3]!.length, bytes: states[4]!.length - states[3]!.length },
  ]);
  await ledger.compact(() => told, { repair: true });
  await ledger.append([note(10)]);
  assert.ok(ledger.state().sequence > states[5]!.sequence);
  await ledger.close();
  const sound = await openTempLedger(folder.path, { key });
  assert.deepEqual(sound.told, [note(0), note(1), note(3), note(5), note(10)]);
  assert.equal(sound.ledger.damage, undefined);
  assert.deepEqual(sound.ledger.authors.foreign, 0);
  await sound.ledger.close();
});

test('a repair of a damaged beginning keeps what comes behind', async () => {
  await using folder = await openTempFolder();
  const { bytes, states } = await makeLedger(folder.path, 3);
  for (const at of [5, 120, states[0]!.length - 30]) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 0x01;
    await writeFile(fileOf(folder.path), flipped);
    const { ledger, told } = await openTempLedger(folder.path, { key, salvage: true });
    assert.deepEqual(told.slice(-2), [note(1), note(2)], `byte ${at}`);
    assert.ok(ledger.damage);
    await ledger.close();
  }
});

test('forged headers that promise much are cheap to refuse', async () => {
  await using folder = await openTempFolder();
  const { bytes } = await makeLedger(folder.path, 2);
  const size = 3_000_000;
  const hex = 'a'.repeat(64);
  const seal = `"after":"${hex.slice(32)}","sha256":"${hex}"}\n`;
  const forged = `{"batch":9,"generation":1,"bytes":${size},"records":1,${seal}`.repeat(20_000);
  await writeFile(
    fileOf(folder.path),
    Buffer.concat([bytes, Buffer.from('x'), Buffer.from(forged), Buffer.alloc(size)]),
  );
  const { ledger, told } = await openTempLedger(folder.path, { key });
  assert.equal(ledger.damage?.offset, bytes.length);
  assert.equal(told.length, 2);
  await ledger.close();
});

test('a first write that was cut short at any byte leaves an empty ledger that can be begun again', async () => {
  await using folder = await openTempFolder();
  const { bytes } = await makeLedger(folder.path, 1);
  const commit = bytes.indexOf('{"commit"');
  await using next = await openTempFolder();
  await mkdir(join(next.path, 'ledger'));
  for (let cut = 0; cut <= commit; cut += 1) {
    await writeFile(fileOf(next.path), bytes.subarray(0, cut));
    const { ledger, told } = await openTempLedger(next.path, { key });
    assert.deepEqual([told.length, ledger.state().generation, ledger.damage], [0, 0, undefined]);
    if (cut % 50 === 0) {
      await ledger.append([note(1)]);
      assert.equal(ledger.state().generation, 1);
    }
    await ledger.close();
  }
});

test('a ledger larger than any store needs is refused unread', async () => {
  await using folder = await openTempFolder();
  await makeLedger(folder.path, 1);
  await truncate(fileOf(folder.path), 5 * 2 ** 30);
  await assert.rejects(openTempLedger(folder.path, { key }), (error) => isSvcError(error, 'SVC-STO-001'));
});

test('records that are read without JSON are applied in their order, and none of a batch that does not count', async () => {
  await using folder = await openTempFolder();
  const { bytes } = await makeLedger(folder.path, 6);
  const read = async (count: number): Promise<readonly string[]> => {
    await writeFile(fileOf(folder.path), bytes.subarray(0, count));
    const told: string[] = [];
    let kept: string[] = [];
    const { ledger } = await openTempLedger(folder.path, {
      key,
      onRecord: ({ n }) => told.push(`json ${n}`),
      plain: {
        keep: (line, start, end) => {
          const text = line.toString('utf8', start, end);
          const isPlain = Number(JSON.parse(text).n) % 2 === 0;
          if (isPlain) kept.push(text);
          return isPlain;
        },
        apply: () => told.push(`plain ${JSON.parse(kept.shift()!).n}`),
        clear: () => {
          kept = [];
        },
      },
    });
    await ledger.close();
    return told;
  };
  const all = ['plain 0', 'json 1', 'plain 2', 'json 3', 'plain 4', 'json 5'];
  assert.deepEqual(await read(bytes.length), all);
  assert.deepEqual(await read(bytes.length - 1), all.slice(0, 5));
});

test('a batch of which one line is no JSON is damage, and nothing of it is applied', async () => {
  await using folder = await openTempFolder();
  const { ledger } = await openTempLedger(folder.path);
  await ledger.append([note(0)]);
  const { length, sequence, generation } = ledger.state();
  await ledger.close();
  const whole = await readFile(fileOf(folder.path));
  const payload = Buffer.from(`${JSON.stringify(note(2))}\nnot json\n`);
  const last = whole.subarray(0, length).toString().trimEnd().split('\n').at(-1)!;
  const after = JSON.parse(last).sha256.slice(0, 32);
  const place = { sequence: sequence + 1, generation, records: 2, after };
  const header = formatHeader(sealBatch('content', place, payload, undefined));
  await writeFile(fileOf(folder.path), Buffer.concat([whole, Buffer.from(header), payload]));
  let applied = 0;
  const opened = await openTempLedger(folder.path, {
    plain: {
      keep: (line, start, end) => line.toString('utf8', start, end).includes('"n":2'),
      apply: () => {
        applied += 1;
      },
      clear: () => {},
    },
  });
  assert.equal(applied, 0);
  assert.deepEqual(opened.told, [note(0)]);
  assert.notEqual(opened.ledger.damage, undefined);
  await opened.ledger.close();
});
