import { toStamp } from '../base/clock.ts';
import { type LogLevel, type Report, silentReport } from '../base/report.ts';
import { createRotatingFile } from '../disk/rotating-file.ts';
import { toSvcError } from '../text/error.ts';
import { createReport } from './create-report.ts';

export interface MediumLogOptions {
  /** The root of the store. */
  readonly root: string;
  /** Below the root, with `/`: `logging.media.file`. */
  readonly file: string;
  /** Bytes of one file. */
  readonly maxSize: number;
  /** Rotated files kept. */
  readonly keep: number;
  /** `logging.media.disabled`: no file is opened or written. */
  readonly disabled?: boolean;
  /** Default `info`. */
  readonly level?: LogLevel;
  /** Values that must never appear. */
  readonly redact?: ReadonlySet<string> | readonly string[];
  /** Report for failures of the log itself; never one that this log is part of. */
  readonly report: Report;
}

/** The operation log of a medium: records the operations of the source side for the destination side. */
interface MediumLog extends AsyncDisposable {
  /** The report that writes to the log, for `teeReport`. */
  readonly sink: Report;
  /** Resolves when every record so far is durable, or could not be written. */
  flush(): Promise<void>;
}

/** Characters that may wait for a slow medium; further records are dropped and counted. */
const maxWaiting = 4 << 20;
const maxBatch = 64 << 10;
/** Milliseconds without a record after which the file is synced and closed. */
const restAfter = 2000;
/** Milliseconds between two attempts after a failed write. */
const retryAfter = 60_000;

/**
 * Opens the operation log of a medium. Creates no file before the first record. No failure stops the work that is logged:
 * it is reported once, and again only after a successful write.
 */
export function openMediumLog(options: MediumLogOptions): MediumLog {
  const { root, file, maxSize, keep, report, redact = [], level = 'info' } = options;
  if (options.disabled) {
    return { sink: silentReport, flush: async () => {}, [Symbol.asyncDispose]: async () => {} };
  }
  const target = createRotatingFile({ root, path: file, maxSize, keep });
  const batchSize = Math.min(maxBatch, maxSize);
  const waiting: string[] = [];
  let waitingLength = 0;
  let lost = 0;
  let refusedAt: number | undefined;
  let writing: Promise<void> | undefined;
  let rest: NodeJS.Timeout | undefined;

  function take(line: string): void {
    if (waitingLength + line.length > maxWaiting) {
      lost += 1;
      return;
    }
    waiting.push(line);
    waitingLength += line.length;
    writing ??= Promise.resolve()
      .then(write)
      .finally(() => {
        writing = undefined;
      });
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = takeBatch();
      if (refusedAt !== undefined && performance.now() - refusedAt < retryAfter) {
        lost += lines.length;
        continue;
      }
      try {
        if (lost > 0) await target.append(formatLoss(lost));
        lost = 0;
        await target.append(lines.join(''));
        if (refusedAt !== undefined) report.log('info', 'Writing the medium log resumed', { file });
        refusedAt = undefined;
      } catch (error) {
        lost += lines.length;
        refuse(error);
      }
    }
    clearTimeout(rest);
    rest = setTimeout(() => void letGo(), restAfter).unref();
  }

  /** Takes lines that fit in one write: only a record that is larger than a whole file is cut. */
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

  function refuse(error: unknown): void {
    if (refusedAt === undefined) {
      const { code, detail } = toSvcError(error);
      report.log('warn', 'The medium log cannot be written; continuing without it', {
        file,
        code,
        detail,
      });
    }
    refusedAt = performance.now();
  }

  async function letGo(): Promise<void> {
    try {
      await target.close();
    } catch (error) {
      refuse(error);
    }
  }

  async function flush(): Promise<void> {
    while (writing) await writing;
    clearTimeout(rest);
    await letGo();
  }

  // this log handles its own failures: the stream never reports one
  const stream = { write: take, on: () => undefined };
  return {
    sink: createReport({ level, stream, pretty: false, meter: silentReport.meter, redact }),
    flush,
    [Symbol.asyncDispose]: flush,
  };
}

function formatLoss(records: number): string {
  const record = {
    ts: toStamp(),
    level: 'warn',
    msg: 'Records could not be written here',
    records,
  };
  return `${JSON.stringify(record)}\n`;
}
