import { type KeyObject, verify } from 'node:crypto';

// cosign signs with SHA-256, and from version 3 with the hash that belongs to the curve; both are accepted
const hashes: Readonly<Record<string, readonly (string | null)[]>> = {
  prime256v1: ['sha256'],
  secp384r1: ['sha384', 'sha256'],
  secp521r1: ['sha512', 'sha256'],
  ed25519: [null],
  rsa: ['sha256', 'sha384', 'sha512'],
};

/**
 * Whether `signature` over `data` verifies with this key. RSA signatures are PKCS #1 v1.5, as cosign writes
 * them.
 */
export function isSignedBy(key: KeyObject, data: Buffer, signature: Buffer): boolean {
  const scheme = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  return (hashes[scheme] ?? []).some((hash) => {
    try {
      return verify(hash, data, key, signature);
    } catch {
      return false;
    }
  });
}
