import type { Descriptor } from '../oci/descriptor.ts';
import { type DocumentLimits, ManifestError, parseManifest } from '../oci/manifest.ts';
import { mediaTypes } from '../oci/media-types.ts';

/** Limits of the `index.json` of a layout, which can list a whole store. */
export const layoutIndexLimits: DocumentLimits = {
  bytes: 32 << 20,
  children: 100_000,
  jsonDepth: 64,
  jsonValues: 2_000_000,
};

/**
 * Returns the entries of an `index.json`, in their order.
 *
 * @throws ManifestError with the rule that is broken
 */
export function parseLayoutIndex(bytes: Uint8Array): readonly Descriptor[] {
  const index = parseManifest(bytes, mediaTypes.ociIndex, layoutIndexLimits);
  if (index.kind !== 'index') throw new ManifestError('not an image index');
  return index.manifests;
}

/** Formats the `index.json` of these entries: one line each, so that two files can be compared line by line. */
export function formatLayoutIndex(entries: readonly Descriptor[]): Buffer {
  const lines = entries.map((entry) => JSON.stringify(entry)).join(',\n');
  return Buffer.from(`{"schemaVersion":2,"mediaType":"${mediaTypes.ociIndex}","manifests":[\n${lines}\n]}\n`);
}
