import type { Digest } from '../base/digest.ts';
import { type CustodyPoint, checkpointPredicate, custodyLimits } from '../contract/custody.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type OwnStatement, readOwnStatement, type StatementSigner, signStatement } from './own-statement.ts';
import { ownPredicates } from './predicate-types.ts';

/** A checkpoint as read. Its signature is not verified: `findSigner` does. */
export interface ReadCheckpoint
  extends Pick<OwnStatement<unknown>, 'signed' | 'signature' | 'hint' | 'digest'> {
  readonly point: CustodyPoint;
  /** Digest of the file with the lines that travel with it. */
  readonly lines: Digest;
}

/** Names of the two subjects. */
const names = { head: 'last-line', lines: 'ledger.jsonl' } as const;

/**
 * Signs the end of a ledger, together with the lines that travel with it.
 *
 * @param lines digest of their file
 */
export function writeCheckpoint(
  { site, seq, head }: CustodyPoint,
  lines: Digest,
  signer: StatementSigner,
): Buffer {
  const subjects = [
    { name: names.head, digest: head },
    { name: names.lines, digest: lines },
  ];
  return signStatement(
    { subjects, predicateType: ownPredicates.checkpoint, predicate: { site, seq } },
    signer,
  );
}

/**
 * Reads a checkpoint. Its size is checked before anything is decoded.
 *
 * @returns the rule that the bytes break, if they are none
 */
export function readCheckpoint(bytes: Buffer): ReadCheckpoint | { readonly flaw: Rule } {
  const limit = custodyLimits.checkpoint;
  if (bytes.length > limit)
    return { flaw: rule(['larger than {limit:size}', fr`plus de {limit:size}`], { limit }) };
  const read = readOwnStatement(bytes, ownPredicates.checkpoint, checkpointPredicate);
  if ('flaw' in read) return read;
  const { predicate, subjects, ...statement } = read;
  const [head, lines] = subjects;
  if (head?.name !== names.head || lines?.name !== names.lines)
    return { flaw: rule(['it names no lines', fr`elle ne nomme pas de lignes`]) };
  const { site, seq } = predicate;
  return { ...statement, point: { site, seq, head: head.digest }, lines: lines.digest };
}
