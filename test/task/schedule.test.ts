import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSchedule, type Schedule } from '../../src/task/schedule.ts';
import { createManualClock } from '../kit/instance/clock.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const minute = 60_000;

async function openQueue() {
  const folder = await openTempFolder();
  const clock = createManualClock();
  const report = createRecordingReport();
  const state = { cycles: 0, pending: false, fail: false };
  const opened: Schedule[] = [];
  const open = async (
    configured: number,
    stateRoot: string = folder.path,
    toOpen?: (instant: number) => number,
  ) => {
    const schedule = await createSchedule({
      toOpen,
      stateRoot,
      configured,
      report,
      clock,
      isPending: () => state.pending,
      trigger: async () => {
        state.cycles += 1;
        if (state.fail) throw new Error('queue full');
      },
    });
    opened.push(schedule);
    return schedule;
  };
  /** Lets time pass, and due runs finish. */
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    for (const schedule of opened) await schedule.idle();
  };
  return {
    path: folder.path,
    clock,
    report,
    state,
    open,
    pass,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('the first cycle comes one interval after the start, and then one each interval', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(15 * minute);
  schedule.start();
  await fixture.pass(15 * minute - 1);
  assert.equal(fixture.state.cycles, 0);
  await fixture.pass(1);
  assert.equal(fixture.state.cycles, 1);
  await fixture.pass(15 * minute);
  assert.equal(fixture.state.cycles, 2);
  await schedule.stop();
  await fixture.pass(60 * minute);
  assert.equal(fixture.state.cycles, 2);
  assert.equal(fixture.clock.timers, 0);
});

test('the next cycle is known: before the start from the last one, then from the timer', async () => {
  await using fixture = await openQueue();
  const first = await fixture.open(15 * minute);
  assert.equal(first.next, undefined, 'no cycle is known');
  first.start();
  const due = (milliseconds: number) => new Date(fixture.clock.wall() + milliseconds).toISOString();
  assert.equal(first.next, due(15 * minute));
  await fixture.pass(5 * minute);
  assert.equal(first.next, due(10 * minute));
  await fixture.pass(10 * minute);
  assert.equal(first.next, due(15 * minute));
  await first.override('1h');
  assert.equal(first.next, due(60 * minute));
  await first.stop();
  assert.equal(first.next, undefined);
  const second = await fixture.open(15 * minute);
  assert.equal(second.next, due(60 * minute), 'the last start and the override are those of the state');
  assert.equal((await fixture.open(15 * minute, join(fixture.path, 'other'))).next, undefined);
  await second.override('0');
  assert.equal(second.next, undefined);
});

test('an interval of 0 stops the loop, with a log line', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(0);
  schedule.start();
  assert.equal(fixture.clock.timers, 0);
  assert.equal(schedule.interval.enabled, false);
  assert.ok(fixture.report.records.some((record) => record.message.includes('The interval is 0')));
});

test('a cycle is skipped while a synchronization is queued', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(minute);
  schedule.start();
  fixture.state.pending = true;
  await fixture.pass(3 * minute);
  assert.equal(fixture.state.cycles, 0);
  fixture.state.pending = false;
  await fixture.pass(minute);
  assert.equal(fixture.state.cycles, 1);
});

test('a cycle that cannot start is logged and tried again one interval later', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(minute);
  schedule.start();
  fixture.state.fail = true;
  await fixture.pass(minute);
  assert.ok(fixture.report.records.some((record) => record.level === 'error'));
  fixture.state.fail = false;
  await fixture.pass(minute);
  assert.equal(fixture.state.cycles, 2);
});

test('frequent restarts do not prevent cycles', async () => {
  await using fixture = await openQueue();
  const first = await fixture.open(10 * minute);
  first.start();
  await fixture.pass(10 * minute);
  assert.equal(fixture.state.cycles, 1);
  let last = first;
  for (let i = 0; i < 2; i += 1) {
    await fixture.pass(4 * minute);
    await last.stop();
    last = await fixture.open(10 * minute);
    last.start();
  }
  await fixture.pass(2 * minute - 1);
  assert.equal(fixture.state.cycles, 1);
  await fixture.pass(1);
  assert.equal(fixture.state.cycles, 2);
});

test('a start long after the last cycle makes up for it at once', async () => {
  await using fixture = await openQueue();
  const first = await fixture.open(10 * minute);
  first.start();
  await fixture.pass(10 * minute);
  await first.stop();
  await fixture.pass(600 * minute);
  const second = await fixture.open(10 * minute);
  second.start();
  await fixture.pass(0);
  assert.equal(fixture.state.cycles, 2);
  await fixture.pass(10 * minute - 1);
  assert.equal(fixture.state.cycles, 2);
});

test('a jump of the system clock does not move the cycles of a running loop', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(10 * minute);
  schedule.start();
  await fixture.pass(5 * minute);
  fixture.clock.jumpWall(1e9);
  await fixture.pass(0);
  assert.equal(fixture.state.cycles, 0);
  fixture.clock.jumpWall(-1e10);
  await fixture.pass(5 * minute);
  assert.equal(fixture.state.cycles, 1);
});

test('a last start in the future delays the first cycle by one interval at most', async () => {
  await using fixture = await openQueue();
  await writeFile(join(fixture.path, 'schedule'), '{"lastStart":"2099-01-01T00:00:00.000Z"}');
  const schedule = await fixture.open(10 * minute);
  schedule.start();
  await fixture.pass(10 * minute);
  assert.equal(fixture.state.cycles, 1);
});

