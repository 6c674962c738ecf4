import type { Digest } from '../../base/digest.ts';
import { toChartArtifact } from '../../chart/chart-artifact.ts';
import { toStoreShelf } from './archive-shelf.ts';
import type { ImportProgress } from './import-progress.ts';
import type { ImportOutcome, ImportRun } from './import-run.ts';
import { type ChartPlace, putChart } from './put-chart.ts';
import { type StoredChart, vendorChart } from './vendor-chart.ts';

interface ChartOrigin {
  /** Digest of the artifact that was inspected. */
  readonly digest: Digest;
  readonly from: URL;
}

/**
 * Imports a chart, whose archive is in the store, with its missing dependencies added to it. The additions
 * and their origins are recorded as annotations of the artifact, in the task and in the log.
 *
 * @throws errors of `vendorChart` and `putChart`
 */
export async function importVendored(
  at: ChartPlace,
  chart: StoredChart,
  origin: ChartOrigin,
  run: ImportRun,
  progress: ImportProgress,
): Promise<ImportOutcome> {
  const { journal, report, settings } = run;
  const { reference } = at;
  const { contents, layer, dependencies } = await vendorChart(chart, {
    ...run,
    shelf: toStoreShelf(run.store),
    retries: settings.retries,
    reference,
    from: origin.from,
    onBytes: progress.onBytes,
    onVendored: (found, { name, version, digest }) => {
      journal.line(`vendored ${name} ${version} from ${found.reference}: ${digest}`);
      report.log('info', 'A dependency was added to a chart', {
        source: found.reference,
        digest,
        chart: reference,
        dependency: name,
      });
    },
  });
  journal.line(`${reference}: its archive was changed; signatures of the original are not carried`);
  const vendored = { from: origin.digest, dependencies };
  const artifact = toChartArtifact({ contents, layer, reference, vendored });
  const imported = await putChart(at, artifact, undefined, run, progress);
  // the archives of chart and dependencies remain in the store, without a tag
  return { ...imported, leavesContent: true };
}
