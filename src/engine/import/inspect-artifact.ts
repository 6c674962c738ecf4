import { Readable } from 'node:stream';
import { verifiedChunks } from '../../base/stream/verified.ts';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import { readChartDependencies } from '../../chart/embedded-dependencies.ts';
import { chartLimits } from '../../chart/read-archive.ts';
import type { ChartDependency, Inspection } from '../../contract/content.ts';
import { kindOf } from '../../oci/kind.ts';
import type { CallOptions, Source } from '../../oci/ports.ts';
import { formatReference, type Reference } from '../../oci/reference.ts';
import { localRepository } from '../../recipe/relocation.ts';
import { svcError } from '../../text/error.ts';
import { collectSignatures } from '../../trust/discover.ts';
import { attestedType, isApprovedType } from '../../trust/judge.ts';
import type { SignatureEvidence, TrustRoot } from '../../trust/model.ts';
import { HeldContent } from '../copy/held-content.ts';
import { localFirstSigned } from '../copy/local-source.ts';
import { nearSource } from '../copy/near-source.ts';
import type { ReadManifest } from '../copy/read-manifest.ts';
import { toLocalTag } from './import-reference.ts';
import type { ImportCollaborators, ImportSettings } from './model.ts';
import { readChoices } from './read-choices.ts';
import { readRoot } from './read-root.ts';
import { toPlatforms } from './to-platforms.ts';

async function readDependencies(
  source: Source,
  { content, manifest }: ReadManifest,
  reference: string,
  call: CallOptions,
): Promise<readonly ChartDependency[]> {
  const layer = selectChartLayer(content.descriptor, manifest, reference);
  if (layer.size > chartLimits.unpackedBytes)
    throw svcError('SVC-VAL-002', { limit: chartLimits.unpackedBytes, file: reference });
  const archive = Readable.from(verifiedChunks(await source.fetchBlob(layer, call), layer));
  return (await readChartDependencies(archive, reference)).dependencies;
}

/**
 * Inspects an artifact of a registry: its platforms, its parts in the store, and its signatures. Writes nothing.
 *
 * @throws SVC-REG-005, SVC-DST-001, errors of reading manifests, signatures and charts
 */
export async function inspectArtifact(
  reference: Reference,
  settings: ImportSettings,
  { registry, store, signal }: ImportCollaborators,
  roots: readonly TrustRoot[],
): Promise<Inspection> {
  const call: CallOptions = { signal };
  const name = formatReference(reference);
  const repository = localRepository(reference, settings.basePrefix);
  const remote = registry.repository(reference);
  const root = await readRoot(remote, reference, call);
  const { descriptor } = root.content;
  const tag = toLocalTag(reference, descriptor.digest);
  const held = new HeldContent();
  held.holdManifest(root.content);
  const source = nearSource(held, store, remote);
  const [choices, { evidence }] = await Promise.all([
    readChoices(source, root, { ...call, reference: name }),
    collectSignatures(localFirstSigned(store, remote), descriptor.digest, call),
  ]);
  const kind = kindOf(root.manifest);
  const isSignature = (artifact: SignatureEvidence): boolean => {
    const type = attestedType(artifact, descriptor.digest);
    return type === undefined || isApprovedType(type, roots);
  };
  return {
    reference: name,
    ...(remote.substituted ? { effective: `${remote.effective.host}/${remote.effective.repository}` } : {}),
    repository,
    tag,
    digest: descriptor.digest,
    mediaType: descriptor.mediaType,
    kind,
    multiPlatform: choices.length > 1,
    platforms: await toPlatforms(store, { repository, tag }, root.content, choices, call),
    signatures: evidence
      .filter(isSignature)
      .map(({ layout, manifest }) => ({ layout, digest: manifest.descriptor.digest })),
    ...(kind === 'HelmChart' ? { dependencies: await readDependencies(source, root, name, call) } : {}),
  };
}
