import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkTimeZone,
  checkWindow,
  checkWindowList,
  isOpenAt,
  nextChange,
  toWindowPlan,
} from '../../../src/base/link/windows.ts';

/** Lists the changes after an instant, as texts in UTC. */
function changes(windows: readonly string[], timeZone: string, from: string, count: number): string[] {
  const plan = toWindowPlan(windows, timeZone);
  const found: string[] = [];
  let at = Date.parse(from);
  for (let left = count; left > 0; left -= 1) {
    const next = nextChange(plan, at);
    if (next === undefined) break;
    found.push(`${new Date(next).toISOString().slice(5, 16)} ${isOpenAt(plan, next) ? 'opens' : 'closes'}`);
    at = next;
  }
  return found;
}

test('a window is two times of the day', () => {
  for (const text of ['22:00-06:00', '00:00-24:00', '12:30-13:00', '22:00-00:00', '22:00-24:00'])
    assert.equal(checkWindow(text), undefined, text);
  const form = 'must be HH:MM-HH:MM on a clock of 24 hours, such as 22:00-06:00';
  for (const text of [
    '22-6',
    '22:00',
    '24:00-06:00',
    '22:60-23:00',
    '9:00-10:00',
    '22:00 - 06:00',
    '10pm-6am',
    '',
  ])
    assert.equal(String(checkWindow(text)), form, text);
  const empty = 'is empty: it ends when it begins; the whole day is 00:00-24:00';
  for (const text of ['08:00-08:00', '00:00-00:00']) assert.equal(String(checkWindow(text)), empty, text);
});

test('windows of a list are apart; those that touch are one', () => {
  assert.equal(checkWindowList(['22:00-24:00', '00:00-06:00', '12:00-13:00']), undefined);
  assert.deepEqual(changes(['22:00-24:00', '00:00-06:00'], 'UTC', '2026-05-01T12:00Z', 2), [
    '05-01T22:00 opens',
    '05-02T06:00 closes',
  ]);
  assert.equal(String(checkWindowList([])), 'must name a window; the whole day is 00:00-24:00');
  assert.equal(
    String(checkWindowList(['12:00-13:00', '22:00-06:00', '05:00-07:00'])),
    'windows 2 and 3 overlap',
  );
  assert.equal(String(checkWindowList(['08:00-10:00', '09:00-09:30'])), 'windows 1 and 2 overlap');
  assert.equal(String(checkWindowList(['20:00-04:00', '23:00-01:00'])), 'windows 1 and 2 overlap');
  const hours = Array.from({ length: 25 }, (_, at) => `00:${10 + at}-00:${11 + at}`);
  assert.equal(String(checkWindowList(hours)), 'must have at most 24 windows');
});

test('a time zone is one of the database', () => {
  for (const name of ['UTC', 'Europe/Paris', 'America/Argentina/Ushuaia', 'Asia/Kathmandu'])
    assert.equal(checkTimeZone(name), undefined, name);
  for (const name of ['Europe/Nowhere', '+02:00', 'local', '', 'UTC+2', 'x'.repeat(100)])
    assert.match(String(checkTimeZone(name)), /^must be a time zone of the IANA database/, name);
});

test('a window lasts over midnight, and its end is not part of it', () => {
  const plan = toWindowPlan(['22:00-06:00'], 'UTC');
  const open = (time: string): boolean => isOpenAt(plan, Date.parse(`2026-05-01T${time}Z`));
  assert.deepEqual(
    ['21:59:59.999', '22:00:00', '23:59:59', '00:00:00', '05:59:59.999', '06:00:00'].map(open),
    [false, true, true, true, true, false],
  );
});

test('a window of the whole day never changes', () => {
  assert.deepEqual(changes(['00:00-24:00'], 'Europe/Paris', '2026-03-28T12:00Z', 1), []);
  assert.deepEqual(changes(['06:00-18:00', '18:00-06:00'], 'UTC', '2026-03-28T12:00Z', 1), []);
});

test('windows follow the clock of their zone, quarter hours included', () => {
  assert.deepEqual(changes(['22:00-06:00'], 'Asia/Kathmandu', '2026-05-01T12:00Z', 2), [
    '05-01T16:15 opens',
    '05-02T00:15 closes',
  ]);
  assert.deepEqual(changes(['22:00-06:00'], 'America/Los_Angeles', '2026-07-01T00:00Z', 2), [
    '07-01T05:00 opens',
    '07-01T13:00 closes',
  ]);
});

test('an hour that a clock change leaves out is in no window', () => {
  // Paris, 29 March 2026: 02:00 is 03:00
  assert.deepEqual(changes(['22:00-06:00'], 'Europe/Paris', '2026-03-28T12:00Z', 2), [
    '03-28T21:00 opens',
    '03-29T04:00 closes',
  ]);
  assert.deepEqual(changes(['02:10-02:50'], 'Europe/Paris', '2026-03-28T12:00Z', 2), [
    '03-30T00:10 opens',
    '03-30T00:50 closes',
  ]);
  assert.deepEqual(changes(['01:00-02:30'], 'Europe/Paris', '2026-03-28T12:00Z', 2), [
    '03-29T00:00 opens',
    '03-29T01:00 closes',
  ]);
  assert.deepEqual(changes(['02:30-04:00'], 'Europe/Paris', '2026-03-28T12:00Z', 2), [
    '03-29T01:00 opens',
    '03-29T02:00 closes',
  ]);
});

test('an hour that a clock change repeats is in the window twice', () => {
  // Paris, 25 October 2026: 03:00 is 02:00 again
  assert.deepEqual(changes(['02:15-02:45'], 'Europe/Paris', '2026-10-24T12:00Z', 4), [
    '10-25T00:15 opens',
    '10-25T00:45 closes',
    '10-25T01:15 opens',
    '10-25T01:45 closes',
  ]);
  assert.deepEqual(changes(['01:00-02:30'], 'Europe/Paris', '2026-10-24T12:00Z', 4), [
    '10-24T23:00 opens',
    '10-25T00:30 closes',
    '10-25T01:00 opens',
    '10-25T01:30 closes',
  ]);
});

test('the next change agrees with a look at each minute of the days around a clock change', () => {
  for (const [zone, from] of [
    ['Europe/Paris', '2026-03-28T12:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T00:00Z'],
    ['America/St_Johns', '2026-10-31T20:00Z'],
  ] as const) {
    const windows = ['01:45-02:15', '02:20-04:00', '23:30-00:10'];
    const plan = toWindowPlan(windows, zone);
    const seen: string[] = [];
    const start = Date.parse(from);
    let open = isOpenAt(plan, start);
    for (let at = start + 60_000; at <= start + 2 * 864e5; at += 60_000) {
      if (isOpenAt(plan, at) === open) continue;
      open = !open;
      seen.push(`${new Date(at).toISOString().slice(5, 16)} ${open ? 'opens' : 'closes'}`);
    }
    assert.deepEqual(changes(windows, zone, from, seen.length), seen, zone);
  }
});
