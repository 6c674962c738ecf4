import { type Digest, fingerprintOf } from '../base/digest.ts';
import type { StoredAccount } from './accounts-document.ts';
import type { AccountRecord, TokenRecord } from './model.ts';

/** Fingerprint of an account as the preview of its removal shows it, with its last sign-in. */
export function fingerprintAccount({ name, role, createdAt, lastLoginAt }: AccountRecord): Digest {
  return fingerprintOf(['account', name, role, createdAt, lastLoginAt ?? '']);
}

/** Fingerprint of a token as the preview of its revocation shows it. */
export function fingerprintToken({ name, role, createdAt, revokedAt }: TokenRecord): Digest {
  return fingerprintOf(['token', name, role, createdAt, revokedAt ?? '']);
}

/**
 * Fingerprint of the changeable members of an account: its role, and the hash of its password. The random salt of the
 * hash prevents that a fingerprint tests guesses. A sign-in does not change it.
 */
export function fingerprintState({ name, role, createdAt, hash }: StoredAccount): Digest {
  return fingerprintOf(['account state', name, role, createdAt, hash]);
}