test('the override wins over the configuration, survives restarts and ends when removed', async () => {
  await using fixture = await openQueue();
  const first = await fixture.open(15 * minute);
  const { fingerprint, ...shown } = first.interval;
  assert.deepEqual(shown, {
    effective: '15m',
    configured: '15m',
    overridden: false,
    enabled: true,
    minimum: '1m',
  });
  assert.equal((await first.override('1h30m')).effective, '1h30m');
  assert.equal((await stat(join(fixture.path, 'interval'))).mode & 0o777, 0o600);
  const second = await fixture.open(20 * minute);
  const { fingerprint: overridden, ...now } = second.interval;
  assert.notEqual(overridden, fingerprint);
  assert.deepEqual(now, {
    effective: '1h30m',
    configured: '20m',
    overridden: true,
    enabled: true,
    minimum: '1m',
  });
  await assert.rejects(second.clearOverride({ fingerprint }), { code: 'SVC-SRV-007' });
  assert.equal(second.interval.effective, '1h30m', 'what was confirmed is not what applies');
  assert.equal((await second.clearOverride({ fingerprint: overridden })).effective, '20m');
  assert.equal((await second.clearOverride()).overridden, false);
  assert.equal((await fixture.open(20 * minute)).interval.overridden, false);
});

test('a change of the interval takes effect immediately', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(60 * minute);
  schedule.start();
  await fixture.pass(10 * minute);
  await schedule.override('5m');
  await fixture.pass(0);
  assert.equal(fixture.state.cycles, 1);
  await fixture.pass(5 * minute);
  assert.equal(fixture.state.cycles, 2);
  await schedule.override('0');
  await fixture.pass(600 * minute);
  assert.equal(fixture.state.cycles, 2);
  assert.equal(fixture.clock.timers, 0);
  await schedule.override('1h');
  await fixture.pass(0);
  assert.equal(fixture.state.cycles, 3);
});

test('an interval that is no duration, negative or under a minute is refused and changes nothing', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(15 * minute);
  for (const interval of ['', 'soon', '59s', '-1h', '1ms', '5', `${'9'.repeat(30)}h`, '15m '.repeat(10)]) {
    await assert.rejects(schedule.override(interval), { code: 'SVC-VAL-001' }, interval);
  }
  await assert.rejects(schedule.override(900 as unknown as string), { code: 'SVC-VAL-001' });
  assert.equal(schedule.interval.overridden, false);
  await assert.rejects(readFile(join(fixture.path, 'interval')), { code: 'ENOENT' });
  for (const interval of ['0', '0s', '1m', '60s', '720h']) await schedule.override(interval);
});

test('without a state root there is no override, and the loop runs', async () => {
  await using fixture = await openQueue();
  const clockOnly = await createSchedule({
    configured: minute,
    report: fixture.report,
    clock: fixture.clock,
    isPending: () => false,
    trigger: async () => {
      fixture.state.cycles += 1;
    },
  });
  const missing = {
    code: 'SVC-CFG-001',
    params: { setting: 'state.root', detail: 'is not set' },
  };
  await assert.rejects(clockOnly.override('5m'), missing);
  await assert.rejects(clockOnly.clearOverride(), missing);
  clockOnly.start();
  await fixture.pass(minute);
  await clockOnly.idle();
  assert.equal(fixture.state.cycles, 1);
});

test('a damaged override is logged and the configured interval applies', async () => {
  for (const content of ['', '{', 'null', '{"interval":"1s"}', '{"interval":5}', '[]']) {
    await using fixture = await openQueue();
    await writeFile(join(fixture.path, 'interval'), content);
    const schedule = await fixture.open(15 * minute);
    assert.equal(schedule.interval.overridden, false);
    assert.ok(
      fixture.report.records.some((record) => record.level === 'error'),
      content,
    );
  }
});

test('an override that cannot be written does not apply', async () => {
  await using fixture = await openQueue();
  const schedule = await fixture.open(15 * minute, join(fixture.path, 'absent'));
  await assert.rejects(schedule.override('5m'), { code: 'SVC-STO-002' });
  assert.equal(schedule.interval.overridden, false);
});

test('an interval beyond what one timer can hold is still waited for', async () => {
  await using fixture = await openQueue();
  const days = 24 * 60 * minute;
  const schedule = await fixture.open(60 * days);
  schedule.start();
  await fixture.pass(60 * days - 1);
  assert.equal(fixture.state.cycles, 0);
  await fixture.pass(1);
  assert.equal(fixture.state.cycles, 1);
});

test('a cycle that falls between two windows starts when the next one opens', async () => {
  const { open, clock, pass, state } = await openQueue();
  const start = clock.wall();
  const opening = { at: start + 60 * minute };
  const schedule = await open(5 * minute, undefined, (instant) => Math.max(instant, opening.at));
  schedule.start();
  assert.equal(schedule.next, new Date(opening.at).toISOString());
  await pass(59 * minute);
  assert.equal(state.cycles, 0);
  await pass(minute);
  assert.equal(state.cycles, 1);
  assert.equal(schedule.next, new Date(opening.at + 5 * minute).toISOString());
  // the windows change while it waits
  opening.at += 600 * minute;
  schedule.review();
  assert.equal(schedule.next, new Date(opening.at).toISOString());
  opening.at = start;
  schedule.review();
  await pass(5 * minute);
  assert.equal(state.cycles, 2);
  await schedule.stop();
});

test('a clock that is set while the next cycle is worked out starts none', async () => {
  await using fixture = await openQueue();
  const { clock, state, pass } = fixture;
  const schedule = await fixture.open(60 * minute, undefined, (instant) => {
    clock.jumpWall(3 * 24 * 60 * minute);
    return instant;
  });
  schedule.start();
  await pass(60 * minute - 1);
  assert.equal(state.cycles, 0);
  await schedule.stop();
});
