import { leastPasswordLength } from '../../../src/base/least-password-length.ts';
import type { PageCall } from '../ui-route.ts';

/** Least characters of a new password. */
export function leastOf({ accounts }: Pick<PageCall, 'accounts'>): number {
  return accounts?.passwordMinLength ?? leastPasswordLength;
}
