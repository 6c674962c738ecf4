import { type Digest, hashBytes } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { kindOf } from '../oci/kind.ts';
import { type Manifest, manifestLimits } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { toChartAnnotations, toChartConfig } from './chart-config.ts';
import type { ChartDependencies } from './embedded-dependencies.ts';

/** Annotation with the dependencies that were added to a chart after its author packed it. */
export const vendoredAnnotation = 'svc.vendored-dependencies';
/** Annotation with the artifact from before that (OCI image specification, Annotations). */
export const vendoredFromAnnotation = 'org.opencontainers.image.base.digest';

/** A dependency that was added to a chart. */
export interface VendoredDependency {
  readonly name: string;
  readonly version: string;
  /** As declared in the chart. */
  readonly repository: string;
  /** Digest of its archive. */
  readonly digest: Digest;
}

export interface ChartArtifact {
  readonly manifest: ManifestContent;
  readonly config: { readonly descriptor: Descriptor; readonly bytes: Buffer };
}

interface ChartParts {
  /** Metadata and dependencies read from the archive. */
  readonly contents: ChartDependencies;
  /** The archive. */
  readonly layer: Pick<Descriptor, 'digest' | 'size'>;
  /** The provenance file of the archive. */
  readonly provenance?: Pick<Descriptor, 'digest' | 'size'> | undefined;
  /** The added dependencies, and the artifact from before that. */
  readonly vendored?: { readonly from: Digest; readonly dependencies: readonly VendoredDependency[] };
  /** Name of the chart in errors. */
  readonly reference: string;
}

/**
 * Converts a packed chart to the artifact of `helm push`, without the time of the push. The same archive always gives
 * the same artifact.
 *
 * @throws SVC-VAL-002 when its metadata is too large for a config or a manifest
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
  // helm orders layers by their digests
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

/** Returns the annotations of a chart. Only this product sets the annotation of added dependencies. */
function toAnnotations(config: Buffer, vendored: ChartParts['vendored']): Readonly<Record<string, string>> {
  const { [vendoredAnnotation]: _claimed, ...own } = toChartAnnotations(config);
  if (vendored === undefined) return own;
  return {
    ...own,
    [vendoredFromAnnotation]: vendored.from,
    [vendoredAnnotation]: JSON.stringify(vendored.dependencies),
  };
}

/** Returns the tag of a chart version: a tag cannot contain the `+` of build metadata, and helm uses `_`. */
export function toChartTag(version: string): string {
  return version.replaceAll('+', '_');
}

/**
 * Selects the layer of a chart's manifest that has its archive.
 *
 * @throws SVC-SIG-003 when the manifest is not that of a chart
 */
export function selectChartLayer(
  root: Pick<Descriptor, 'mediaType'>,
  manifest: Manifest,
  reference: string,
): Descriptor {
  if (manifest.kind === 'index' || kindOf(manifest) !== 'HelmChart')
    throw svcError('SVC-SIG-003', {
      expected: mediaTypes.helmConfig,
      actual: manifest.kind === 'index' ? root.mediaType : manifest.config.mediaType,
      reference,
    });
  const layer = manifest.layers.find(({ mediaType }) => mediaType === mediaTypes.helmChart);
  if (!layer)
    throw svcError('SVC-SIG-003', {
      expected: mediaTypes.helmChart,
      actual: rule(['no such layer', fr`cette couche n’existe pas`]),
      reference,
    });
  return layer;
}
