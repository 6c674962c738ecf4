import { type Digest, hashBytes } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { kindOf } from '../oci/kind.ts';
import { type Manifest, manifestLimits } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { toChartAnnotations, toChartConfig } from './chart-config.ts';
import type { ChartDependencies } from './embedded-dependencies.ts';

/** What a chart says of the dependencies that were put into it after its author packed it. */
export const vendoredAnnotation = 'svc.vendored-dependencies';
/** The artifact that it was before (OCI image specification, Annotations). */
export const vendoredFromAnnotation = 'org.opencontainers.image.base.digest';

/** A dependency that was put into a chart. */
export interface VendoredDependency {
  readonly name: string;
  readonly version: string;
  /** As the chart declares it. */
  readonly repository: string;
  /** Of its archive. */
  readonly digest: Digest;
}

export interface ChartArtifact {
  readonly manifest: ManifestContent;
  readonly config: { readonly descriptor: Descriptor; readonly bytes: Buffer };
}

export interface ChartParts {
  /** What the archive says of itself. */
  readonly contents: ChartDependencies;
  /** The archive. */
  readonly layer: Pick<Descriptor, 'digest' | 'size'>;
  /** The provenance file that belongs to it. */
  readonly provenance?: Pick<Descriptor, 'digest' | 'size'> | undefined;
  /** What was put into it, and the artifact that it was before. */
  readonly vendored?: { readonly from: Digest; readonly dependencies: readonly VendoredDependency[] };
  /** Names the chart in errors. */
  readonly reference: string;
}

/**
 * A packed chart as the artifact that `helm push` makes of it, but for the time of the push. The same archive gives the
 * same artifact, whoever converts it and when.
 *
 * @throws SVC-VAL-002 when what it says of itself is too much for a config or a manifest
 */
export function toChartArtifact(parts: ChartParts): ChartArtifact {
  const { contents, layer, provenance, vendored, reference } = parts;
  const bytes = toChartConfig(contents, reference);
  const config: Descriptor = {
    mediaType: mediaTypes.helmConfig,
    digest: hashBytes(bytes),
    size: bytes.length,
  };
  const toLayer = (mediaType: string, { digest, size }: Pick<Descriptor, 'digest' | 'size'>) => ({
    mediaType,
    digest,
    size,
  });
  // helm puts them in the order of their digests
  const layers = [
    toLayer(mediaTypes.helmChart, layer),
    ...(provenance ? [toLayer(mediaTypes.helmProvenance, provenance)] : []),
  ];
  const document = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaTypes.ociManifest,
      config,
      layers: layers.sort((a, b) => (a.digest < b.digest ? -1 : 1)),
      annotations: toAnnotations(bytes, vendored),
    }),
  );
  if (document.length > manifestLimits.bytes)
    throw svcError('SVC-VAL-002', { limit: manifestLimits.bytes, file: `${reference} manifest` });
  return {
    config: { descriptor: config, bytes },
    manifest: {
      descriptor: {
        mediaType: mediaTypes.ociManifest,
        digest: hashBytes(document),
        size: document.length,
      },
      bytes: document,
    },
  };
}

/** Nobody but us says what was put into a chart. */
function toAnnotations(config: Buffer, vendored: ChartParts['vendored']): Readonly<Record<string, string>> {
  const { [vendoredAnnotation]: _claimed, ...own } = toChartAnnotations(config);
  if (vendored === undefined) return own;
  return {
    ...own,
    [vendoredFromAnnotation]: vendored.from,
    [vendoredAnnotation]: JSON.stringify(vendored.dependencies),
  };
}

/** The tag of a chart's version: a tag cannot hold the `+` of build metadata, and helm looks for `_`. */
export function toChartTag(version: string): string {
  return version.replaceAll('+', '_');
}

/**
 * The layer of a chart's manifest that holds its archive.
 *
 * @throws SVC-SIG-003 when the manifest is not one of a chart
 */
export function selectChartLayer(
  { descriptor }: ManifestContent,
  manifest: Manifest,
  reference: string,
): Descriptor {
  if (manifest.kind === 'index' || kindOf(manifest) !== 'HelmChart')
    throw svcError('SVC-SIG-003', {
      expected: mediaTypes.helmConfig,
      actual: manifest.kind === 'index' ? descriptor.mediaType : manifest.config.mediaType,
      reference,
    });
  const layer = manifest.layers.find(({ mediaType }) => mediaType === mediaTypes.helmChart);
  if (!layer)
    throw svcError('SVC-SIG-003', { expected: mediaTypes.helmChart, actual: 'no such layer', reference });
  return layer;
}
