import assert from 'node:assert/strict';
import { detailNames } from '../../../src/base/details.ts';
import type { AuditEvent, LogFields, LogLevel, Report } from '../../../src/base/report.ts';

export interface RecordingReport extends Report {
  readonly records: { readonly level: LogLevel; readonly message: string; readonly fields: LogFields }[];
  readonly audits: AuditEvent[];
  /** Additions to counters and values of gauges, in order. */
  readonly measured: {
    readonly name: string;
    readonly value: number;
    readonly labels: Readonly<Record<string, string>>;
  }[];
}

/** A report that keeps its records, for tests that look at them. */
export function createRecordingReport(): RecordingReport {
  const records: RecordingReport['records'] = [];
  const audits: AuditEvent[] = [];
  const measured: RecordingReport['measured'] = [];
  const measure: Report['meter']['add'] = (name, value, labels = {}) => {
    measured.push({ name, value, labels });
  };
  const toReport = (own: LogFields): RecordingReport => ({
    records,
    audits,
    measured,
    log: (level, message, fields) => {
      records.push({ level, message, fields: { ...own, ...fields } });
    },
    audit: (event) => {
      // a name that came with the members of another value has no word
      for (const name of Object.keys(event.details ?? {}))
        assert.ok((detailNames as readonly string[]).includes(name), `the detail ${name} has no word`);
      audits.push(event);
    },
    meter: { add: measure, set: measure },
    child: (fields) => toReport({ ...own, ...fields }),
  });
  return toReport({});
}
