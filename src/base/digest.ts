import { createHash, type Hash } from 'node:crypto';
import { svcError } from '../text/error.ts';

export type DigestAlgorithm = 'sha256' | 'sha512';

/** `<algorithm>:<lowercase hex>`, of a registered algorithm and its exact length (OCI image specification, Descriptors). */
export type Digest = `${DigestAlgorithm}:${string}`;

const hexLength: Record<DigestAlgorithm, number> = { sha256: 64, sha512: 128 };

/** By code unit: 1 for a lower-case hexadecimal digit. */
const hexDigits = Uint8Array.from({ length: 128 }, (_, c) =>
  (c >= 48 && c <= 57) || (c >= 97 && c <= 102) ? 1 : 0,
);

function isLowerHex(text: string, from: number): boolean {
  for (let i = from; i < text.length; i += 1) if (hexDigits[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Returns whether `text` is a digest of a supported algorithm. Called millions of times: allocates nothing. */
export function isDigest(text: unknown): text is Digest {
  if (typeof text !== 'string') return false;
  if (text.length === 7 + hexLength.sha256) return text.startsWith('sha256:') && isLowerHex(text, 7);
  if (text.length === 7 + hexLength.sha512) return text.startsWith('sha512:') && isLowerHex(text, 7);
  return false;
}

/** Returns whether `text` is the hexadecimal part of a digest of this algorithm. */
export function isDigestHex(algorithm: DigestAlgorithm, text: string): boolean {
  return text.length === hexLength[algorithm] && isLowerHex(text, 0);
}

/** @returns undefined when `text` is not a digest */
export function parseDigest(text: unknown): Digest | undefined {
  return isDigest(text) ? text : undefined;
}

export function digestAlgorithm(digest: Digest): DigestAlgorithm {
  return digest.slice(0, 6) as DigestAlgorithm;
}

export function digestHex(digest: Digest): string {
  return digest.slice(7);
}

export function toDigest(algorithm: DigestAlgorithm, hash: Hash): Digest {
  return `${algorithm}:${hash.digest('hex')}`;
}

/** Returns the digest of bytes in memory. */
export function hashBytes(bytes: Uint8Array | string, algorithm: DigestAlgorithm = 'sha256'): Digest {
  return toDigest(algorithm, createHash(algorithm).update(bytes));
}

/** Fingerprint of values shown before a removal or replacement: equal exactly when the values are. */
export function fingerprintOf(shown: readonly unknown[]): Digest {
  return hashBytes(JSON.stringify(shown));
}

/**
 * Refuses a change that rests on a preview which no longer holds. Call it in the synchronous step that records the change.
 *
 * @param asked fingerprint of the preview; undefined for a client without a preview
 * @param present fingerprint of the present effect of the change
 * @param subject names the shown thing
 * @throws SVC-SRV-007
 */
export function requireUnchanged(asked: string | undefined, present: () => Digest, subject: string): void {
  if (asked !== undefined && asked !== present()) throw svcError('SVC-SRV-007', { subject });
}
