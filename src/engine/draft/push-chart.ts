import { Readable } from 'node:stream';
import { hashBytes } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { toChartArtifact, toChartTag } from '../../chart/chart-artifact.ts';
import { readChartDependencies } from '../../chart/embedded-dependencies.ts';
import { packChart } from '../../chart/pack-chart.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, isTag, type Reference, type RepositoryReference } from '../../oci/reference.ts';
import type { DraftAccess, SourceChart } from './model.ts';

/**
 * Pushes a chart to a registry as `helm push` does. The same chart is pushed once; another one under the same version is
 * refused.
 *
 * @param base repository below which the chart gets its own, of its name
 * @returns where it is, with its tag and digest
 * @throws SVC-POL-004 when the version has other content, SVC-SIG-003 for a chart without a name, errors of the registry
 */
export async function pushChart(
  { tree, archive: packed, folder }: SourceChart,
  base: RepositoryReference,
  { registry, signal }: DraftAccess,
): Promise<Reference> {
  const call: CallOptions = signal ? { signal } : {};
  const archive = packed ?? (await packChart(folder!, tree.name));
  const contents = await readChartDependencies(Readable.from([archive]), tree.name);
  const repository = `${base.repository}/${tree.name}`;
  const tag = toChartTag(tree.version);
  const place: Reference = { host: base.host, repository, tag };
  const reference = formatReference(place);
  if (!isTag(tag))
    throw svcError('SVC-SIG-003', {
      expected: 'a chart with a version',
      actual: `version ${tree.version}`,
      reference,
    });
  const layer = { mediaType: mediaTypes.helmChart, digest: hashBytes(archive), size: archive.length };
  const { manifest, config } = toChartArtifact({ contents, layer, reference });
  const { digest } = manifest.descriptor;
  const remote = registry.repository({ host: base.host, repository }, { access: 'push', substitute: false });
  const existing = await remote.resolve(tag, call);
  if (existing !== undefined && existing.digest !== digest)
    throw svcError('SVC-POL-004', { reference, published: existing.digest, candidate: digest });
  if (existing === undefined) {
    await remote.pushBlob(config.descriptor, () => Readable.from([config.bytes]), call);
    await remote.pushBlob(layer, () => Readable.from([archive]), call);
    await remote.pushManifest(tag, manifest, call);
  }
  return { ...place, digest };
}
