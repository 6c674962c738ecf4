import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../base/clock.ts';
import { type Digest, digestAlgorithm } from '../base/digest.ts';
import { actors, type Report } from '../base/report.ts';
import type { ScrubFinding, ScrubView } from '../contract/recipe.ts';
import { isTransient } from '../disk/read-error.ts';
import type { HashOutcome } from '../disk/threads/hash-file.ts';
import { hashPaced } from '../disk/threads/hash-paced.ts';
import { type TakenOut, takeOut } from '../engine/sync/take-out.ts';
import { blobPath } from '../oci/layout.ts';
import { describeOutcome, judgeBlob } from '../store/blobs/judge-blob.ts';
import { listQuarantine } from '../store/blobs/quarantine-folder.ts';
import { listBlobs } from '../store/list-blobs.ts';
import type { Store } from '../store/model.ts';
import { occupancyOf } from '../store/occupancy.ts';
import type { Rule } from '../text/rule.ts';
import { openScrubRecord, type ScrubPass, type ScrubRecord, type ScrubState } from './scrub-record.ts';

interface ScrubRateOptions {
  /** Returns the limit in bytes per second. Called before each read. */
  readonly rate: () => number;
  readonly signal: AbortSignal;
}

/** Limits the bytes read per second. Unused capacity is not accumulated, so there are no bursts. */
class ScrubRate {
  readonly #options: ScrubRateOptions;
  /** Earliest time of the next read, in milliseconds of `performance.now()`. */
  #freeAt = 0;

  constructor(options: ScrubRateOptions) {
    this.#options = options;
  }

  /** Waits until reading `bytes` is within the limit. @throws the reason of the signal */
  async take(bytes: number): Promise<void> {
    const { rate, signal } = this.#options;
    signal.throwIfAborted();
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now) + (bytes / rate()) * 1000;
    const pause = this.#freeAt - now;
    // a shorter pause is not worth a timer
    if (pause > 5) await wait(pause, undefined, { ref: false, signal });
  }
}

/** Bytes per second while the instance is idle. Low enough to leave the disk to others. */
const idleRate = 32 << 20;
/**
 * Bytes per second beside tasks, verifications and requests. Not zero, so that a busy instance completes
 * passes too.
 */
const busyRate = 2 << 20;
/** Cost of a file in addition to its bytes, in bytes: limits the rate to about 500 small files per second. */
const fileCost = 64 << 10;
/** Milliseconds from the start of one pass to the start of the next. */
const passInterval = 24 * 60 * 60 * 1000;
/** Milliseconds between two writes of the progress of a pass. */
const saveInterval = 30_000;
/** Maximum interval of checks whether a pass is due, in milliseconds. */
const idleInterval = 60_000;
const maxFindings = 100;

export interface ScrubOptions {
  readonly store: Store;
  /** Folder of the progress record. Without it, each process starts a new pass. */
  readonly stateRoot: string | undefined;
  readonly report: Report;
  /** Whether the instance has requests, tasks or verifications under way. */
  readonly isBusy: () => boolean;
  /** For tests: bytes per second; `interval` is milliseconds between passes. */
  readonly idleRate?: number;
  readonly interval?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Background check: repeatedly reads the store at a limited rate, and moves damaged blobs to quarantine. */
export interface StoreScrub {
  view(): ScrubView;
  start(): void;
  /** Stops the pass. The next process resumes it. */
  stop(): Promise<void>;
}

export function createScrub(options: ScrubOptions): StoreScrub {
  return new Scrub(options);
}

class Scrub implements StoreScrub {
  readonly #options: ScrubOptions;
  readonly #ending = new AbortController();
  readonly #now: () => number;
  readonly #rate: ScrubRate;
  #record: ScrubRecord | undefined;
  #quarantine: ScrubView['quarantine'] = { files: 0, bytes: 0 };
  #running: Promise<void> = Promise.resolve();
  #savedAt = 0;

