import { createHash, type Hash } from 'node:crypto';

export type DigestAlgorithm = 'sha256' | 'sha512';

/** `<algorithm>:<lowercase hex>`, of a registered algorithm and its exact length (OCI image specification, Descriptors). */
export type Digest = `${DigestAlgorithm}:${string}`;

const hexLength: Record<DigestAlgorithm, number> = { sha256: 64, sha512: 128 };

function isLowerHex(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (!((c >= 48 && c <= 57) || (c >= 97 && c <= 102))) return false;
  }
  return true;
}

/** Whether `text` is a digest of an algorithm that this product stores and checks. */
export function isDigest(text: unknown): text is Digest {
  if (typeof text !== 'string' || text.length > 140 || text[6] !== ':') return false;
  const algorithm = text.slice(0, 6) as DigestAlgorithm;
  return text.length === 7 + (hexLength[algorithm] ?? -1) && isLowerHex(text.slice(7));
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

/** The digest of bytes in memory. */
export function hashBytes(bytes: Uint8Array | string, algorithm: DigestAlgorithm = 'sha256'): Digest {
  return toDigest(algorithm, createHash(algorithm).update(bytes));
}
