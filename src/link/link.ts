import { type Clock, systemClock } from '../base/clock.ts';
import { Serial } from '../base/concurrency.ts';
import { fingerprintOf, requireUnchanged } from '../base/digest.ts';
import { formatByteRate, parseByteRate } from '../base/link/byte-rate.ts';
import type { TransferGate } from '../base/link/gate.ts';
import { RateLimiter } from '../base/link/rate-limiter.ts';
import {
  checkTimeZone,
  checkWindow,
  checkWindowList,
  isOpenAt,
  nextChange,
  toWindowPlan,
  type WindowPlan,
} from '../base/link/windows.ts';
import type { Report } from '../base/report.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { RateLimit, Windows } from '../contract/access.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type LinkOverrides, readOverrides, writeOverrides } from './overrides.ts';

export interface LinkRecord {
  readonly rateLimit: RateLimit;
  readonly windows: Windows;
}

/** The settings of the configuration. */
export interface LinkSettings {
  /** `network.rateLimit` in bytes a second; 0 and absent: no cap. */
  readonly rateLimit?: number | undefined;
  /** `sync.windows`; absent: always. */
  readonly windows?: readonly string[] | undefined;
  /** `sync.timeZone`. */
  readonly timeZone: string;
}

interface LinkOptions {
  /** Folder of the overrides; without it there are none. */
  readonly stateRoot?: string | undefined;
  readonly configured: LinkSettings;
  readonly report: Report;
  readonly clock?: Clock;
}

/** State that a client saw before a change. */
interface Shown {
  readonly fingerprint?: string | undefined;
}

/** The connection to other hosts: how fast, and when. */
export interface Link {
  readonly limiter: RateLimiter;
  readonly gate: TransferGate;
  readonly record: LinkRecord;
  /** Whether settings of an earlier process could not be read, and none was set since. */
  readonly isDamaged: boolean;
  /** Requests and transfers that wait for a window now. */
  readonly waiting: number;
  /** When the closed windows open (RFC 3339 UTC); undefined while they are open. */
  readonly opensAt: string | undefined;
  /** The first instant from this one on at which transfers run; both in milliseconds since the epoch. */
  toOpen(instant: number): number;
  /** Calls a listener when windows open or close, when a setting changes, and when the first transfer waits. */
  onChange(listener: () => void): () => void;
  /**
   * @throws SVC-VAL-001 for a text that is no rate; SVC-CFG-001 without a state root; SVC-STO-002; SVC-SRV-007 when the
   *   record no longer holds
   */
  overrideRate(rateLimit: unknown, shown?: Shown): Promise<RateLimit>;
  /** @throws SVC-CFG-001, SVC-STO-002, SVC-SRV-007 when the record no longer holds */
  clearRate(shown?: Shown): Promise<RateLimit>;
  /** @throws SVC-VAL-001 for a text that is no window, or a list that may not be; SVC-CFG-001, SVC-STO-002, SVC-SRV-007 */
  overrideWindows(windows: unknown, timeZone?: unknown, shown?: Shown): Promise<Windows>;
  /** @throws SVC-CFG-001, SVC-STO-002, SVC-SRV-007 when the record no longer holds */
  clearWindows(shown?: Shown): Promise<Windows>;
  /** Looks at the clock no longer. */
  stop(): void;
}

/** Milliseconds between two looks at the clock at most: it may be set, and the machine may have slept. */
const longestLook = 60_000;