  constructor(options: ScrubOptions) {
    this.#options = options;
    this.#now = options.now ?? systemClock.wall;
    const { isBusy, idleRate: rate = idleRate } = options;
    this.#rate = new ScrubRate({
      rate: () => (isBusy() ? Math.min(busyRate, rate) : rate),
      signal: this.#ending.signal,
    });
  }

  view(): ScrubView {
    const { store } = this.#options;
    const totalBytes = occupancyOf(store).bytes;
    const { pass, last } = selectMedium(this.#record?.state, store.mediaId);
    return {
      enabled: this.#isEnabled(),
      ...(pass === undefined ? {} : { running: { ...toTotals(pass), totalBytes } }),
      ...(last === undefined
        ? {}
        : { last: { ...toTotals(last), finishedAt: last.finishedAt, findings: last.findings } }),
      quarantine: this.#quarantine,
    };
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (this.#ending.signal.aborted) return;
      this.#options.report.log('error', 'the background check of the store ended', { error });
    });
  }

  async stop(): Promise<void> {
    this.#ending.abort(new Error('the instance stops'));
    await this.#running;
  }

  #isEnabled(): boolean {
    const { standing, readOnly } = this.#options.store;
    return standing === 'ours' && readOnly === undefined;
  }

  async #run(): Promise<void> {
    const { store, stateRoot, report, interval = passInterval } = this.#options;
    const { signal } = this.#ending;
    await this.#countQuarantine();
    this.#record = await openScrubRecord(stateRoot, store.mediaId, report);
    const { last } = selectMedium(this.#record.state, store.mediaId);
    if (last !== undefined) this.#noteCompletion(Date.parse(last.finishedAt));
    const sinceLast = this.#now() - Date.parse(this.#record.state.last?.startedAt ?? '1970-01-01');
    // after the clock was set back, the difference is negative: the next pass starts now
    let dueAt = performance.now() + (sinceLast >= 0 && sinceLast < interval ? interval - sinceLast : 0);
    if (this.#record.state.pass !== undefined) dueAt = 0;
    for (;;) {
      const left = dueAt - performance.now();
      if (left > 0 || !this.#isEnabled()) {
        // files are removed from quarantine by hand; a folder that cannot be read now is read again
        await this.#countQuarantine().catch(() => undefined);
        await wait(Math.max(1, Math.min(left > 0 ? left : idleInterval, idleInterval)), undefined, {
          ref: false,
          signal,
        });
        continue;
      }
      dueAt = performance.now() + interval;
      try {
        await this.#pass(this.#record);
      } catch (error) {
        signal.throwIfAborted();
        report.log('error', 'the background check of the store was interrupted', { error });
      }
    }
  }

  async #pass(record: ScrubRecord): Promise<void> {
    const { store, report } = this.#options;
    const { signal } = this.#ending;
    const resumed = selectMedium(record.state, store.mediaId).pass;
    let pass: ScrubPass = resumed ?? {
      mediaId: store.mediaId,
      startedAt: new Date(this.#now()).toISOString(),
      files: 0,
      bytes: 0,
      damaged: 0,
      findings: [],
    };
    report.log('info', 'the background check of the store started', {
      mediaId: store.mediaId,
      resumed: resumed !== undefined,
    });
    try {
      await this.#countQuarantine();
      await record.save({ ...record.state, pass });
      for await (const batch of listBlobs(store, pass.lastDigest)) {
        for (const { digest, size } of batch) {
          pass = await this.#check(pass, digest, size);
          record.state = { ...record.state, pass };
        }
        if (performance.now() - this.#savedAt > saveInterval) await this.#save(record);
      }
    } catch (error) {
      await this.#save(record);
      signal.throwIfAborted();
      throw error;
    }
    const { lastDigest: _, ...done } = pass;
    const finishedAt = new Date(this.#now()).toISOString();
    await record.save({ last: { ...done, finishedAt } });
    report.meter.add('svc_store_scrub_runs_total', 1);
    this.#noteCompletion(this.#now());
    report.log(pass.damaged > 0 ? 'error' : 'info', 'the background check of the store is complete', {
      mediaId: store.mediaId,
      files: pass.files,
      bytes: pass.bytes,
      damaged: pass.damaged,
    });
  }

  async #save(record: ScrubRecord): Promise<void> {
    this.#savedAt = performance.now();
    await record.save(record.state);
  }

  /** Reads one blob at the current rate. @returns the pass with the result */
  async #check(pass: ScrubPass, digest: Digest, size: number): Promise<ScrubPass> {
    const { store, report } = this.#options;
    await this.#rate.take(fileCost);
    let bytes = 0;
    const outcome = await hashPaced(
      store.root,
      { path: blobPath(digest), algorithm: digestAlgorithm(digest), size: size < 0 ? undefined : size },
      {
        pace: async (count) => {
          bytes += count;
          report.meter.add('svc_store_scrub_bytes_total', count);
          await this.#rate.take(count);
        },
      },
    );
    const next = { ...pass, lastDigest: digest, files: pass.files + 1, bytes: pass.bytes + bytes };
    const state = judgeBlob(digest, outcome);
    if (state === 'whole') return next;
    if (state === 'unreadable') {
      const detail = 'detail' in outcome ? outcome.detail : undefined;
      report.log('warn', 'a blob of the store could not be read', {
        digest,
        detail: detail && String(detail),
      });
      return next;
    }
    const findings = await this.#takeOut(
      digest,
      outcome,
      describeOutcome(outcome, size < 0 ? undefined : size),
    );
    return {
      ...next,
      damaged: pass.damaged + findings.length,
      findings: [...pass.findings, ...findings].slice(0, maxFindings),
    };
  }

  /**
   * @returns the findings for a damaged or missing blob; empty when a second check finds it intact or removed
   *   on purpose
   */
  async #takeOut(
    digest: Digest,
    outcome: HashOutcome,
    problem: Rule | string,
  ): Promise<readonly ScrubFinding[]> {
    const { store, report } = this.#options;
    const foundAt = new Date(this.#now()).toISOString();
    let moved: readonly TakenOut[];
    try {
      moved = await takeOut(store, [{ digest, outcome }], { report, actor: actors.system });
    } catch (error) {
      if (isTransient(error)) {
        report.log('warn', 'a blob of the store could not be read', { digest, error });
        return [];
      }
      // the blob is not served anyway; the next pass finds it again
      report.log('error', 'A damaged blob of the store could not be moved', { digest, error });
      moved = [{ digest, size: 0, problem, affects: [] }];
    }
    return moved.map(({ path, size, problem: found, affects }) => {
      if (path !== undefined) this.#count(size);
      report.meter.add('svc_store_scrub_damaged_total', 1);
      return {
        digest,
        problem: String(found),
        foundAt,
        affects,
        path,
      };
    });
  }

  /** Counts the files in quarantine again, since they may have been removed. */
  async #countQuarantine(): Promise<void> {
    const found = await listQuarantine(this.#options.store.root);
    const bytes = found.reduce((sum, { size }) => sum + size, 0);
    const last = found.length === 0 ? undefined : Math.max(...found.map(({ movedAt }) => movedAt));
    this.#quarantine = {
      files: found.length,
      bytes,
      ...(last === undefined ? {} : { lastAt: new Date(last).toISOString() }),
    };
  }

  /** @param at milliseconds since the epoch */
  #noteCompletion(at: number): void {
    this.#options.report.meter.set('svc_store_scrub_last_completed_timestamp_seconds', at / 1000);
  }

  #count(size: number): void {
    const { files, bytes } = this.#quarantine;
    const lastAt = new Date(this.#now()).toISOString();
    this.#quarantine = { files: files + 1, bytes: bytes + size, lastAt };
  }
}

/** Selects the state that belongs to this medium; a reset creates a new medium. */
function selectMedium(state: ScrubState | undefined, mediaId: string): ScrubState {
  const { pass, last } = state ?? {};
  return {
    ...(pass?.mediaId === mediaId ? { pass } : {}),
    ...(last?.mediaId === mediaId ? { last } : {}),
  };
}

function toTotals({ startedAt, files, bytes, damaged }: ScrubPass) {
  return { startedAt, files, bytes, damaged };
}
