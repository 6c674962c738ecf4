import { hashBytes } from '../../base/digest.ts';
import { toChartArtifact, toChartTag } from '../../chart/chart-artifact.ts';
import type { ChartReference } from '../../chart/chart-reference.ts';
import type { Inspection } from '../../contract/content.ts';
import { localRepository } from '../../recipe/relocation.ts';
import { fetchProvenance, findChart, readRemoteChart } from './chart-repository.ts';
import { anyPlatform, type ImportCollaborators, type ImportSettings } from './model.ts';
import { toPlatforms } from './to-platforms.ts';

/**
 * Inspects a chart of a classic repository as the artifact that it is converted to. The archive is read and
 * not stored. The conversion is deterministic, so an import results in the digest returned here.
 *
 * @throws SVC-DST-001, errors of reading repository and chart
 */
export async function inspectChart(
  reference: ChartReference,
  settings: ImportSettings,
  { transport, credentials, store, report, signal }: ImportCollaborators,
): Promise<Inspection> {
  const repository = localRepository(reference.nominal, settings.basePrefix);
  const access = { transport, credentials, retries: settings.retries, report, signal };
  const found = await findChart(reference, access);
  const { contents, digest, size } = await readRemoteChart(found, access);
  const file = await fetchProvenance(found, access);
  const provenance = file && { digest: hashBytes(file), size: file.length };
  const artifact = toChartArtifact({
    contents,
    layer: { digest, size },
    provenance,
    reference: found.reference,
  });
  const { manifest, config } = artifact;
  const tag = toChartTag(found.version);
  const mediaType = 'application/octet-stream';
  const layers = [{ digest, size }, ...(provenance ? [provenance] : [])];
  const choice = {
    name: anyPlatform,
    digest: manifest.descriptor.digest,
    contents: [manifest.descriptor, config.descriptor, ...layers.map((layer) => ({ mediaType, ...layer }))],
  };
  return {
    reference: found.reference,
    repository,
    tag,
    digest: manifest.descriptor.digest,
    mediaType: manifest.descriptor.mediaType,
    kind: 'HelmChart',
    multiPlatform: false,
    platforms: await toPlatforms(store, { repository, tag }, manifest, [choice]),
    signatures: provenance ? [{ layout: 'provenance', digest: provenance.digest }] : [],
    dependencies: contents.dependencies,
  };
}
