import type { Digest } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import type { CustodyPoint } from '../../contract/custody.ts';
import type { EvidenceLine, EvidenceScope } from '../../contract/evidence.ts';
import { judgeLines } from '../../custody/carried-lines.ts';
import { beginning } from '../../custody/line.ts';
import type { Rule } from '../../text/rule.ts';
import { selectLines, toShown } from './select-lines.ts';

/** A part of the ledger of another site. */
interface SelectedPart {
  readonly count: number;
  /** The digest that its first line names. */
  readonly first: Digest;
  /** Its lines of the scope. None is marked as open: the outcome may be among the lines that the part does not have. */
  readonly lines: readonly EvidenceLine[];
}

/**
 * Checks a part of the ledger of another site, and selects its lines of a scope.
 *
 * @param bytes untrusted; at most `custodyLimits.carried`
 * @param point the end of the ledger that its checkpoint names
 * @returns the rule that it breaks, if any
 */
export function* selectFromPart(
  bytes: Buffer,
  point: CustodyPoint,
  scope: EvidenceScope,
): Steps<SelectedPart | { readonly flaw: Rule }> {
  const judged = yield* judgeLines(bytes, point);
  if ('flaw' in judged) return judged;
  const { lines: all } = judged;
  const selection = selectLines(scope);
  for (const line of all) selection.learn(line);
  yield;
  return {
    count: all.length,
    first: all[0]?.prev ?? beginning.digest,
    lines: all.filter((line) => selection.isSelected(line)).map(toShown),
  };
}
