import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Report } from '../../base/report.ts';
import { isSvcError, toErrorRecord } from '../../text/error.ts';
import type { Clearance } from './clearance.ts';
import { type CopyState, lookAtCopy } from './copy-state.ts';

/** Waiting times, in milliseconds. */
export interface WatchTimes {
  /** Between two looks. */
  readonly look: number;
  /** For which an incomplete medium does not change before it is judged incomplete. */
  readonly patience: number;
}

const usual: WatchTimes = { look: 2000, patience: 5 * 60_000 };

/** Shortest rest after work, as a multiple of its duration: a disk that changes all the time takes a part of the time only. */
const rest = 2;

interface WatchOptions {
  readonly clearance: Pick<Clearance, 'closeIfChanged' | 'noteAway'>;
  /** Folder of the medium. */
  readonly root: () => string;
  /** Whether the disk has other files than those that were opened last. */
  readonly isChanged: () => boolean;
  /** Whether a verification runs. */
  readonly isVerifying: () => boolean;
  /** Ends the verification that runs. */
  readonly endVerification: () => void;
  /** Whether something uses the store, which is then not opened anew. */
  readonly isUsed: () => boolean;
  /** Lets go of a medium that is gone, so that its disk can be unmounted. */
  readonly release: () => Promise<void>;
  /** Opens the medium anew and verifies it. Rejects where there is no verdict. */
  readonly verify: () => Promise<unknown>;
  readonly report: Report;
  readonly times?: Partial<WatchTimes> | undefined;
}

/** Watches the medium that an instance serves. */
export interface MediumWatch {
  start(): void;
  /** Stops looking; resolves when nothing is under way. */
  stop(): Promise<void>;
}

/**
 * Watches the medium of an instance for another one in its place, or a delivery that is copied into its folder. Its content is
 * closed at once; when the files no longer change, the medium is opened anew and verified. One medium is verified at a time,
 * with a rest in between, however often the disk changes.
 */
export function watchMedium(options: WatchOptions): MediumWatch {
  const { clearance, report } = options;
  const times = { ...usual, ...options.times };
  const ending = new AbortController();
  const { signal } = ending;
  let running: Promise<void> = Promise.resolve();

  const pause = (milliseconds: number): Promise<void> =>
    wait(milliseconds, undefined, { ref: false, signal });

  /** Does work, then rests for its duration and longer. */
  const rested = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work();
    } finally {
      await pause(Math.max(times.look, (performance.now() - started) * rest));
    }
  };

  /** Resolves when there is a medium whose files no longer change; a folder that cannot be read is looked at again. */
  const settle = async (): Promise<void> => {
    let before: CopyState | undefined;
    let since = performance.now();
    for (;;) {
      const seen = before;
      const now = await rested(() => lookAtCopy(options.root(), seen, signal)).catch(() => undefined);
      signal.throwIfAborted();
      const isGone = now === undefined || now.isBare;
      clearance.noteAway(isGone);
      if (isGone && !options.isVerifying() && !options.isUsed()) await options.release();
      const isSame = !isGone && now.text === seen?.text;
      if (!isSame) since = performance.now();
      else if (now.isComplete || performance.now() - since >= times.patience) return;
      before = now;
    }
  };

  let asked: Promise<true> | undefined;
  /** Whether the disk answers at all: the process waits for the looks that follow. */
  const answers = (): Promise<boolean> => {
    const answered = () => true as const;
    const late = () => false;
    asked ??= stat(options.root())
      .then(answered, answered)
      .finally(() => {
        asked = undefined;
      });
    return Promise.race([asked, pause(times.look).then(late, late)]);
  };

  const run = async (): Promise<void> => {
    for (;;) {
      await pause(times.look);
      if (!(await answers()) || !clearance.closeIfChanged()) continue;
      if (options.isVerifying()) {
        if (options.isChanged()) options.endVerification();
        continue;
      }
      await settle();
      if (!clearance.closeIfChanged() || options.isVerifying() || options.isUsed()) continue;
      report.log('info', 'The medium no longer changes: it is opened again and verified');
      await rested(() => options.verify()).catch((error: unknown) => {
        signal.throwIfAborted();
        const { code, params } = toErrorRecord(error);
        report.log(
          isSvcError(error, 'SVC-MED-033') ? 'info' : 'warn',
          'The medium could not be verified yet',
          {
            code,
            params,
          },
        );
      });
    }
  };

  return {
    start: () => {
      running = run().catch((error: unknown) => {
        if (!signal.aborted) report.log('error', 'The medium is no longer watched', { error });
      });
    },
    stop: async () => {
      ending.abort(new Error('the instance stops'));
      await running;
    },
  };
}
