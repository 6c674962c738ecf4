import { hashBytes } from '../../base/digest.ts';
import { toChartArtifact, toChartTag } from '../../chart/chart-artifact.ts';
import { type ChartReference, formatChartReference } from '../../chart/chart-reference.ts';
import { formatDependency } from '../../chart/embedded-dependencies.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import { localRepository } from '../../recipe/relocation.ts';
import { openRepository } from '../../store/open-repository.ts';
import { svcError } from '../../text/error.ts';
import { readStoredChart } from '../sync/check-chart.ts';
import {
  type FoundChart,
  fetchProvenance,
  findChart,
  type RepositoryAccess,
  requireListed,
  streamChart,
} from './chart-repository.ts';
import { ImportProgress } from './import-progress.ts';
import type { ImportOutcome, ImportRun } from './import-run.ts';
import { importVendored } from './import-vendored.ts';
import { putArchive } from './put-archive.ts';
import { chartOwner, putChart } from './put-chart.ts';
import { requireRoom } from './require-room.ts';
import { selectChoices, toSoleChoice } from './select-choices.ts';
import { listMissing, type StoredChart } from './vendor-chart.ts';

/** Stores the archive of a chart, unless the store has the digest that the repository lists. */
async function bringArchive(
  found: FoundChart,
  access: RepositoryAccess,
  { store, settings, report }: ImportRun,
  progress: ImportProgress,
): Promise<StoredChart['layer']> {
  const { digest } = found;
  const size = digest === undefined ? undefined : store.index.sizeOf(digest);
  if (digest !== undefined && size !== undefined) {
    const anywhere = openRepository(store, '_', { owner: chartOwner });
    if (await anywhere.hasBlob({ mediaType: mediaTypes.helmChart, digest, size })) return { digest, size };
  }
  return streamChart(found, access, async (bytes, announced) => {
    if (announced !== undefined) {
      const coming = { mediaType: mediaTypes.helmChart, digest: digest ?? hashBytes(''), size: announced };
      await requireRoom([coming], { settings, store, report });
    }
    return putArchive(store, bytes, progress.onBytes);
  });
}

/**
 * Imports a chart of a classic repository into the store as the artifact that was inspected, with its
 * provenance file.
 *
 * @throws SVC-SIG-002 when it changed since its inspection, SVC-POL-002, SVC-POL-004, SVC-CHT-001 for a dependency that
 *   is not embedded and not to be vendored, SVC-STO-004, SVC-STO-005, errors of repository and store
 */
export async function importChart(reference: ChartReference, run: ImportRun): Promise<ImportOutcome> {
  const { settings, transport, credentials, store, report, signal, journal } = run;
  const repository = localRepository(reference.nominal, settings.basePrefix);
  const access = { transport, credentials, retries: settings.retries, report, signal };
  const found = await findChart(reference, access);
  journal.line(`${found.reference} is at ${found.url.origin}${found.url.pathname}`);
  const progress = new ImportProgress(journal, formatChartReference(reference, reference.version));
  const layer = await bringArchive(found, access, run, progress);
  const contents = await readStoredChart(store, layer.digest, found.reference);
  requireListed(found, contents);
  const file = await fetchProvenance(found, access);
  const provenance = file && { digest: hashBytes(file), size: file.length };
  const artifact = toChartArtifact({ contents, layer, provenance, reference: found.reference });
  const { manifest } = artifact;
  const { digest, size } = manifest.descriptor;
  selectChoices(toSoleChoice(digest, run.chosen), run.chosen, found.reference);
  await progress.begin(digest, layer.size + size, progress.movedBytes);
  const at = { repository, tag: toChartTag(found.version), reference: found.reference };
  const [missing] = listMissing(contents);
  if (missing === undefined) return putChart(at, artifact, file, run, progress);
  if (!run.vendorDependencies)
    throw svcError('SVC-CHT-001', { chart: found.reference, dependency: formatDependency(missing) });
  return importVendored(at, { contents, layer }, { digest, from: reference.base }, run, progress);
}
