import type { Digest } from '../base/digest.ts';
import type { FoundSignatures } from './discover.ts';
import { judgeSignatures } from './judge.ts';
import type { SignatureVerdict, TrustPolicy } from './model.ts';

interface JudgeFoundOptions {
  /** False admits no unsigned subject, even in a relaxed scope. */
  readonly allowUnsigned?: boolean | undefined;
}

/**
 * Judges the result of a search. Unreadable content hides no signature that verifies, and never counts as absence:
 * without a signature that verifies, the failure of the source counts.
 *
 * @throws `found.unread` where nothing verifies: the next search may find a signature
 */
export async function judgeFound(
  subject: Digest,
  found: FoundSignatures,
  policy: TrustPolicy,
  scopePath: string,
  { allowUnsigned }: JudgeFoundOptions = {},
): Promise<SignatureVerdict> {
  const { evidence, leftOut, crowded, unusable, unread } = found;
  const verdict = await judgeSignatures(subject, evidence, policy, scopePath, {
    allowUnsigned,
    leftOut,
    crowded,
    unusable,
  });
  if (unread && verdict.outcome !== 'verified') throw unread;
  return verdict;
}
