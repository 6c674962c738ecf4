import type { LeftOut } from '../contract/fileset.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { type Manifest, ManifestError } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';
import { parseManifestInTurns } from '../oci/parse-in-turns.ts';
import { type IndexEntry, listedConfigBytes, toIndexEntry } from './index-entry.ts';

/** A layer of a chart, as its manifest names it; `size` in bytes. */
export type ChartLayer = Pick<Descriptor, 'mediaType' | 'digest' | 'size'>;

/** A chart that an index can list, if the store has its archive. */
export interface ListedChart {
  readonly entry: IndexEntry;
  readonly archive: ChartLayer;
  readonly provenance?: ChartLayer;
}

/** Facts from the bytes of a chart. Its digest names them, so they never change. */
export type ChartFacts = { readonly leftOut: Exclude<LeftOut, 'duplicate' | 'reference'> } | ListedChart;

/** Facts about a chart from its manifest; its config is still to be read. */
export interface ChartParts extends Omit<ListedChart, 'entry'> {
  readonly config: Descriptor;
  /** Annotation with the time of its creation. */
  readonly created: string | undefined;
}

const toLayer = ({ mediaType, digest, size }: Descriptor): ChartLayer => ({ mediaType, digest, size });

/** Finds the parts of a chart in its manifest, in slices. @param mediaType as of `parseManifest` */
export async function findChartParts(
  bytes: Uint8Array,
  mediaType: string,
): Promise<ChartParts | { readonly leftOut: 'archive' | 'config' }> {
  let manifest: Manifest;
  try {
    manifest = await parseManifestInTurns(bytes, mediaType);
  } catch (error) {
    if (error instanceof ManifestError) return { leftOut: 'archive' };
    throw error;
  }
  if (manifest.kind === 'index') return { leftOut: 'archive' };
  const { config, layers, annotations } = manifest;
  const layerOf = (type: string) => layers.find((layer) => layer.mediaType === type);
  const archive = layerOf(mediaTypes.helmChart);
  if (archive === undefined) return { leftOut: 'archive' };
  if (config.size > listedConfigBytes) return { leftOut: 'config' };
  const provenance = layerOf(mediaTypes.helmProvenance);
  return {
    config,
    archive: toLayer(archive),
    ...(provenance === undefined ? {} : { provenance: toLayer(provenance) }),
    created: annotations['org.opencontainers.image.created'],
  };
}

/** Completes the facts of a chart. @param config bytes of its config */
export function toChartFacts({ archive, provenance, created }: ChartParts, config: Uint8Array): ChartFacts {
  const entry = toIndexEntry(config, archive.digest, created);
  if ('leftOut' in entry) return entry;
  return { entry, archive, ...(provenance === undefined ? {} : { provenance }) };
}
