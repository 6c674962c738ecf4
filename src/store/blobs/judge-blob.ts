import type { Digest } from '../../base/digest.ts';
import { isSvcError, type SvcError } from '../../base/error.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';

/** `unreadable`: nothing is known, and the reason is not the file's (rights, a lost volume, a file that changes). */
type BlobState = 'whole' | 'damaged' | 'missing' | 'unreadable';

/** What the disk answers of a file that it has lost, or of something else that stands in its place. */
const broken = new Set([
  'EIO',
  'EUCLEAN',
  'EFSCORRUPTED',
  'EBADMSG',
  'ELOOP',
  'EISDIR',
  'not a regular file',
]);

/** What the reading of a blob file says of it. */
export function judgeBlob(digest: Digest, outcome: HashOutcome): BlobState {
  if ('digest' in outcome) return outcome.digest === digest ? 'whole' : 'damaged';
  switch (outcome.problem) {
    case 'size':
      return 'damaged';
    case 'missing':
      return 'missing';
    case 'unreadable':
      return broken.has(outcome.detail) ? 'damaged' : 'unreadable';
    case 'changed':
      return 'unreadable';
  }
}

/**
 * Whether an error proves that content is not what it was: other bytes, another size, no file, or a file that the disk
 * has lost. What a file could not be read for (rights, descriptors, memory, a device that does not answer) proves
 * nothing.
 */
export function isDamage(error: unknown): error is SvcError {
  if (isSvcError(error, 'SVC-SIG-002')) return true;
  if (!isSvcError(error, 'SVC-STO-001')) return false;
  const code = toSystemCode(error.cause);
  return code === undefined || isAbsent(error) || broken.has(code);
}

/** The same in words, for people. */
export function describeOutcome(outcome: HashOutcome, size?: number | undefined): string {
  if ('digest' in outcome) return `its bytes have the digest ${outcome.digest}`;
  if (outcome.problem === 'size')
    return size === undefined ? `${outcome.actual} bytes` : `${outcome.actual} bytes instead of ${size}`;
  return outcome.detail;
}
