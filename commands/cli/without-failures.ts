import type { Report } from '../../src/base/report.ts';

/**
 * Returns a report without the failures of single recipes, ingredients and entries. A command whose output is text prints
 * each when it ends, with its remedy.
 */
export function withoutFailures(report: Report): Report {
  return {
    log(level, message, fields) {
      if (level !== 'error' || fields?.error === undefined) report.log(level, message, fields);
    },
    audit: (event) => report.audit(event),
    meter: report.meter,
    child: (fields) => withoutFailures(report.child(fields)),
  };
}
