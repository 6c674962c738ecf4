import { toClassicManifest } from '../attest/signature-artifact.ts';
import { readLayerEntries } from '../oci/list-entries.ts';
import { ManifestError, parseManifest } from '../oci/manifest.ts';
import { isIndexType, mediaTypes } from '../oci/media-types.ts';
import type { ManifestContent } from '../oci/ports.ts';
import type { SignatureEvidence } from './model.ts';

/** A classic artifact of those signatures whose payload is there, written anew. */
interface WholeClassic {
  readonly manifest: ManifestContent;
  /** Bytes of its config, which no repository has. */
  readonly config: Buffer;
}

/**
 * Writes a classic artifact that is not a valid manifest anew, from the layers that can be used.
 *
 * @returns undefined when it has none, or is another manifest
 */
export function toUsableClassic({ bytes, descriptor }: ManifestContent): ManifestContent | undefined {
  if (isIndexType(descriptor.mediaType)) return undefined;
  const layers = readLayerEntries(bytes, ({ mediaType }) => mediaType === mediaTypes.simpleSigning);
  return layers === undefined || layers.length === 0 ? undefined : toClassicManifest(layers).manifest;
}

/** Whether the source lacks the payload of a signature of this artifact. */
export function isBroken({ layers }: SignatureEvidence): boolean {
  return layers.some(({ isMissing }) => isMissing);
}

/**
 * Writes a classic artifact without the layers whose bytes the search lacks. One absent payload must not hold back the
 * other signatures.
 *
 * @returns undefined when no signature is left
 */
export function toWholeClassic({ manifest, layers }: SignatureEvidence): WholeClassic | undefined {
  try {
    const image = parseManifest(manifest.bytes, manifest.descriptor.mediaType);
    if (image.kind !== 'image') return undefined;
    const whole = image.layers.filter((_, i) => (layers[i]?.bytes.length ?? 0) > 0);
    if (whole.length === 0) return undefined;
    const { manifest: content, config } = toClassicManifest(whole);
    return { manifest: content, config: config.bytes };
  } catch (error) {
    if (error instanceof ManifestError) return undefined;
    throw error;
  }
}
