import { type LogLevel, type Report, silentReport } from '../base/report.ts';
import type { Place } from '../disk/place/place.ts';
import { createRotatingFile } from '../disk/rotating-file.ts';
import { toSvcError } from '../text/error.ts';
import { createReport } from './create-report.ts';
import { createLineQueue } from './line-queue.ts';

export interface MediumLogOptions {
  /** The root of the store. */
  readonly root: string;
  /** The folder as it was opened. Nothing is written into another one at its path. */
  readonly place?: Pick<Place, 'requireInPlace'> | undefined;
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

/**
 * Opens the operation log of a medium. Creates no file before the first record. No failure stops the work that is logged:
 * it is reported once, and again only after a successful write.
 */
export function openMediumLog(options: MediumLogOptions): MediumLog {
  const { root, place, file, maxSize, keep, report, redact = [], level = 'info' } = options;
  if (options.disabled) {
    return { sink: silentReport, flush: async () => {}, [Symbol.asyncDispose]: async () => {} };
  }
  const { take, flush } = createLineQueue({
    file: createRotatingFile({ root, path: file, maxSize, keep, check: place?.requireInPlace }),
    batchSize: maxSize,
    onRefused: (error) => {
      const { code, detail } = toSvcError(error);
      const fields = { file, code, detail };
      report.log('warn', 'The medium log cannot be written; continuing without it', fields);
    },
    onResumed: () => report.log('info', 'Writing the medium log resumed', { file }),
  });
  // this log handles its own failures: the stream never reports one
  const stream = { write: take, on: () => undefined };
  return {
    sink: createReport({ level, stream, pretty: false, meter: silentReport.meter, redact }),
    flush,
    [Symbol.asyncDispose]: flush,
  };
}
