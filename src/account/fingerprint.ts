import { type Digest, fingerprintOf } from '../base/digest.ts';
import type { AccountRecord, TokenRecord } from './model.ts';

/** Fingerprint of what the preview of a removal shows of an account, its last sign-in included. */
export function fingerprintAccount({ name, role, createdAt, lastLoginAt }: AccountRecord): Digest {
  return fingerprintOf(['account', name, role, createdAt, lastLoginAt ?? '']);
}

/** Fingerprint of what the preview of a revocation shows of a token. */
export function fingerprintToken({ name, role, createdAt, revokedAt }: TokenRecord): Digest {
  return fingerprintOf(['token', name, role, createdAt, revokedAt ?? '']);
}
