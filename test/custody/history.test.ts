import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { HistoryRecord } from '../../src/contract/history.ts';
import { openCustody } from '../../src/custody/custody.ts';
import { verifyCustody } from '../../src/operation/custody/verify-custody.ts';
import { mostInPart, showHistory, writeHistory } from '../../src/view/history.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

/** A state with audit records and lines of a ledger, which take turns. */
async function openFixture() {
  const folder = await openTempFolder();
  let now = Date.parse('2026-12-31T23:59:50.000Z');
  const custody = openCustody({ stateRoot: folder.path, site: 'zone-a', clock: { wall: () => now } });
  const audits: string[] = [];
  let count = 0;
  const tick = (): string => {
    now += 1000;
    return new Date(now).toISOString();
  };
  const audit = (target: string): void => {
    const record = { ts: tick(), level: 'info', msg: '', auditSchema: 1, logType: 'audit' };
    audits.push(
      JSON.stringify({ ...record, actor: 'ana', action: 'content.delete', target, outcome: 'success' }),
    );
  };
  const note = async (delivery: string): Promise<void> => {
    tick();
    const subjects = [{ name: 'media.jsonl', digest: hashBytes(delivery) }];
    await custody.record({ type: 'handed-over', actor: 'bob', subjects, details: { delivery } });
  };
  const begin = (delivery: string) => {
    tick();
    return custody.begin({ type: 'written', actor: 'cho', details: { delivery } });
  };
  const config = { state: { root: folder.path }, audit: { keep: 1 << 20 } };
  return {
    ...{ custody, audit, note, begin, tick, config },
    root: folder.path,
    /** Changes the clock, by milliseconds. */
    shift: (by: number): void => {
      now += by;
    },
    /** Number of pages of the last reading. */
    pages: (): number => count,
    /** All pages of records. @param isSteady whether the clock went forward, and both orders have the same places */
    async read(
      pageSize: number,
      query: Parameters<typeof showHistory>[1] = {},
      isSteady = true,
    ): Promise<HistoryRecord[]> {
      await mkdir(join(folder.path, 'audit'), { recursive: true });
      await writeFile(
        join(folder.path, 'audit', '00000001.jsonl'),
        audits.map((line) => `${line}\n`).join(''),
      );
      const readAll = async (order: 'asc' | 'desc'): Promise<HistoryRecord[]> => {
        const all: HistoryRecord[] = [];
        count = 0;
        for (let cursor: string | undefined; count < 100; ) {
          count += 1;
          const page = await showHistory(config, { ...query, order, cursor, pageSize });
          assert.ok(page.records.length <= pageSize);
          all.push(...page.records);
          cursor = page.next;
          if (cursor === undefined) return all;
        }
        assert.fail('the pages have no end');
      };
      const newest = await readAll('desc');
      const oldest = await readAll('asc');
      assert.equal(oldest.length, newest.length);
      if (isSteady) assert.deepEqual(oldest.toReversed(), newest, `oldest first, pages of ${pageSize}`);
      return newest;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('records of the audit and lines of the ledger are one list, in pages of every size', async () => {
  await using state = await openFixture();
  const expected: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    const name = `n${i}`;
    expected.unshift(name);
    // runs of both, across the end of a year
    if (i % 5 < 2) state.audit(name);
    else await state.note(name);
  }
  for (const size of [1, 2, 3, 5, 11, 12, 50]) {
    const all = await state.read(size);
    assert.deepEqual(
      all.map(({ target }) => target),
      expected,
      `pages of ${size}`,
    );
  }
  const notes = await state.read(2, { action: 'custody.handed-over' });
  assert.equal(notes.length, 6);
  assert.deepEqual(
    [notes[0]?.actor, notes[0]?.outcome, notes[0]?.details.site],
    ['bob', 'success', 'zone-a'],
  );
  assert.equal((await state.read(2, { action: 'content.delete' })).length, 6);
  assert.equal((await state.read(2, { actor: 'BOB' })).length, 6);
  assert.equal((await state.read(50, { subject: hashBytes('n2').slice(10, 30) })).length, 1);
  const csv = await text(writeHistory(state.config, {}, 'csv'));
  assert.equal(csv.trim().split('\r\n').length, 13);
  assert.match(csv, /custody\.handed-over/);
});

test('an intent is shown only while it has no outcome, on whatever page that is', async () => {
  await using state = await openFixture();
  await state.begin('killed');
  const [first, second] = [await state.begin('first'), await state.begin('second')];
  for (let i = 0; i < 3; i += 1) await state.note(`n${i}`);
  state.tick();
  await second.end({ details: { delivery: 'second' }, result: 'failure' });
  state.tick();
  await first.end({ details: { delivery: 'first' } });
  for (const size of [1, 2, 4, 50]) {
    const all = await state.read(size);
    assert.deepEqual(
      all.map(({ target, outcome }) => `${target} ${outcome}`),
      ['first success', 'second failure', 'n2 success', 'n1 success', 'n0 success', 'killed open'],
      `pages of ${size}`,
    );
  }
  assert.deepEqual(
    (await state.read(1, { outcome: ['open'] })).map(({ target }) => target),
    ['killed'],
  );
});

test('an intent that a resumed task took over is told by the outcome of that task', async () => {
  await using state = await openFixture();
  const begin = (run: string) => {
    state.tick();
    return state.custody.begin({ type: 'fetched', actor: 'cho', details: { reference: run, run } });
  };
  await begin('resumed');
  await begin('killed');
  await state.note('n0');
  const again = await begin('resumed');
  await state.note('n1');
  state.tick();
  await again.end({});
  for (const size of [1, 2, 4, 50])
    assert.deepEqual(
      (await state.read(size)).map(({ target, outcome }) => `${target} ${outcome}`),
      ['resumed success', 'n1 success', 'n0 success', 'killed open'],
      `pages of ${size}`,
    );
  const { open } = await verifyCustody({
    ...{ state: { root: state.root } },
    custody: { enabled: true, site: 'zone-a' },
  } as Parameters<typeof verifyCustody>[0]);
  assert.deepEqual(
    open.map(({ details }) => details.run),
    ['killed'],
  );
});

test('a table of many pages has each operation once', async () => {
  await using state = await openFixture();
  await state.begin('killed');
  const first = await state.begin('first');
  for (let i = 0; i < 1200; i += 1) await state.note(`n${i}`);
  await first.end({ details: { delivery: 'first' } });
  await state.read(50);
  const table = await text(writeHistory(state.config, {}, 'csv'));
  const operations = table.split('\r\n').filter((row) => row.includes('custody.written'));
  assert.deepEqual(
    operations.map((row) => row.split(',').slice(3, 5)),
    [
      ['first', 'success'],
      ['killed', 'open'],
    ],
  );
  assert.equal(table.trim().split('\r\n').length, 1203);
  const lines: string[][] = [];
  for await (const part of writeHistory(state.config, {}, 'jsonl'))
    lines.push(part.toString().trimEnd().split('\n'));
  assert.deepEqual(
    lines.map(({ length }) => length),
    [mostInPart, 1202 - mostInPart],
    'one part at a time is in memory',
  );
  const { records } = await showHistory(state.config, { pageSize: 2000 });
  assert.deepEqual(
    lines.flat().map((line) => JSON.parse(line)),
    records,
  );
});

test('without a state folder nothing of a download is written', () => {
  const none = { state: {}, audit: { keep: 0 } };
  for (const form of ['csv', 'jsonl'] as const)
    assert.throws(() => writeHistory(none, {}, form), { code: 'SVC-CFG-001' }, form);
});

test('lines of a ledger that are gone or broken are one record in their place, on pages of every size', async () => {
  await using state = await openFixture();
  for (let i = 1; i <= 8; i += 1) {
    await state.note(`n${i}`);
    if (i % 3 === 0) state.audit(`a${i}`);
  }
  const year = join(state.root, 'custody', '2026.jsonl');
  const later = join(state.root, 'custody', '2027.jsonl');
  const lines = [
    ...(await readFile(year, 'utf8')).split('\n'),
    ...(await readFile(later, 'utf8')).split('\n'),
  ];
  const kept = lines.filter((line) => line !== '');
  assert.equal(kept.length, 8);
  // the first line is gone, two between others, one is broken and the last one too
  const [, two, three, , , six, , eight] = kept;
  await rm(later);
  await writeFile(year, [two, three, six, 'broken', `${eight}x`, ''].join('\n'));
  const lost = (records: number, since?: string) => ({ records, ...(since === undefined ? {} : { since }) });
  const timeOf = (line: string | undefined): string => JSON.parse(line!).ts;
  for (const size of [1, 2, 3, 50]) {
    const all = await state.read(size);
    const shown = all.map(({ action, target, details }) =>
      action === 'custody.lost'
        ? { records: details.records, ...(details.since ? { since: details.since } : {}) }
        : target,
    );
    const expected = [lost(2, timeOf(six)), 'a6', 'n6', lost(2, timeOf(three)), 'a3', 'n3', 'n2', lost(1)];
    assert.deepEqual(
      new Set(shown.map((one) => JSON.stringify(one))),
      new Set(expected.map((one) => JSON.stringify(one))),
      `pages of ${size}`,
    );
    assert.equal(shown.length, expected.length, `pages of ${size}`);
  }
  // a filter of the name cannot tell of whom they were
  const ofOne = await state.read(1, { actor: 'nobody' });
  assert.deepEqual(
    ofOne.map(({ action }) => action),
    ['custody.lost', 'custody.lost', 'custody.lost'],
  );
  assert.deepEqual(await state.read(1, { to: '2025-12-31' }), []);
});

test('without a ledger the history is that of the audit records, with their cursors', async () => {
  await using state = await openFixture();
  for (const name of ['a', 'b', 'c']) state.audit(name);
  assert.deepEqual(
    (await state.read(1)).map(({ target }) => target),
    ['c', 'b', 'a'],
  );
  const { next } = await showHistory(state.config, { pageSize: 1 });
  assert.match(next!, /^1-\d+$/);
});

test('each line of the ledger is about something: its delivery, file, zone, folder or medium, else the ledger', async () => {
  await using state = await openFixture();
  const { record } = state.custody;
  const digest = hashBytes('x');
  const folder = '/mnt/disk';
  const cases = [
    ['dlv_0123456789ab', { delivery: 'dlv_0123456789ab', zone: 'zone-b', folder }, 'media.jsonl'],
    ['media.jsonl', { zone: 'zone-b', folder }, 'media.jsonl'],
    ['zone-b', { zone: 'zone-b', folder, medium: 'm' }],
    ['docker.example/nginx:1', { reference: 'docker.example/nginx:1' }],
    [folder, { folder, medium: 'm' }],
    ['m', { medium: 'm' }],
    ['zone-a', { since: '2026-01-01T00:00:00Z' }],
  ] as const;
  for (const [, details, name] of cases) {
    state.tick();
    const subjects = name === undefined ? [] : [{ name, digest }];
    await record({ type: 'reset', actor: 'bob', subjects, details });
  }
  const found = await state.read(50);
  assert.deepEqual(
    found.map(({ target }) => target).reverse(),
    cases.map(([target]) => target),
  );
});

test('a clock that is wrong and corrected costs no further readings: each page has its records, and each record is there once', async () => {
  await using fixture = await openFixture();
  const { audit, note, shift } = fixture;
  const names: string[] = [];
  // ahead for a while, and then many small steps back
  for (let i = 0; i < 120; i += 1) {
    if (i === 40) shift(86_400_000);
    if (i === 80) shift(-86_400_000);
    if (i > 90) shift(-3000);
    const name = `dlv_${String(i).padStart(12, '0')}`;
    names.push(name);
    if (i % 3 === 0) await note(name);
    else audit(name);
  }
  for (const pageSize of [7, 30]) {
    const shown = await fixture.read(pageSize, {}, false);
    assert.deepEqual(shown.map(({ target }) => target).sort(), names);
    // each reading shows at least what it read of one of the two sources
    assert.ok(fixture.pages() <= 2 * Math.ceil(names.length / pageSize) + 2, `${fixture.pages()} pages`);
  }
});
