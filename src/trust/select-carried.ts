import { isSignedBy } from '../attest/signed-by.ts';
import type { Digest } from '../base/digest.ts';
import { Pacer } from '../base/pacer.ts';
import { type ImageManifest, type Manifest, ManifestError, parseManifest } from '../oci/manifest.ts';
import { signatureLimits } from './claim.ts';
import { acceptedRoots, isApproval } from './judge.ts';
import type { SignatureEvidence, TrustPolicy } from './model.ts';
import { readEvidence } from './read-evidence.ts';

/** Decides which signatures are sound: those that verify with a root that the path's scope accepts. */
export interface SignatureTrust {
  readonly policy: TrustPolicy;
  readonly scopePath: string;
}

interface CarriedEvidence {
  /** In the order of the search. */
  readonly evidence: readonly SignatureEvidence[];
  /** Number of bundles that are not carried. */
  readonly leftOut: number;
}

/**
 * Whether an artifact is within the size limits of a signature: an image manifest, each part at most 1 MiB, and 64 MiB
 * together. Others are not fetched with a signature.
 */
export function isSignatureSized(manifest: Manifest): manifest is ImageManifest {
  if (manifest.kind !== 'image') return false;
  const sizes = [manifest.config, ...manifest.layers].map(({ size }) => size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.every((size) => size <= signatureLimits.bytes) && total <= signatureLimits.totalBytes;
}

/**
 * Selects the artifacts that are copied with their subject: classic ones, all bundles that verify, and as many other
 * bundles as fit. Bundles larger than a signature may be are left out.
 *
 * @param room number of bundles that do not verify
 * @param trust absent: no bundle verifies
 */
export async function selectCarried(
  subject: Digest,
  evidence: readonly SignatureEvidence[],
  room: number = signatureLimits.count,
  trust?: SignatureTrust,
): Promise<CarriedEvidence> {
  const all = evidence.filter(({ layout }) => layout === 'bundle').length;
  const isCrowded = all > room;
  const roots = trust ? acceptedRoots(trust.policy, trust.scopePath) : [];
  const pacer = new Pacer();
  const isSound = (artifact: SignatureEvidence): boolean =>
    readEvidence(artifact, subject).some(
      (one) =>
        !('flaw' in one) &&
        roots.some((root) => isApproval(one, root) && isSignedBy(root.key, one.signed, one.signature)),
    );
  const carried: SignatureEvidence[] = [];
  let left = room;
  for (const artifact of evidence) {
    if (artifact.layout === 'classic') carried.push(artifact);
    else if (isSized(artifact)) {
      if (isCrowded && isSound(artifact)) carried.push(artifact);
      else if (left > 0) {
        carried.push(artifact);
        left -= 1;
      }
    }
    if (pacer.isDue()) await pacer.rest();
  }
  return { evidence: carried, leftOut: evidence.length - carried.length };
}

function isSized({ manifest: { bytes, descriptor } }: SignatureEvidence): boolean {
  try {
    return isSignatureSized(parseManifest(bytes, descriptor.mediaType));
  } catch (error) {
    if (error instanceof ManifestError) return false;
    throw error;
  }
}
