import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Link, type LinkSettings, openLink } from '../../src/link/link.ts';
import { forecastLink } from '../../src/link/show-link.ts';
import { isSvcError } from '../../src/text/error.ts';
import { createManualClock } from '../kit/instance/clock.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A link whose clock stands at midnight of 1 January 2026, UTC. */
async function openScene(configured: Partial<LinkSettings> = {}) {
  const folder = await openTempFolder();
  const clock = createManualClock();
  const report = createRecordingReport();
  const open = (stateRoot: string | undefined = folder.path): Promise<Link> =>
    openLink({ stateRoot, configured: { timeZone: 'UTC', ...configured }, report, clock });
  return {
    open,
    clock,
    report,
    path: join(folder.path, 'link'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const refused =
  (path: string, rule: RegExp) =>
  (error: unknown): boolean =>
    isSvcError(error, 'SVC-VAL-001') && error.params.path === path && rule.test(String(error.params.rule));

test('without settings the link is open, uncapped, and no timer runs', async () => {
  await using scene = await openScene();
  const link = await scene.open();
  assert.deepEqual([link.gate.isOpen, link.limiter.rate, link.opensAt], [true, 0, undefined]);
  assert.equal(link.gate.whenOpen(), undefined);
  assert.equal(scene.clock.timers, 0);
  const { rateLimit, windows } = link.record;
  assert.deepEqual([rateLimit.effective, rateLimit.overridden], ['unlimited', false]);
  assert.deepEqual([windows.effective, windows.open, windows.changesAt], [[], true, undefined]);
  assert.equal(link.toOpen(123), 123);
});

test('transfers wait for a window, and a window that closes is told', async () => {
  await using scene = await openScene({ windows: ['22:00-06:00'] });
  const link = await scene.open();
  let changes = 0;
  link.onChange(() => {
    changes += 1;
  });
  assert.equal(link.gate.isOpen, true);
  assert.equal(link.record.windows.changesAt, '2026-01-01T06:00:00.000Z');
  scene.clock.advance(6 * hour);
  assert.deepEqual([link.gate.isOpen, changes, link.opensAt], [false, 1, '2026-01-01T22:00:00.000Z']);
  const waits = [link.gate.whenOpen(), link.gate.whenOpen()];
  // the first one that waits is told, the others are not
  assert.deepEqual([link.waiting, changes], [2, 2]);
  scene.clock.advance(16 * hour - 1);
  assert.equal(link.waiting, 2);
  scene.clock.advance(1);
  await Promise.all(waits);
  assert.deepEqual([link.gate.isOpen, link.waiting, changes], [true, 0, 3]);
  assert.equal(link.toOpen(Date.UTC(2026, 0, 2, 12)), Date.UTC(2026, 0, 2, 22));
  link.stop();
  assert.equal(scene.clock.timers, 0);
});

test('a transfer that is cancelled waits no longer', async () => {
  await using scene = await openScene({ windows: ['22:00-23:00'] });
  const link = await scene.open();
  const ending = new AbortController();
  const wait = link.gate.whenOpen(ending.signal);
  ending.abort(new Error('cancelled'));
  await assert.rejects(wait!, /cancelled/);
  assert.equal(link.waiting, 0);
  await assert.rejects(link.gate.whenOpen(ending.signal)!, /cancelled/);
});

test('a clock that is set is noticed within a minute', async () => {
  await using scene = await openScene({ windows: ['22:00-06:00'] });
  const link = await scene.open();
  scene.clock.jumpWall(12 * hour);
  scene.clock.advance(minute);
  assert.equal(link.gate.isOpen, false);
  scene.clock.jumpWall(-12 * hour);
  scene.clock.advance(minute);
  assert.equal(link.gate.isOpen, true);
});

test('an override wins over the configuration, survives a restart, and ends when it is cleared', async () => {
  await using scene = await openScene({ rateLimit: 2 ** 20, windows: ['22:00-06:00'] });
  const first = await scene.open();
  await first.overrideRate('512kB/s');
  const set = await first.overrideWindows(['01:00-02:00', '12:00-13:00'], 'Europe/Paris');
  assert.deepEqual([set.open, set.changesAt], [true, '2026-01-01T01:00:00.000Z']);
  assert.equal(first.limiter.rate, 512_000);
  assert.equal((await stat(scene.path)).mode & 0o777, 0o600);
  first.stop();

  const second = await scene.open();
  const { rateLimit, windows } = second.record;
  assert.deepEqual(
    [rateLimit.effective, rateLimit.configured, rateLimit.overridden, rateLimit.bytesPerSecond],
    ['500KiB', '1MiB', true, 512_000],
  );
  assert.deepEqual(windows.effective, ['01:00-02:00', '12:00-13:00']);
  assert.deepEqual([windows.timeZone, windows.overridden], ['Europe/Paris', true]);

  await assert.rejects(second.clearRate({ fingerprint: windows.fingerprint }), (error) =>
    isSvcError(error, 'SVC-SRV-007'),
  );
  assert.equal((await second.clearRate({ fingerprint: rateLimit.fingerprint })).effective, '1MiB');
  assert.equal(second.record.windows.overridden, true);
  const back = await second.clearWindows({ fingerprint: windows.fingerprint });
  assert.deepEqual([back.effective, back.timeZone, back.overridden], [['22:00-06:00'], 'UTC', false]);
  await assert.rejects(stat(scene.path), { code: 'ENOENT' });
});

test('an override of the windows opens the gate for what waits', async () => {
  await using scene = await openScene({ windows: ['22:00-23:00'] });
  const link = await scene.open();
  const wait = link.gate.whenOpen();
  assert.notEqual(wait, undefined);
  await link.overrideWindows(['00:00-24:00']);
  await wait;
  assert.deepEqual([link.record.windows.open, link.record.windows.changesAt], [true, undefined]);
});

test('what is no rate and no window is refused with what it has to be, and changes nothing', async () => {
  await using scene = await openScene({ rateLimit: 2 ** 20 });
  const link = await scene.open();
  for (const [given, rule] of [
    ['0', /must not be 0/],
    ['-1MiB', /must not be negative/],
    ['12', /at least 1KiB/],
    ['4TiB', /at most 1TiB/],
    ['8Mbit', /bytes, not bits/],
    [{}, /number of bytes a second/],
    ['1Mib', /counts bytes, not bits/],
    ['1mb', /counts bytes, not bits/],
  ] as const)
    await assert.rejects(link.overrideRate(given), refused('/rateLimit', rule), String(given));
  for (const [given, path, rule] of [
    [[], '/windows', /must name a window/],
    ['22:00-06:00', '/windows', /must name a window/],
    [['22:00-06:00', 'night'], '/windows/1', /must be HH:MM-HH:MM/],
    [['08:00-08:00'], '/windows/0', /is empty/],
    [['22:00-06:00', '05:00-07:00'], '/windows', /windows 1 and 2 overlap/],
  ] as const)
    await assert.rejects(link.overrideWindows(given), refused(path, rule), String(given));
  await assert.rejects(
    link.overrideWindows(['22:00-06:00'], 'Europe/Nowhere'),
    refused('/timeZone', /time zone of the IANA database/),
  );
  assert.deepEqual([link.limiter.rate, link.record.windows.effective], [2 ** 20, []]);
  await assert.rejects(stat(scene.path), { code: 'ENOENT' });
});

test('without a state folder nothing can be overridden', async () => {
  const link = await openLink({ configured: { timeZone: 'UTC' }, report: createRecordingReport() });
  for (const change of [
    () => link.overrideRate('1MiB'),
    () => link.clearRate(),
    () => link.overrideWindows(['22:00-06:00']),
    () => link.clearWindows(),
  ])
    await assert.rejects(change(), (error) => isSvcError(error, 'SVC-CFG-001'));
});

test('damaged overrides are reported, and the configuration holds', async () => {
  for (const text of [
    'x',
    '{"rateLimit":"fast"}',
    '{"windows":["22:00-06:00"]}',
    '{"windows":["6-7"],"timeZone":"UTC"}',
    '{"windows":["06:00-07:00","06:30-08:00"],"timeZone":"UTC"}',
  ]) {
    await using scene = await openScene({ rateLimit: 4096 });
    await writeFile(scene.path, text);
    const link = await scene.open();
    assert.equal(link.record.rateLimit.overridden || link.record.windows.overridden, false, text);
    assert.equal(link.limiter.rate, 4096);
    assert.match(JSON.stringify(scene.report), /overrides of the link cannot be read/, text);
    assert.equal(await readFile(scene.path, 'utf8'), text);
    assert.equal(link.isDamaged, true, text);
    await link.overrideRate('1MiB');
    assert.equal(link.isDamaged, false);
    assert.deepEqual([(await scene.open()).isDamaged, link.record.windows.overridden], [false, false]);
  }
});

test('of overrides of which one cannot be read, the other holds', async () => {
  await using scene = await openScene({ rateLimit: 4096 });
  await writeFile(scene.path, '{"rateLimit":"1KiB","windows":["99:00-01:00"],"timeZone":"UTC"}');
  const capped = await scene.open();
  assert.deepEqual(
    [capped.limiter.rate, capped.record.windows.overridden, capped.isDamaged],
    [1024, false, true],
  );
  await writeFile(scene.path, '{"rateLimit":"fast","windows":["22:00-06:00"],"timeZone":"UTC"}');
  const timed = await scene.open();
  assert.deepEqual(
    [timed.limiter.rate, timed.record.windows.effective, timed.isDamaged],
    [4096, ['22:00-06:00'], true],
  );
});

test('a forecast counts what is received and what is pushed under one cap, and says how sure that is', async () => {
  await using scene = await openScene({ rateLimit: 1024 });
  const { record } = await scene.open();
  const totals = { transferBytes: 4096 };
  const of = (promotion?: { bytes: number; unasked: number }) => {
    const planned = { recipes: [{}], problems: [], totals, ...(promotion ? { promotion } : {}) };
    const { seconds, accuracy } = forecastLink(record, planned)!;
    return [seconds, accuracy];
  };
  const failed = { recipes: [], problems: [{}], totals: { transferBytes: 0 } };
  assert.equal(forecastLink(record, failed)!.seconds, undefined);
  assert.deepEqual(of(), [4, 'about']);
  assert.deepEqual(of({ bytes: 0, unasked: 0 }), [4, 'about']);
  assert.deepEqual(of({ bytes: 4096, unasked: 0 }), [8, 'at-most']);
  assert.deepEqual(of({ bytes: 4096, unasked: 1 }), [4, 'at-least']);
  await using other = await openScene({ windows: ['00:00-06:00'] });
  const uncapped = forecastLink((await other.open()).record, { recipes: [{}], problems: [], totals });
  assert.deepEqual([uncapped?.seconds, uncapped?.accuracy, uncapped?.open], [undefined, undefined, true]);
});
