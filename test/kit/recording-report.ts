import type { AuditEvent, LogFields, LogLevel, Report } from '../../src/base/report.ts';

export interface RecordingReport extends Report {
  readonly records: { readonly level: LogLevel; readonly message: string; readonly fields: LogFields }[];
  readonly audits: AuditEvent[];
}

/** A report that keeps what it is told, for tests that look at what was said. */
export function createRecordingReport(): RecordingReport {
  const records: RecordingReport['records'] = [];
  const audits: AuditEvent[] = [];
  const toReport = (own: LogFields): RecordingReport => ({
    records,
    audits,
    log: (level, message, fields) => {
      records.push({ level, message, fields: { ...own, ...fields } });
    },
    audit: (event) => {
      audits.push(event);
    },
    meter: { add: () => {}, set: () => {} },
    child: (fields) => toReport({ ...own, ...fields }),
  });
  return toReport({});
}
