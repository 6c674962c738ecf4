import type { Report } from '../base/report.ts';

/** A report whose audit records name where the request for the work came from, unless they say it themselves. */
export function createOriginReport(report: Report, origin: string | undefined): Report {
  if (origin === undefined) return report;
  return {
    log: (level, message, fields) => report.log(level, message, fields),
    audit: (event) => report.audit({ ...event, origin: event.origin ?? origin }),
    meter: report.meter,
    child: (fields) => createOriginReport(report.child(fields), origin),
  };
}
