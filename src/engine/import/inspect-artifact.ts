import { pipeline } from 'node:stream';
import { svcError } from '../../base/error.ts';
import { verified } from '../../base/verified.ts';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import {
  type ChartDependency,
  chartLimits,
  readChartDependencies,
} from '../../chart/embedded-dependencies.ts';
import { kindOf } from '../../oci/kind.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { formatReference, type Reference } from '../../oci/reference.ts';
import { localRepository } from '../../recipe/relocation.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { HeldContent, withHeld } from '../held-content.ts';
import { localFirst } from '../local-source.ts';
import { readPresence } from '../presence.ts';
import { type ReadManifest, readManifest } from '../read-manifest.ts';
import { toLocalTag } from './import-reference.ts';
import { judgeStatus, readStanding } from './judge-status.ts';
import type { ImportCollaborators, ImportSettings, InspectedPlatform, Inspection } from './model.ts';
import { type MeasuredChoice, readChoices } from './read-choices.ts';

/** The manifest that a reference names at its source. @throws SVC-REG-005 when there is none */
export async function readRoot(
  remote: RemoteRepository,
  reference: Reference,
  call: CallOptions,
): Promise<ReadManifest> {
  const wanted = reference.digest ?? reference.tag!;
  const content = await remote.fetchManifest(wanted, call);
  if (!content) throw remote.toNotFound(wanted);
  return readManifest(remote, content, formatReference(reference), call);
}

/** The choices as they are shown, against what a tag of the store holds. */
export async function toPlatforms(
  store: Store,
  at: { readonly repository: string; readonly tag: string },
  root: ReadManifest['content'],
  choices: readonly MeasuredChoice[],
): Promise<readonly InspectedPlatform[]> {
  const presence = await readPresence(
    store,
    choices.flatMap(({ contents }) => contents),
  );
  const standing = await readStanding(store, at.repository, at.tag);
  return choices.map(({ name, platform, digest, contents }) => ({
    name,
    ...platform,
    digest,
    sizeBytes: contents.reduce((sum, { size }) => sum + size, 0),
    status: judgeStatus(root.descriptor.digest, platform, contents, standing, presence),
  }));
}

async function readDependencies(
  source: Source,
  { content, manifest }: ReadManifest,
  reference: string,
  call: CallOptions,
): Promise<readonly ChartDependency[]> {
  const layer = selectChartLayer(content, manifest, reference);
  if (layer.size > chartLimits.unpackedBytes)
    throw svcError('SVC-VAL-002', { limit: chartLimits.unpackedBytes, file: reference });
  // what breaks ends the reading of the chart, which tells of it
  const archive = pipeline(await source.fetchBlob(layer, call), verified(layer), () => {});
  return (await readChartDependencies(archive, reference)).dependencies;
}

/**
 * Looks at an artifact of a registry: what it offers, what of it is here, who signed it. Nothing is written.
 *
 * @throws SVC-REG-005, SVC-DST-001, and what reading manifests, signatures and charts throws
 */
export async function inspectArtifact(
  reference: Reference,
  settings: ImportSettings,
  { registry, store, signal }: ImportCollaborators,
): Promise<Inspection> {
  const call: CallOptions = signal ? { signal } : {};
  const name = formatReference(reference);
  const repository = localRepository(reference, settings.basePrefix);
  const remote = registry.repository(reference);
  const root = await readRoot(remote, reference, call);
  const { descriptor } = root.content;
  const tag = toLocalTag(reference, descriptor.digest);
  const held = new HeldContent();
  held.holdManifest(root.content);
  const source = withHeld(localFirst(store, remote), held);
  const [choices, { evidence }] = await Promise.all([
    readChoices(source, root, { ...call, reference: name }),
    collectSignatures(remote, descriptor.digest, call),
  ]);
  const kind = kindOf(root.manifest);
  return {
    reference: name,
    ...(remote.substituted ? { effective: `${remote.effective.host}/${remote.effective.repository}` } : {}),
    repository,
    tag,
    digest: descriptor.digest,
    mediaType: descriptor.mediaType,
    kind,
    multiPlatform: choices.length > 1,
    platforms: await toPlatforms(store, { repository, tag }, root.content, choices),
    signatures: evidence.map(({ layout, manifest }) => ({ layout, digest: manifest.descriptor.digest })),
    ...(kind === 'HelmChart' ? { dependencies: await readDependencies(source, root, name, call) } : {}),
  };
}
