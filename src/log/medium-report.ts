import type { Report } from '../base/report.ts';

/**
 * Creates a report whose records name the medium.
 *
 * @param mediaId called for each record, as a reset of the store changes the identifier
 */
export function createMediumReport(report: Report, mediaId: () => string): Report {
  return {
    log: (level, message, fields) => report.log(level, message, { mediaId: mediaId(), ...fields }),
    audit: (event) => report.audit({ ...event, details: { mediaId: mediaId(), ...event.details } }),
    meter: report.meter,
    child: (fields) => createMediumReport(report.child(fields), mediaId),
  };
}
