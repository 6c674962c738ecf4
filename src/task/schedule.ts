import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { Serial } from '../base/concurrency.ts';
import { fingerprintOf, requireUnchanged } from '../base/digest.ts';
import { formatDuration, parseDuration } from '../base/duration.ts';
import type { Report } from '../base/report.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { Interval } from '../contract/recipe.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { isSvcError, svcError, toSvcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

interface ScheduleOptions {
  /**
   * Folder of the override and the last start. Without it there is no override, and the interval starts again
   * with each process.
   */
  readonly stateRoot?: string | undefined;
  /** `sync.interval` in milliseconds; 0 stops the loop. */
  readonly configured: number;
  readonly report: Report;
  /** Whether a synchronization is already queued: then the cycle is skipped. */
  readonly isPending: () => boolean;
  /** Queues a synchronization. A failure is logged, and the next cycle tries again. */
  readonly trigger: () => Promise<unknown>;
  /** The first instant from one on at which a cycle may start, both in milliseconds since the epoch; default: the same. */
  readonly toOpen?: ((instant: number) => number) | undefined;
  readonly clock?: Clock;
}

/** State that a client saw before a change. */
interface Shown {
  readonly fingerprint?: string | undefined;
}

export interface Schedule {
  readonly interval: Interval;
  /**
   * When the next cycle starts (RFC 3339 UTC), by the clock of the system; before `start`, as far as the last start is
   * known. Undefined when the loop does not run.
   */
  readonly next: string | undefined;
  /**
   * Sets the override durably and restarts the timer.
   *
   * @param interval 0, or a duration of at least a minute
   * @param shown.fingerprint of the record on which the request rests
   * @throws SVC-VAL-001 for any other value; SVC-CFG-001 without a state root; SVC-STO-002; SVC-SRV-007 when the record
   *   no longer holds
   */
  override(interval: string, shown?: Shown): Promise<Interval>;
  /**
   * Returns to the configured interval.
   *
   * @param shown.fingerprint of the record on which the request rests
   * @throws SVC-CFG-001, SVC-STO-002, SVC-SRV-007 when the record no longer holds
   */
  clearOverride(shown?: Shown): Promise<Interval>;
  /**
   * Starts the loop. The first cycle starts one interval after the last known one, or immediately when that time has
   * passed. Without a known one, it starts an interval after this call.
   */
  start(): void;
  /** Computes the next cycle again, after the answers of `toOpen` have changed. */
  review(): void;
  /** Resolves when no cycle is starting a synchronization. */
  idle(): Promise<void>;
  /** Stops the loop; resolves when the current cycle has ended. */
  stop(): Promise<void>;
}

/** Shortest override in milliseconds, except 0. */
const minimumInterval = 60_000;
// the longest delay of setTimeout
const longestTimer = 2 ** 31 - 1;

/**
 * Opens the interval loop of passthrough mode. Delays are measured on a monotonic clock. The system clock is
 * used only for the age of the last cycle of an earlier process.
 */
export async function createSchedule(options: ScheduleOptions): Promise<Schedule> {
  const { stateRoot, configured, report, clock = systemClock } = options;
  const writes = new Serial();
  let override = stateRoot === undefined ? undefined : await readOverride(stateRoot, report);
  const lastStart = stateRoot === undefined ? undefined : await readLastStart(stateRoot, report);

  let base = 0;
  let started = false;
  let stopped = false;
  let cancel: (() => void) | undefined;
  let nextAt: number | undefined;
  let underWay: Promise<void> = Promise.resolve();

  const effective = (): number => override ?? configured;

  const toIntervalRecord = (): Interval => ({
    effective: formatDuration(effective()),
    configured: formatDuration(configured),
    overridden: override !== undefined,
    enabled: effective() > 0,
    minimum: formatDuration(minimumInterval),
    fingerprint: fingerprintOf(['interval', configured, override ?? '']),
  });

  function arm(): void {
    cancel?.();
    cancel = undefined;
    nextAt = undefined;
    if (!started || stopped || effective() === 0) return;
    // read once: the clock may be set between two readings
    const now = clock.wall();
    const due = now + Math.max(0, base + effective() - clock.monotonic());
    nextAt = options.toOpen?.(due) ?? due;
    const wait = nextAt - now;
    cancel = clock.after(Math.min(wait, longestTimer), wait > longestTimer ? arm : tick);
  }

  function tick(): void {
    base = clock.monotonic();
    arm();
    underWay = underWay.then(cycle);
  }

  async function cycle(): Promise<void> {
    if (stopped) return;
    if (options.isPending()) {
      report.log('debug', 'A synchronization is already queued; skipping this cycle');
      return;
    }
    try {
      await options.trigger();
      await writeLastStart();
    } catch (error) {
      const level = isSvcError(error, 'SVC-SRV-006') ? 'info' : 'error';
      report.log(level, 'The interval could not start a synchronization', {
        code: isSvcError(error) ? error.code : 'SVC-SRV-001',
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async function writeLastStart(): Promise<void> {
    if (stateRoot === undefined) return;
    const path = join(stateRoot, 'schedule');
    try {
      const document = { lastStart: new Date(clock.wall()).toISOString() };
      await writeStateFile(path, `${JSON.stringify(document)}\n`);
    } catch (error) {
      report.log('warn', 'The start of this cycle could not be recorded', {
        path,
        code: toSvcError(error).code,
      });
    }
  }

  function adopt(next: number | undefined): Interval {
    override = next;
    report.log('info', effective() === 0 ? 'The interval loop is stopped' : 'The interval has changed', {
      interval: formatDuration(effective()),
      overridden: next !== undefined,
    });
    arm();
    return toIntervalRecord();
  }

  function toNext(): number | undefined {
    if (started || stopped) return nextAt;
    if (effective() === 0 || lastStart === undefined) return undefined;
    const due = lastStart + effective();
    return options.toOpen?.(due) ?? due;
  }

  return {
    get interval() {
      return toIntervalRecord();
    },
    get next() {
      const next = toNext();
      return next === undefined ? undefined : new Date(next).toISOString();
    },
    override: (text, { fingerprint } = {}) =>
      writes.run(async () => {
        const path = join(requireSetting('state.root', stateRoot), 'interval');
        const next = parseInterval(text);
        requireUnchanged(fingerprint, () => toIntervalRecord().fingerprint, 'sync.interval');
        await writeStateFile(path, `${JSON.stringify({ interval: formatDuration(next) })}\n`);
        return adopt(next);
      }),
    clearOverride: ({ fingerprint } = {}) =>
      writes.run(async () => {
        const path = join(requireSetting('state.root', stateRoot), 'interval');
        requireUnchanged(fingerprint, () => toIntervalRecord().fingerprint, 'sync.interval');
        await removeDurably(path);
        return adopt(undefined);
      }),
    start() {
      if (started) return;
      started = true;
      // a last start in the future was recorded before the system clock was set back: it counts as now
      const ago = lastStart === undefined ? 0 : Math.max(0, clock.wall() - lastStart);
      base = clock.monotonic() - ago;
      if (effective() === 0) report.log('info', 'The interval is 0: synchronization is manual');
      arm();
    },
    review: arm,
    idle: () => underWay,
    async stop() {
      stopped = true;
      cancel?.();
      cancel = undefined;
      nextAt = undefined;
      await underWay;
    },
  };
}

/**
 * Parses an interval from a client.
 *
 * @returns milliseconds
 * @throws SVC-VAL-001
 */
function parseInterval(text: unknown): number {
  const interval = typeof text === 'string' ? parseDuration(text) : undefined;
  if (interval === undefined || interval < 0 || (interval > 0 && interval < minimumInterval)) {
    throw svcError('SVC-VAL-001', {
      file: rule(['request body', fr`corps de la requête`]),
      path: '/interval',
      rule: rule(
        ['must be 0, or a duration of at least {least}', fr`doit être 0, ou une durée d’au moins {least}`],
        { least: formatDuration(minimumInterval) },
      ),
    });
  }
  return interval;
}

async function readOverride(stateRoot: string, report: Report): Promise<number | undefined> {
  const path = join(stateRoot, 'interval');
  const stored = await readMember(path, 'interval', report);
  if (stored === undefined) return undefined;
  try {
    return parseInterval(stored);
  } catch {
    report.log('error', 'The interval override cannot be read; using the configured interval', { path });
    return undefined;
  }
}

async function readLastStart(stateRoot: string, report: Report): Promise<number | undefined> {
  const at = Date.parse((await readMember(join(stateRoot, 'schedule'), 'lastStart', report)) ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Reads one text member of a small JSON file.
 *
 * @returns undefined when the file is absent, an empty text when it is damaged
 */
async function readMember(path: string, member: string, report: Report): Promise<string | undefined> {
  try {
    const document: unknown = JSON.parse(await readPlainText(path));
    const value = (document as Record<string, unknown> | null)?.[member];
    return typeof value === 'string' ? value : '';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    report.log('warn', 'A file of the schedule cannot be read', { path });
    return '';
  }
}
