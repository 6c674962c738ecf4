import { type Digest, digestAlgorithm, hashBytes } from '../base/digest.ts';
import { ManifestError, parseManifest } from '../oci/manifest.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { type Reading, signatureLimits } from './claim.ts';
import type { SignatureEvidence } from './model.ts';
import { readBundle } from './read-bundle.ts';
import { readClassic } from './read-classic.ts';
import { toShort } from './to-reason.ts';

/**
 * Parses each signature of an artifact into a claim about the subject or a flaw. Pure; verifies no signature.
 */
export function readEvidence(evidence: SignatureEvidence, subject: Digest): readonly Reading[] {
  const { descriptor, bytes } = evidence.manifest;
  if (hashBytes(bytes, digestAlgorithm(descriptor.digest)) !== descriptor.digest)
    return [
      { flaw: rule(['its manifest does not have its digest', fr`son manifeste n’a pas son empreinte`]) },
    ];
  if (evidence.layers.some((layer) => layer.bytes.length > signatureLimits.bytes))
    return [
      {
        flaw: rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], {
          bytes: signatureLimits.bytes,
        }),
      },
    ];
  try {
    const manifest = parseManifest(bytes, descriptor.mediaType);
    if (manifest.kind !== 'image')
      return [{ flaw: rule(['its manifest is an index', fr`son manifeste est un index`]) }];
    return evidence.layout === 'classic'
      ? readClassic(evidence, manifest, subject)
      : readBundle(evidence, manifest, subject);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return [
      {
        flaw: rule(['its manifest cannot be used: {why}', fr`son manifeste est inutilisable : {why}`], {
          why: toShort(error.rule, 200),
        }),
      },
    ];
  }
}
