import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { toCanonical, toFingerprint } from '../attest/public-key.ts';

/** Signs with one private key. */
export interface Signer {
  readonly publicKey: KeyObject;
  /** SHA-256 of the public key's DER, lower-case hex. */
  readonly fingerprint: string;
  /**
   * Signs bytes for `cosign verify`: ECDSA in DER and RSA in PKCS #1 v1.5, both with SHA-256 for any key size, or pure
   * Ed25519.
   */
  sign(bytes: Buffer): Buffer;
}

/** @param key as `parsePrivateKey` accepts it */
export function toSigner(key: KeyObject): Signer {
  const publicKey = toCanonical(createPublicKey(key));
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return {
    publicKey,
    fingerprint: toFingerprint(publicKey),
    sign: (bytes) => sign(hash, bytes, key),
  };
}
