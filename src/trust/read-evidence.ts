import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import { ManifestError, parseManifest } from '../oci/manifest.ts';
import { type Reading, signatureLimits } from './claim.ts';
import type { SignatureEvidence } from './model.ts';
import { readBundle } from './read-bundle.ts';
import { readClassic } from './read-classic.ts';

/**
 * Parses each signature of an artifact into a claim about the subject or a flaw. Pure; verifies no signature.
 */
export function readEvidence(evidence: SignatureEvidence, subject: Digest): readonly Reading[] {
  const { descriptor, bytes } = evidence.manifest;
  if (hashBytes(bytes, digestAlgorithm(descriptor.digest)) !== descriptor.digest)
    return [{ flaw: 'its manifest does not have its digest' }];
  if (evidence.layers.some((layer) => layer.bytes.length > signatureLimits.bytes))
    return [{ flaw: `larger than ${signatureLimits.bytes} bytes` }];
  try {
    const manifest = parseManifest(bytes, descriptor.mediaType);
    if (manifest.kind !== 'image') return [{ flaw: 'its manifest is an index' }];
    return evidence.layout === 'classic'
      ? readClassic(evidence, manifest, subject)
      : readBundle(evidence, manifest, subject);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return [{ flaw: `its manifest cannot be used: ${error.message.slice(0, 200)}` }];
  }
}
