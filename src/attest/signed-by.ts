import { type KeyObject, verify } from 'node:crypto';

// cosign signs with SHA-256, and from version 3 with the hash that belongs to the curve; both are accepted
const algorithms: Readonly<Record<string, readonly SignatureAlgorithm[]>> = {
  prime256v1: ['sha256'],
  secp384r1: ['sha384', 'sha256'],
  secp521r1: ['sha512', 'sha256'],
  ed25519: ['ed25519'],
  rsa: ['sha256', 'sha384', 'sha512'],
};

/** How a key signs: the hash that openssl needs, or none. */
export type SignatureAlgorithm = 'sha256' | 'sha384' | 'sha512' | 'ed25519';

/**
 * Finds the algorithm with which `signature` over `data` verifies with this key. RSA signatures are PKCS #1 v1.5, as cosign
 * writes them.
 *
 * @returns undefined when it does not verify
 */
export function findAlgorithm(
  key: KeyObject,
  data: Buffer,
  signature: Buffer,
): SignatureAlgorithm | undefined {
  const scheme = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  return algorithms[scheme]?.find((algorithm) => {
    try {
      return verify(algorithm === 'ed25519' ? null : algorithm, data, key, signature);
    } catch {
      return false;
    }
  });
}

/** Whether `signature` over `data` verifies with this key. */
export const isSignedBy = (key: KeyObject, data: Buffer, signature: Buffer): boolean =>
  findAlgorithm(key, data, signature) !== undefined;
