import { Readable } from 'node:stream';
import { type Digest, hashBytes } from '../../base/digest.ts';
import { type ChartArtifact, toChartArtifact, toChartTag } from '../../chart/chart-artifact.ts';
import { isChartName } from '../../chart/chart-reference.ts';
import { formatDependency, readChartDependencies } from '../../chart/embedded-dependencies.ts';
import { requireSafeNames } from '../../chart/member-names.ts';
import { mediaTypes } from '../../oci/media-types.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference, isTag, type Reference, type RepositoryReference } from '../../oci/reference.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { packChart } from '../chart/pack-chart.ts';
import type { SourceChart } from '../draft/model.ts';

export interface PushedChart {
  readonly reference: Reference;
  /** Names of the dependencies that it declares and does not embed. */
  readonly missing: readonly string[];
}

/**
 * Pushes a chart to a registry as `helm push` does. The same chart is pushed once; another one under the same version is
 * refused.
 *
 * @param base repository below which the chart gets its own, of its name
 * @returns where it is, with its tag and digest, and the dependencies that it declares and does not embed
 * @throws SVC-POL-004 when the version has other content, SVC-SIG-003 for a chart without a name, errors of the registry
 */
export async function pushChart(
  { tree, archive: packed, folder }: SourceChart,
  base: RepositoryReference,
  access: RemoteReading,
): Promise<PushedChart> {
  if (!isChartName(tree.name))
    throw svcError('SVC-SIG-003', {
      expected: rule([
        'a chart that can be named in a reference',
        fr`un chart qui peut être nommé dans une référence`,
      ]),
      actual: tree.name.slice(0, 300) || rule(['no name', fr`pas de nom`]),
    });
  const archive = packed ?? (await packChart(folder!, tree.name));
  const contents = await readChartDependencies(Readable.from([archive]), tree.name);
  requireSafeNames(contents, tree.name);
  const repository = `${base.repository}/${tree.name}`;
  const tag = toChartTag(tree.version);
  const place: ChartPlace = { host: base.host, repository, tag };
  const reference = formatReference(place);
  if (!isTag(tag))
    throw svcError('SVC-SIG-003', {
      expected: rule(['a chart with a version', fr`un chart avec une version`]),
      actual: rule(['version {version}', fr`version {version}`], { version: tree.version }),
      reference,
    });
  const layer = { mediaType: mediaTypes.helmChart, digest: hashBytes(archive), size: archive.length };
  const artifact = toChartArtifact({ contents, layer, reference });
  const missing = contents.dependencies.filter(({ embedded }) => !embedded).map(formatDependency);
  return { reference: await pushChartArtifact(place, artifact, archive, access), missing };
}

interface ChartPlace extends RepositoryReference {
  readonly tag: string;
}

function openTarget({ host, repository }: ChartPlace, { registry }: Pick<RemoteReading, 'registry'>) {
  return registry.repository({ host, repository }, { access: 'push', substitute: false });
}

/**
 * Requires that a version of a chart is not there yet, or has this content.
 *
 * @returns whether it is there
 * @throws SVC-POL-004 when the version has other content, errors of the registry
 */
export async function isChartThere(
  place: ChartPlace,
  digest: Digest,
  access: Pick<RemoteReading, 'registry' | 'signal'>,
): Promise<boolean> {
  const call: CallOptions = access.signal ? { signal: access.signal } : {};
  const existing = await openTarget(place, access).resolve(place.tag, call);
  if (existing !== undefined && existing.digest !== digest)
    throw svcError('SVC-POL-004', {
      reference: formatReference(place),
      published: existing.digest,
      candidate: digest,
      content: 'chart',
    });
  return existing !== undefined;
}

/**
 * Pushes the artifact of a chart, unless its version is there already.
 *
 * @param archive the layer of the chart
 * @throws SVC-POL-004 when the version has other content, errors of the registry
 */
export async function pushChartArtifact(
  place: ChartPlace,
  { manifest, config }: ChartArtifact,
  archive: Buffer,
  access: Pick<RemoteReading, 'registry' | 'signal'>,
): Promise<Reference> {
  const call: CallOptions = access.signal ? { signal: access.signal } : {};
  const { digest } = manifest.descriptor;
  if (!(await isChartThere(place, digest, access))) {
    const layer = { mediaType: mediaTypes.helmChart, digest: hashBytes(archive), size: archive.length };
    const remote = openTarget(place, access);
    await remote.pushBlob(config.descriptor, () => Readable.from([config.bytes]), call);
    await remote.pushBlob(layer, () => Readable.from([archive]), call);
    await remote.pushManifest(place.tag, manifest, call);
  }
  return { ...place, digest };
}
