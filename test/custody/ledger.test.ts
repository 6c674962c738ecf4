import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { CustodyLine } from '../../src/contract/custody.ts';
import { checkLedger, listLedgerFiles } from '../../src/custody/check-ledger.ts';
import { noCustody, openCustody } from '../../src/custody/custody.ts';
import { beginning, readLine, writeLine } from '../../src/custody/line.ts';
import type { CustodyEntry } from '../../src/custody/model.ts';
import { readRefused } from '../../src/custody/refused.ts';
import { toLines } from '../../src/custody/to-lines.ts';
import { openCustody as openConfigured } from '../../src/operation/custody/open-custody.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { startLockHolder } from '../kit/instance/lock-holder.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const entry = (text: string): CustodyEntry => ({
  type: 'handed-over',
  actor: 'ana',
  subjects: [{ name: 'media.jsonl', digest: hashBytes(text) }],
  details: { text },
});

async function openFixture(at = '2026-03-01T12:00:00.000Z') {
  const folder = await openTempFolder();
  let now = Date.parse(at);
  const custody = openCustody({ stateRoot: folder.path, site: 'zone-a', clock: { wall: () => now } });
  const kept = join(folder.path, 'custody');
  return {
    ...custody,
    root: folder.path,
    kept,
    path: join(kept, `${at.slice(0, 4)}.jsonl`),
    set: (time: string) => {
      now = Date.parse(time);
    },
    read: () => readChain(kept),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function readChain(folder: string) {
  const lines: CustodyLine[] = [];
  const check = await checkLedger(await listLedgerFiles(folder), { visit: (line) => lines.push(line) });
  return { ...check, all: lines };
}

test('lines name the line before them, as sha256sum computes it, and are for their owner only', async () => {
  await using ledger = await openFixture();
  await ledger.record(entry('one \u202e \n'));
  const head = await ledger.record(entry('two'));
  const bytes = await readFile(ledger.path);
  const second = bytes.indexOf(10) + 1;
  assert.deepEqual(head, { seq: 2, digest: hashBytes(bytes.subarray(second)) });
  const { all, broken } = await ledger.read();
  assert.equal(broken, undefined);
  assert.deepEqual(
    all.map(({ seq, prev, site, type, step, details }) => [seq, prev, site, type, step, details.text]),
    [
      [1, hashBytes(''), 'zone-a', 'handed-over', 'event', 'one \u202e \n'],
      [2, hashBytes(bytes.subarray(0, second)), 'zone-a', 'handed-over', 'event', 'two'],
    ],
  );
  assert.match(bytes.toString('latin1'), /one \\u202e \\n/);
  assert.equal((await stat(ledger.path)).mode & 0o777, 0o600);
});

test('a changed byte is found, in every line and at every place', async () => {
  await using ledger = await openFixture();
  await ledger.during(
    { type: 'imported', actor: 'ana', details: { zone: 'b', isNew: true, parts: 2, blocks: ['a', 'b'] } },
    async () => 1,
  );
  await ledger.record(entry('last'));
  const bytes = await readFile(ledger.path);
  const copy = join(ledger.root, 'copy.jsonl');
  const missed: number[] = [];
  for (let i = 0; i < bytes.length; i += 1)
    // each of the bits in turn, and the byte that separates lines
    for (const changed of [bytes[i]! ^ (1 << (i % 8)), 10]) {
      if (changed === bytes[i]) continue;
      const spoiled = Buffer.from(bytes);
      spoiled[i] = changed;
      await writeFile(copy, spoiled);
      const { broken } = await checkLedger([copy]);
      const line = bytes.subarray(0, i).filter((byte) => byte === 10).length + 1;
      if (broken?.line !== line) missed.push(i);
    }
  assert.deepEqual(missed, []);
});

test('a line that is removed, doubled, moved or added is named', async () => {
  await using ledger = await openFixture();
  for (const text of ['one', 'two', 'three']) await ledger.record(entry(text));
  const [one, two, three] = (await readFile(ledger.path, 'utf8')).split(/(?<=\n)/) as [
    string,
    string,
    string,
  ];
  const copy = join(ledger.root, 'copy.jsonl');
  const judge = async (...lines: string[]) => {
    await writeFile(copy, lines.join(''));
    const { broken, lines: number } = await checkLedger([copy]);
    return [broken?.line, String(broken?.rule), number];
  };
  assert.deepEqual(await judge(two, three), [1, 'it has number 2 in place of 1', 0]);
  assert.deepEqual(await judge(one, three), [2, 'it has number 3 in place of 2', 1]);
  assert.deepEqual(await judge(one, one), [2, 'it has number 1 in place of 2', 1]);
  assert.deepEqual(await judge(one, two, two.replace('two', 'new')), [
    3,
    'its bytes do not have the sum that it states',
    2,
  ]);
  assert.deepEqual(await judge(one, ' \n'), [2, 'not JSON', 1]);
  assert.deepEqual(await judge(one, `{"seq":1,${two.slice(1)}`), [
    2,
    'its bytes do not have the sum that it states',
    1,
  ]);
  assert.deepEqual(await judge(one, `${'x'.repeat(65_536)}\n`), [2, 'longer than 64 KiB', 1]);
  assert.deepEqual(await judge(one, 'x'.repeat(1 << 20)), [2, 'longer than 64 KiB', 1]);
});

test('an operation that does not end leaves an intent; a refusal and a failure have an outcome', async () => {
  await using ledger = await openFixture();
  const attempt: CustodyEntry = { type: 'written', actor: 'ana', details: { delivery: 'dlv_1' } };
  await ledger.begin(attempt);
  const refusal = svcError('SVC-POL-001', { host: 'a.example' });
  await assert.rejects(ledger.during(attempt, () => Promise.reject(refusal)));
  await assert.rejects(ledger.during(attempt, () => Promise.reject(new Error('bug'))));
  await ledger.during(
    attempt,
    async () => 7,
    (parts) => ({ details: { parts } }),
  );
  const { all } = await ledger.read();
  assert.deepEqual(
    all.map(({ step, of, result, details }) => [step, of, result, details]),
    [
      ['intent', undefined, undefined, { delivery: 'dlv_1' }],
      ['intent', undefined, undefined, { delivery: 'dlv_1' }],
      ['outcome', 2, 'denied', { delivery: 'dlv_1', code: 'SVC-POL-001' }],
      ['intent', undefined, undefined, { delivery: 'dlv_1' }],
      ['outcome', 4, 'failure', { delivery: 'dlv_1', code: 'SVC-SRV-001' }],
      ['intent', undefined, undefined, { delivery: 'dlv_1' }],
      ['outcome', 6, 'success', { delivery: 'dlv_1', parts: 7 }],
    ],
  );
});

test('many recipes become lines of at most 64 KiB, however long and strange their names are', async () => {
  await using ledger = await openFixture();
  const subjects = Array.from({ length: 400 }, (_, i) => ({
    name: `${'\u202e'.repeat(5 * i)}${i}`,
    digest: hashBytes(String(i)),
  }));
  const text = '\u202e'.repeat(100_000);
  await ledger.during(
    { type: 'fetched', actor: '\0'.repeat(9000) },
    async () => 1,
    () => ({
      subjects,
      details: { text, names: subjects.map(({ name }) => name), text2: undefined },
    }),
  );
  const { all, broken } = await ledger.read();
  assert.equal(broken, undefined);
  assert.ok(all.slice(1).every(({ step, of }) => step === 'outcome' && of === 1));
  assert.deepEqual(
    all.flatMap(({ subjects: some }) => some.map(({ digest }) => digest)),
    subjects.map(({ digest }) => digest),
  );
});

test('a long text leaves the other details their room', async () => {
  await using ledger = await openFixture();
  const peerClaims = Array.from({ length: 16 }, (_, i) => `${i} ${hashBytes('')} ${'z'.repeat(63)}`);
  await ledger.record({ ...entry('one'), details: { file: `/${'x'.repeat(8000)}`, peerClaims } });
  const { all } = await ledger.read();
  assert.deepEqual(all[0]?.details.peerClaims, peerClaims);
});

test('a line that a killed process did not finish is replaced, and the next line names its bytes', async () => {
  await using ledger = await openFixture();
  await ledger.record(entry('one'));
  await ledger.record(entry('a line that is lost'));
  const whole = await readFile(ledger.path);
  const first = whole.indexOf(10) + 1;
  for (const kept of [first + 1, first + 200, whole.length - 1]) {
    await writeFile(ledger.path, whole.subarray(0, kept));
    const cut = await ledger.read();
    assert.deepEqual([cut.lines, cut.broken], [1, undefined]);
    assert.deepEqual(cut.unfinished, { path: ledger.path, bytes: kept - first });
    await ledger.record(entry('two'));
    const { all, broken, unfinished } = await ledger.read();
    assert.deepEqual([broken, unfinished], [undefined, undefined]);
    assert.deepEqual(
      all.map(({ torn }) => torn),
      [undefined, { bytes: kept - first, digest: hashBytes(whole.subarray(first, kept)) }],
    );
  }
});

test('a ledger that is broken at its end takes no line', async () => {
  await using ledger = await openFixture();
  await ledger.record(entry('one'));
  const before = await readFile(ledger.path);
  for (const end of ['{"seq":2}\n', 'x'.repeat(70_000), 'x'.repeat(200_000), `${'x'.repeat(200_000)}\n`]) {
    await writeFile(ledger.path, Buffer.concat([before, Buffer.from(end)]));
    let isDone = false;
    const work = async () => {
      isDone = true;
    };
    await assert.rejects(ledger.during(entry('two'), work), (error) => isSvcError(error, 'SVC-CUS-001'));
    assert.equal(isDone, false);
    assert.equal((await readFile(ledger.path)).length, before.length + end.length);
  }
});

test('a file of the ledger that is a link takes no line', async () => {
  await using ledger = await openFixture();
  await ledger.record(entry('one'));
  const target = join(ledger.root, 'elsewhere');
  await rename(ledger.path, target);
  const before = await readFile(target);
  for (const make of [symlink, link]) {
    await make(target, ledger.path);
    await assert.rejects(ledger.record(entry('two')), (error) => isSvcError(error, 'SVC-STO-001'));
    assert.deepEqual(await readFile(target), before);
    // a file of an earlier year is not read through one either
    ledger.set('2027-03-01T12:00:00.000Z');
    await assert.rejects(ledger.record(entry('two')), (error) => isSvcError(error, 'SVC-STO-001'));
    ledger.set('2026-03-01T12:00:00.000Z');
    await unlink(ledger.path);
  }
});

test('each year has a file, which continues that of the year before, also when the clock is set back', async () => {
  await using ledger = await openFixture('2026-12-31T23:59:59.999Z');
  await ledger.record(entry('one'));
  ledger.set('2027-01-01T00:00:00.000Z');
  await ledger.record(entry('two'));
  ledger.set('2026-12-31T00:00:00.000Z');
  await ledger.record(entry('three'));
  assert.deepEqual(
    (await readdir(ledger.kept)).filter((name) => name.endsWith('.jsonl')),
    ['2026.jsonl', '2027.jsonl'],
  );
  const { all, broken, head } = await ledger.read();
  assert.equal(broken, undefined);
  assert.deepEqual([all.map(({ seq }) => seq), head.seq], [[1, 2, 3], 3]);
  // a file that is created, and then has no line
  await writeFile(join(ledger.kept, '2028.jsonl'), '');
  ledger.set('2028-01-01T00:00:00.000Z');
  await ledger.record(entry('four'));
  assert.deepEqual((await ledger.read()).lines, 4);
  // a line that was not finished when the year ended is replaced where it stands
  const last = join(ledger.kept, '2028.jsonl');
  await appendFile(last, '{"seq":5,');
  ledger.set('2029-01-01T00:00:00.000Z');
  await ledger.record(entry('five'));
  await ledger.record(entry('six'));
  const continued = await ledger.read();
  assert.deepEqual([continued.broken, continued.all[4]?.torn?.bytes], [undefined, 9]);
  assert.deepEqual((await readdir(ledger.kept)).filter((name) => name.endsWith('.jsonl')).slice(2), [
    '2028.jsonl',
    '2029.jsonl',
  ]);
  // an old file that is cut is no unfinished line
  const old = join(ledger.kept, '2026.jsonl');
  await truncate(old, (await stat(old)).size - 1);
  assert.equal((await ledger.read()).broken?.path, old);
});

test('two processes append at once, and no line is lost', async () => {
  await using ledger = await openFixture();
  const module = join(import.meta.dirname, '..', '..', 'src', 'custody', 'custody.ts');
  const program = `
    const { openCustody } = await import(${JSON.stringify(module)});
    const custody = openCustody({ stateRoot: ${JSON.stringify(ledger.root)}, site: 'zone-a' });
    for (let i = 0; i < 25; i += 1)
      await Promise.all([1, 2].map(() => custody.record({ type: 'fetched', actor: String(process.pid) })));`;
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' }),
  );
  const codes = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(
    codes.map(([code]) => code),
    [0, 0, 0],
  );
  const { all, broken } = await ledger.read();
  assert.deepEqual([broken, all.length], [undefined, 150]);
  assert.equal(new Set(all.map(({ actor }) => actor)).size, 3);
});

test('a killed holder of the lock stops nobody', async () => {
  await using ledger = await openFixture();
  await ledger.record(entry('one'));
  const holder = await startLockHolder(join(ledger.kept, 'custody.lock'), 'exclusive');
  const appended = ledger.record(entry('two'));
  await holder.kill();
  assert.equal((await appended)?.seq, 2);
});

test('without a ledger the work is done, and nothing is written', async () => {
  await using folder = await openTempFolder();
  assert.equal(await noCustody.during(entry('one'), async () => 5), 5);
  assert.equal(await noCustody.record(entry('one')), undefined);
  await (await noCustody.begin(entry('one'))).end({});
  assert.deepEqual(await readdir(folder.path), []);
});

test('the first line after work without the ledger says so, and since when', async () => {
  await using ledger = await openFixture();
  const off = openConfigured({ custody: { enabled: false }, state: { root: ledger.root } });
  await off.record(entry('no ledger yet'));
  assert.deepEqual(await readdir(ledger.root), []);
  await ledger.record(entry('one'));
  await ledger.record(entry('two'));
  const before = Date.now();
  assert.equal(await off.during(entry('unseen'), async () => 5), 5);
  await off.record(entry('unseen too'));
  const intent = await ledger.begin(entry('three'));
  await intent.end({});
  const { all, broken } = await ledger.read();
  assert.equal(broken, undefined);
  assert.deepEqual(
    all.map(({ type, step, of }) => [type, step, of]),
    [
      ['handed-over', 'event', undefined],
      ['handed-over', 'event', undefined],
      ['resumed', 'event', undefined],
      ['handed-over', 'intent', undefined],
      ['handed-over', 'outcome', 4],
    ],
  );
  const since = Date.parse(String(all[2]?.details.since));
  assert.ok(Math.abs(since - before) < 60_000);
});

test('a ledger that does not exist has no lines, and a file in its place is refused', async () => {
  await using folder = await openTempFolder();
  const kept = join(folder.path, 'custody');
  assert.deepEqual(await checkLedger(await listLedgerFiles(kept)), {
    head: { seq: 0, digest: hashBytes('') },
    lines: 0,
  });
  await mkdir(join(kept, '2026.jsonl'), { recursive: true });
  await assert.rejects(checkLedger(await listLedgerFiles(kept)), (error) => isSvcError(error, 'SVC-STO-001'));
  await appendFile(join(kept, '2025.txt'), 'no file of the ledger');
});

test('the first line after a change of the trust roots follows one that names them', async () => {
  await using folder = await openTempFolder();
  const root = (name: string) => ({ name, digest: hashBytes(name) });
  const openWith = (...names: string[]) =>
    openCustody({
      stateRoot: folder.path,
      site: 'zone-a',
      roots: { keys: names.map(root), unsigned: ['lab/**'] },
    });
  await openWith('old').open();
  await openWith('old').open();
  const custody = openWith('old', 'new');
  await custody.record(entry('one'));
  await custody.record(entry('two'));
  await writeFile(join(folder.path, 'custody', 'roots.json'), 'damaged');
  await openWith('new').begin(entry('three'));
  const { all } = await readChain(join(folder.path, 'custody'));
  const [old, young] = ['old', 'new'].map((name) => `${name} ${hashBytes(name)}`);
  assert.deepEqual(
    all.map(({ type, details: { text, ...details } }) => [type, text ?? details]),
    [
      ['roots-changed', { added: [old], removed: [], unsigned: ['lab/**'] }],
      ['roots-changed', { added: [young], removed: [], unsigned: ['lab/**'] }],
      ['handed-over', 'one'],
      ['handed-over', 'two'],
      ['roots-changed', { added: [young], removed: [], unsigned: ['lab/**'] }],
      ['handed-over', 'three'],
    ],
  );
});

test('a ledger is checked in parts too, which go on with further lines and miss those that are gone', async () => {
  await using ledger = await openFixture();
  for (let i = 0; i < 5; i += 1) await ledger.record(entry(`n${i}`));
  const paths = await listLedgerFiles(ledger.kept);
  const { size } = await stat(ledger.path);
  const seen: number[] = [];
  const visit = ({ seq }: CustodyLine): void => {
    seen.push(seq);
  };
  let part = await checkLedger(paths, { visit, most: Math.ceil(size / 2) });
  assert.deepEqual([part.lines, part.next?.line, part.next?.path], [3, 3, ledger.path]);
  const { next } = part;
  ledger.set('2027-01-01T00:00:00.000Z');
  await ledger.record(entry('n5'));
  part = await checkLedger(await listLedgerFiles(ledger.kept), { visit, from: next, most: 1 << 20 });
  assert.deepEqual([part.lines, part.next, part.broken], [6, undefined, undefined]);
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6]);
  await truncate(ledger.path, 10);
  assert.equal((await checkLedger(paths, { from: next })).broken?.line, 3);
  await unlink(ledger.path);
  assert.equal((await checkLedger([], { from: next })).broken?.path, ledger.path);
});

test('lines name each refused recipe beside its subject, however many there are', () => {
  const subjects = Array.from({ length: 250 }, (_, i) => ({
    ...{ name: `${'\u202e'.repeat(900)}${i}@1.0.0`, digest: hashBytes(`${i}`) },
    code: i % 2 === 0 ? 'SVC-SIG-001' : undefined,
  }));
  const lines = toLines(
    { type: 'verified', actor: 'a', subjects, details: { text: '\u202e'.repeat(9999) } },
    { step: 'event' },
  );
  for (const line of lines) {
    const { bytes } = writeLine({ ...line, ts: '2026-01-02T03:04:05.000Z', site: 'zone-a' }, beginning);
    assert.ok('line' in readLine(bytes));
    const named = subjects.filter(({ name, code }) => code && line.subjects.some((one) => one.name === name));
    assert.deepEqual(
      [...readRefused(line)],
      named.map(({ name, code }) => [name, code]),
    );
  }
  assert.deepEqual(
    lines.flatMap((line) => line.subjects.map(({ digest }) => digest)),
    subjects.map(({ digest }) => digest),
  );
});
