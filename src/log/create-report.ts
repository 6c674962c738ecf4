import { createConsola, type LogObject } from 'consola/core';
import { toStamp } from '../base/clock.ts';
import type { AuditEvent, LogFields, LogLevel, Meter, Report } from '../base/report.ts';
import { formatJsonRecord, formatPrettyRecord, type LogRecord } from './format-record.ts';
import { toPriorityPrefix } from './journal.ts';
import { toPlainFields, toPlainText } from './to-record.ts';

/** The required members of a stream: a `Writable`, or less. */
interface LogStream {
  write(line: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface ReportOptions {
  /** Minimum log level; audit records are always written. */
  readonly level: LogLevel;
  readonly stream: LogStream;
  /** Writes lines for people instead of JSON. */
  readonly pretty: boolean;
  readonly colours?: boolean;
  /** Whether the journal reads the stream: each line begins with its priority. */
  readonly journal?: boolean;
  /** Fields of every record. */
  readonly fields?: LogFields;
  readonly meter: Meter;
  /** Called with each audit record, also when nobody reads the stream. */
  readonly keep?: (record: LogRecord) => void;
  /** Values that must never appear; later additions take effect at once. */
  readonly redact?: ReadonlySet<string> | readonly string[];
}

const levels: Record<LogLevel, number> = { error: 0, warn: 1, info: 3, debug: 4 };

/** Errors of a full volume, which can end. After any other, such as `EPIPE`, nobody reads the stream any more. */
const passing: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Creates the report that writes records to a stream, one line each. It never throws: if the reader is gone (`EPIPE`),
 * writing ends, and the work continues. After a full volume, records are written as soon as there is room again, after
 * one that reports missing records.
 */
export function createReport(options: ReportOptions): Report {
  const { stream, pretty, colours = false, journal = false, meter, redact = [] } = options;
  let gone = false;
  let wasFull = false;
  /** Code of the last error of a full volume, until it was reported. */
  let lost: string | undefined;
  const fail = (error: unknown): void => {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    if (passing.has(code)) {
      wasFull = true;
      lost = code;
    } else if (wasFull && code === 'ERR_STREAM_DESTROYED') lost ??= code;
    else gone = true;
  };
  stream.on('error', fail);

  const format = (record: LogRecord): string =>
    `${journal ? toPriorityPrefix(record.level) : ''}${pretty ? formatPrettyRecord(record, colours) : formatJsonRecord(record)}`;

  /** The record about missing ones, on a line of its own: the last line may be incomplete. */
  function formatLoss({ ts }: LogRecord): string {
    if (lost === undefined) return '';
    const code = lost;
    lost = undefined;
    const msg = 'records are missing before this one: the log could not be written';
    return `\n${format({ ts, level: 'error', msg, fields: { code } })}`;
  }

  function write(record: LogRecord): void {
    if (gone) return;
    try {
      stream.write(`${formatLoss(record)}${format(record)}`);
    } catch (error) {
      fail(error);
    }
  }

  const consola = createConsola({
    level: levels[options.level],
    // consola would merge repeated records
    throttle: Number.NEGATIVE_INFINITY,
    throttleMin: Number.POSITIVE_INFINITY,
    reporters: [
      {
        log({ type, args, date }: LogObject) {
          const [message, fields] = args as [string, LogFields];
          write({
            ts: date.toISOString(),
            level: type as LogLevel,
            msg: toPlainText(message, redact),
            fields: toPlainFields(fields, redact),
          });
        },
      },
    ],
  });

  function toReport(own: LogFields): Report {
    return {
      log(level, message, fields) {
        consola[level](message, { ...own, ...fields });
      },
      audit(event) {
        const record = toAuditRecord(event, own, redact);
        write(record);
        options.keep?.(record);
      },
      meter,
      child: (fields) => toReport({ ...own, ...fields }),
    };
  }
  return toReport(options.fields ?? {});
}

/** Creates an audit record; its own members override all other fields of the same name. */
function toAuditRecord(event: AuditEvent, own: LogFields, redact: Iterable<string>): LogRecord {
  const { actor, action, target, outcome, origin, details } = event;
  const members = { auditSchema: 1, logType: 'audit', actor, action, target, outcome, origin };
  return {
    ts: toStamp(),
    level: 'audit',
    msg: `Audit: ${action}`,
    fields: toPlainFields({ ...own, ...members, ...(details as LogFields), ...members }, redact),
  };
}
