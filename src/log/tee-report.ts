import type { Report } from '../base/report.ts';

/** Creates a report that forwards to several. Only the first counts metrics. */
export function teeReport(first: Report, ...others: readonly Report[]): Report {
  const all = [first, ...others];
  return {
    log(level, message, fields) {
      for (const report of all) report.log(level, message, fields);
    },
    audit(event) {
      for (const report of all) report.audit(event);
    },
    meter: first.meter,
    child: (fields) => teeReport(first.child(fields), ...others.map((report) => report.child(fields))),
  };
}
