import { type Digest, fingerprintOf } from '../base/digest.ts';
import type { StoredAccount } from './accounts-document.ts';
import type { AccountRecord, TokenRecord } from './model.ts';

/** Fingerprint of what the preview of a removal shows of an account, its last sign-in included. */
export function fingerprintAccount({ name, role, createdAt, lastLoginAt }: AccountRecord): Digest {
  return fingerprintOf(['account', name, role, createdAt, lastLoginAt ?? '']);
}

/** Fingerprint of what the preview of a revocation shows of a token. */
export function fingerprintToken({ name, role, createdAt, revokedAt }: TokenRecord): Digest {
  return fingerprintOf(['token', name, role, createdAt, revokedAt ?? '']);
}

/**
 * Fingerprint of what can be changed of an account: its role, and its password by the hash, whose random salt keeps a
 * fingerprint from testing guesses. A sign-in does not change it.
 */
export function fingerprintState({ name, role, createdAt, hash }: StoredAccount): Digest {
  return fingerprintOf(['account state', name, role, createdAt, hash]);
}
