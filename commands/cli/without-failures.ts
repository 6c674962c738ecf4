import type { Report } from '../../src/base/report.ts';

/**
 * Returns a report for a command whose output is text. It has no failures of single recipes, ingredients and entries: the
 * command prints each when it ends, with its remedy. Of the requests to one host that failed and are sent again, it has
 * the first.
 */
export function withoutFailures(report: Report): Report {
  /** Hosts of which such a request was reported. */
  const hosts = new Set<unknown>();
  const wrap = (wrapped: Report): Report => ({
    log(level, message, fields) {
      if (level === 'error' && fields?.error !== undefined) return;
      if (fields?.attempt !== undefined) {
        const host = fields.effective ?? fields.source;
        if (hosts.has(host)) return;
        hosts.add(host);
      }
      wrapped.log(level, message, fields);
    },
    audit: (event) => wrapped.audit(event),
    meter: wrapped.meter,
    child: (fields) => wrap(wrapped.child(fields)),
  });
  return wrap(report);
}
