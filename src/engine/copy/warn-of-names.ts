import type { Report } from '../../base/report.ts';
import { judgeNames } from '../../chart/member-names.ts';
import type { TaskJournal } from '../../task/model.ts';

/**
 * Says in the log and in the task that a chart has unsafe entries in its archive. A chart that its digest names is carried
 * as it is: whoever pinned or chose it decides; one that this program packs or pushes is refused.
 *
 * @param archive what was found in it
 * @param reference names the chart
 */
export function warnOfNames(
  archive: Parameters<typeof judgeNames>[0],
  reference: string,
  { report, journal }: { readonly report: Report; readonly journal: Pick<TaskJournal, 'line'> },
): void {
  const error = judgeNames(archive, reference);
  if (error === undefined) return;
  const { expected, actual } = error.params;
  journal.line(
    `${reference} is carried, and unsafe to unpack: ${error.code}: expected ${expected}, found ${actual}`,
  );
  report.log('warn', 'A chart has unsafe entries in its archive', { source: reference, error });
}
