import type { Report } from '../../base/report.ts';
import { judgeNames } from '../../chart/member-names.ts';
import type { TaskJournal } from '../../task/model.ts';

/**
 * Reports unsafe entries in the archive of a chart, in the log and in the task. A chart pinned or chosen by its digest
 * is carried unchanged. A chart that this program packs or pushes is refused.
 *
 * @param archive findings in the archive
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
