import { toStamp } from '../base/clock.ts';

/** A file to which lines are appended. */
export interface LineFile {
  /** Appends whole lines; texts keep their order. */
  append(text: string): Promise<void>;
  /** Makes the lines durable and closes the file; a later `append` opens it again. */
  close(): Promise<void>;
}

interface LineQueueOptions {
  readonly file: LineFile;
  /** Bytes of one append; a longer line is appended by itself. Default: 64 KiB, and no more. */
  readonly batchSize?: number;
  /** Called for the first failure, and again only after a successful write. */
  readonly onRefused: (error: unknown) => void;
  /** Called for the first write after a failure. */
  readonly onResumed: () => void;
}

interface LineQueue {
  /** Takes a line, which ends with a line feed, without waiting for the file. */
  take(line: string): void;
  /** Resolves when every line so far is durable, or could not be written. */
  flush(): Promise<void>;
}

/** Message of the line about lost ones. It has their number as `records`, and the time of the first of them as `since`. */
export const lossMessage = 'Records could not be written here';

/** Characters that may wait for a slow file; further lines are dropped and counted. */
const maxWaiting = 4 << 20;
const maxBatch = 64 << 10;
/** Milliseconds without a line after which the file is synced and closed. */
const restAfter = 2000;
/** Milliseconds between two attempts after a failed write. */
const retryAfter = 60_000;

/**
 * Creates a queue of the lines of a log. No failure stops the work that is logged: lines that could not be written are
 * counted, and a line in the file says so as soon as one can be written again.
 */
export function createLineQueue(options: LineQueueOptions): LineQueue {
  const { file, onRefused, onResumed } = options;
  const batchSize = Math.min(maxBatch, options.batchSize ?? maxBatch);
  const waiting: string[] = [];
  let waitingLength = 0;
  let lost = 0;
  /** Time of the first lost line. */
  let lostSince = '';
  let refusedAt: number | undefined;
  let writing: Promise<void> | undefined;
  let rest: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = takeBatch();
      if (refusedAt !== undefined && performance.now() - refusedAt < retryAfter) {
        lose(lines);
        continue;
      }
      try {
        await tellLoss();
        await file.append(lines.join(''));
        resume();
      } catch (error) {
        lose(lines);
        refuse(error);
      }
    }
    clearTimeout(rest);
    rest = setTimeout(() => void letGo(), restAfter).unref();
  }

  function lose(lines: readonly string[]): void {
    if (lost === 0) lostSince = /^\{"ts":"([^"]+)"/.exec(lines[0]!)?.[1] ?? toStamp();
    lost += lines.length;
  }

  async function tellLoss(): Promise<void> {
    if (lost === 0) return;
    const told = lost;
    await file.append(formatLoss(told, lostSince));
    // further lines may be lost meanwhile
    lost -= told;
    lostSince = toStamp();
  }

  /** Takes lines that fit in one append. */
  function takeBatch(): string[] {
    let length = 0;
    let count = 0;
    for (const line of waiting) {
      length += Buffer.byteLength(line);
      if (count > 0 && length > batchSize) break;
      count += 1;
    }
    const lines = waiting.splice(0, count);
    for (const line of lines) waitingLength -= line.length;
    return lines;
  }

  function resume(): void {
    if (refusedAt !== undefined) onResumed();
    refusedAt = undefined;
  }

  function refuse(error: unknown): void {
    if (refusedAt === undefined) onRefused(error);
    refusedAt = performance.now();
  }

  async function letGo(): Promise<void> {
    try {
      await file.close();
    } catch (error) {
      refuse(error);
    }
  }

  return {
    take(line) {
      if (waitingLength + line.length > maxWaiting) {
        lose([line]);
        return;
      }
      waiting.push(line);
      waitingLength += line.length;
      writing ??= Promise.resolve()
        .then(write)
        .finally(() => {
          writing = undefined;
        });
    },
    async flush() {
      while (writing) await writing;
      clearTimeout(rest);
      // the process may end without a further line
      if (lost > 0) await tellLoss().then(resume, refuse);
      await letGo();
    },
  };
}

function formatLoss(records: number, since: string): string {
  const record = { ts: toStamp(), level: 'warn', msg: lossMessage, records, since };
  return `${JSON.stringify(record)}\n`;
}