/** Opens the link with the overrides of an earlier process. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { stateRoot, configured, report, clock = systemClock } = options;
  const writes = new Serial();
  const listeners = new Set<() => void>();
  const waiters = new Set<() => void>();
  const found = stateRoot === undefined ? undefined : await readOverrides(stateRoot, report);
  let overrides = found?.overrides ?? {};
  let isDamaged = found?.isDamaged ?? false;
  const limiter = new RateLimiter(overrides.rateLimit ?? configured.rateLimit ?? 0, clock);
  let plan = toPlan();
  let isOpen = plan === undefined || isOpenAt(plan, clock.wall());
  let cancel: (() => void) | undefined;
  let stopped = false;

  function toPlan(): WindowPlan | undefined {
    const { windows, timeZone } = overrides.windows ?? configured;
    return windows === undefined ? undefined : toWindowPlan(windows, timeZone);
  }

  const emit = (): void => {
    for (const listener of [...listeners]) listener();
  };

  /** Compares the clock with the windows. @param changed whether a setting has changed */
  function look(changed: boolean): void {
    cancel?.();
    cancel = undefined;
    const now = clock.wall();
    const was = isOpen;
    isOpen = plan === undefined || isOpenAt(plan, now);
    const next = plan === undefined ? undefined : nextChange(plan, now);
    if (next !== undefined && !stopped)
      cancel = clock.after(Math.min(Math.max(1, next - now), longestLook), () => look(false));
    if (isOpen !== was) {
      report.log(
        'info',
        isOpen ? 'Transfers run: a window has opened' : 'Transfers pause until a window opens',
        {
          ...(next === undefined ? {} : { until: new Date(next).toISOString() }),
        },
      );
    }
    if (isOpen) {
      for (const release of waiters) release();
      waiters.clear();
    }
    if (isOpen !== was || changed) emit();
  }

  const toRateRecord = (): RateLimit => ({
    effective: formatByteRate(limiter.rate),
    configured: formatByteRate(configured.rateLimit ?? 0),
    overridden: overrides.rateLimit !== undefined,
    ...(limiter.rate === 0 ? {} : { bytesPerSecond: limiter.rate }),
    fingerprint: fingerprintOf(['rateLimit', configured.rateLimit ?? 0, overrides.rateLimit ?? '']),
  });

  const toWindowsRecord = (): Windows => {
    const { windows = [], timeZone } = overrides.windows ?? configured;
    const next = plan === undefined ? undefined : nextChange(plan, clock.wall());
    return {
      effective: windows,
      configured: configured.windows ?? [],
      timeZone,
      overridden: overrides.windows !== undefined,
      open: isOpen,
      ...(next === undefined ? {} : { changesAt: new Date(next).toISOString() }),
      fingerprint: fingerprintOf([
        'windows',
        configured.timeZone,
        ...(configured.windows ?? []),
        overrides.windows === undefined ? '' : JSON.stringify(overrides.windows),
      ]),
    };
  };

  const save = async (setting: 'network.rateLimit' | 'sync.windows', next: LinkOverrides): Promise<void> => {
    await writeOverrides(requireSetting('state.root', stateRoot), next);
    overrides = next;
    isDamaged = false;
    limiter.set(overrides.rateLimit ?? configured.rateLimit ?? 0);
    plan = toPlan();
    report.log('info', 'A setting of the link has changed', { setting });
    look(true);
  };

  look(false);
  return {
    limiter,
    gate: {
      get isOpen() {
        return isOpen;
      },
      whenOpen(signal) {
        if (isOpen) return undefined;
        if (signal?.aborted) return Promise.reject(signal.reason as Error);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        waiters.add(resolve);
        if (waiters.size === 1) emit();
        const abort = (): void => {
          waiters.delete(resolve);
          reject(signal!.reason as Error);
        };
        signal?.addEventListener('abort', abort, { once: true });
        return promise.finally(() => signal?.removeEventListener('abort', abort));
      },
    },
    get record() {
      return { rateLimit: toRateRecord(), windows: toWindowsRecord() };
    },
    get isDamaged() {
      return isDamaged;
    },
    get waiting() {
      return waiters.size;
    },
    get opensAt() {
      return isOpen ? undefined : toWindowsRecord().changesAt;
    },
    toOpen: (instant) =>
      plan === undefined || isOpenAt(plan, instant) ? instant : (nextChange(plan, instant) ?? instant),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    overrideRate: (given, { fingerprint } = {}) =>
      writes.run(async () => {
        requireSetting('state.root', stateRoot);
        const rateLimit = requireRate(given);
        requireUnchanged(fingerprint, () => toRateRecord().fingerprint, 'network.rateLimit');
        await save('network.rateLimit', { ...overrides, rateLimit });
        return toRateRecord();
      }),
    clearRate: ({ fingerprint } = {}) =>
      writes.run(async () => {
        requireSetting('state.root', stateRoot);
        requireUnchanged(fingerprint, () => toRateRecord().fingerprint, 'network.rateLimit');
        const { rateLimit: _, ...others } = overrides;
        await save('network.rateLimit', others);
        return toRateRecord();
      }),
    overrideWindows: (given, zone, { fingerprint } = {}) =>
      writes.run(async () => {
        requireSetting('state.root', stateRoot);
        const windows = requireWindows(given);
        const timeZone = zone === undefined ? (overrides.windows ?? configured).timeZone : requireZone(zone);
        requireUnchanged(fingerprint, () => toWindowsRecord().fingerprint, 'sync.windows');
        await save('sync.windows', { ...overrides, windows: { windows, timeZone } });
        return toWindowsRecord();
      }),
    clearWindows: ({ fingerprint } = {}) =>
      writes.run(async () => {
        requireSetting('state.root', stateRoot);
        requireUnchanged(fingerprint, () => toWindowsRecord().fingerprint, 'sync.windows');
        const { windows: _, ...others } = overrides;
        await save('sync.windows', others);
        return toWindowsRecord();
      }),
    stop() {
      stopped = true;
      cancel?.();
      cancel = undefined;
    },
  };
}

const refuse = (path: string, broken: Rule) =>
  svcError('SVC-VAL-001', { file: rule(['request body', fr`corps de la requête`]), path, rule: broken });

/** @throws SVC-VAL-001 */
function requireRate(given: unknown): number {
  const read = parseByteRate(String(given));
  if ('rule' in read) throw refuse('/rateLimit', read.rule);
  return read.bytesPerSecond;
}

/** @throws SVC-VAL-001 */
export function requireWindows(given: unknown): readonly string[] {
  const windows = Array.isArray(given) ? given.map((each) => String(each).trim()) : [];
  for (const [index, window] of windows.entries()) {
    const rule = checkWindow(window);
    if (rule !== undefined) throw refuse(`/windows/${index}`, rule);
  }
  const rule = checkWindowList(windows);
  if (rule !== undefined) throw refuse('/windows', rule);
  return windows;
}

/** @throws SVC-VAL-001 */
export function requireZone(given: unknown): string {
  const zone = String(given).trim();
  const rule = checkTimeZone(zone);
  if (rule !== undefined) throw refuse('/timeZone', rule);
  return zone;
}
