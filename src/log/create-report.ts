import { createConsola, type LogObject } from 'consola/core';
import type { AuditEvent, LogFields, LogLevel, Meter, Report } from '../base/report.ts';
import { formatJsonRecord, formatPrettyRecord, type LogRecord } from './format-record.ts';
import { toPlainFields, toPlainText } from './to-record.ts';

/** What is asked of a stream: a `Writable`, or less. */
export interface LogStream {
  write(line: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface ReportOptions {
  /** Records below it are dropped; audit records never are. */
  readonly level: LogLevel;
  readonly stream: LogStream;
  /** Lines for people instead of JSON. */
  readonly pretty: boolean;
  readonly colours?: boolean;
  /** Fields of every record. */
  readonly fields?: LogFields;
  readonly meter: Meter;
  /** Values that must never appear; what is added later counts from then on. */
  readonly redact?: ReadonlySet<string> | readonly string[];
}

const levels: Record<LogLevel, number> = { error: 0, warn: 1, info: 3, debug: 4 };

/**
 * The report that writes records to a stream, one line each. It never throws: a reader that has gone away (`EPIPE`)
 * ends the writing, not the work.
 */
export function createReport(options: ReportOptions): Report {
  const { stream, pretty, colours = false, meter, redact = [] } = options;
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });

  function write(record: LogRecord): void {
    if (gone) return;
    try {
      stream.write(pretty ? formatPrettyRecord(record, colours) : formatJsonRecord(record));
    } catch {
      gone = true;
    }
  }

  const consola = createConsola({
    level: levels[options.level],
    // every record counts: consola would fold repeated ones together
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
        write(toAuditRecord(event, own, redact));
      },
      meter,
      child: (fields) => toReport({ ...own, ...fields }),
    };
  }
  return toReport(options.fields ?? {});
}

/** An audit record; its own members win over everything else of their name. */
function toAuditRecord(event: AuditEvent, own: LogFields, redact: Iterable<string>): LogRecord {
  const { actor, action, target, outcome, origin, details } = event;
  const members = { auditSchema: 1, logType: 'audit', actor, action, target, outcome, origin };
  return {
    ts: new Date().toISOString(),
    level: 'audit',
    msg: `Audit: ${action}`,
    fields: toPlainFields({ ...own, ...members, ...details, ...members }, redact),
  };
}
