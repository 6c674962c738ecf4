import type { Digest } from '../../base/digest.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { notRegular } from '../../disk/special-file.ts';
import { toSystemCode } from '../../disk/system-code.ts';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';
import { isSvcError, type SvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

/**
 * `unreadable`: the state is unknown, for a reason outside the file (permissions, an absent volume, a file
 * that changes).
 */
type BlobState = 'whole' | 'damaged' | 'missing' | 'unreadable';

/** Errors that prove a file is damaged, or that its name is not a regular file. */
const broken = new Set(['EIO', 'EUCLEAN', 'EFSCORRUPTED', 'EBADMSG', 'ELOOP', 'EISDIR', String(notRegular)]);

/** Judges a blob file by the outcome of reading it. */
export function judgeBlob(digest: Digest, outcome: HashOutcome): BlobState {
  if ('digest' in outcome) return outcome.digest === digest ? 'whole' : 'damaged';
  switch (outcome.problem) {
    case 'size':
      return 'damaged';
    case 'missing':
      return 'missing';
    case 'unreadable':
      return broken.has(String(outcome.detail)) ? 'damaged' : 'unreadable';
    case 'changed':
      return 'unreadable';
  }
}

/**
 * Whether an error proves that content is damaged: other bytes, another size, no file, or a file that the
 * disk reports as lost. A failure to read (permissions, descriptors, memory, an unresponsive device) proves
 * nothing.
 */
export function isDamage(error: unknown): error is SvcError {
  if (isSvcError(error, 'SVC-SIG-002')) return true;
  if (!isSvcError(error, 'SVC-STO-001')) return false;
  const code = toSystemCode(error.cause);
  return code === undefined || isAbsent(error) || broken.has(code);
}

/** Describes an outcome. */
export function describeOutcome(outcome: HashOutcome, size?: number | undefined): Rule | string {
  if ('digest' in outcome)
    return rule(['its bytes have the digest {digest}', fr`ses octets ont l’empreinte {digest}`], {
      digest: outcome.digest,
    });
  if (outcome.problem === 'size')
    return size === undefined
      ? rule(['{actual} bytes', fr`{actual} octets`], { actual: outcome.actual })
      : rule(['{actual} bytes instead of {size}', fr`{actual} octets au lieu de {size}`], {
          actual: outcome.actual,
          size,
        });
  return outcome.detail;
}
