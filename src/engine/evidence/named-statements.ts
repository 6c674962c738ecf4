import type { Digest } from '../../base/digest.ts';
import type { Evidence, EvidenceLine } from '../../contract/evidence.ts';
import { statementNames } from '../../custody/statement-names.ts';

/** A signed statement that a line names. */
export type NamedStatement = Evidence['absent'][number];

/** One text for a statement of a kind. @param digest by which lines name it */
export const toStatementKey = ({ kind, digest }: Pick<NamedStatement, 'kind' | 'digest'>): string =>
  `${kind} ${digest}`;

/**
 * The statements that a line names: receipts and passports by the digest of the statement, approvals by that of their bundle,
 * and the checkpoint that came on a medium by the line that it signs.
 */
export function listNamed({
  site,
  seq,
  type,
  subjects,
  details,
}: Pick<EvidenceLine, 'site' | 'seq' | 'type' | 'subjects' | 'details'>): readonly NamedStatement[] {
  const found = subjects.flatMap(({ name, digest }): readonly NamedStatement[] => {
    if (type === 'approved' && name === statementNames.approval)
      return [{ site, seq, kind: 'approval', digest }];
    if (name === statementNames.passport) return [{ site, seq, kind: 'passport', digest }];
    const isReceipt = type === 'receipt-accepted' || type === 'receipt-issued';
    return isReceipt && /^receipt [0-9]+ of /.test(name) ? [{ site, seq, kind: 'receipt', digest }] : [];
  });
  const { peerSeq, peerHead } = details;
  return type === 'received' && peerSeq !== undefined && typeof peerHead === 'string'
    ? [...found, { site, seq, kind: 'checkpoint', digest: peerHead as Digest }]
    : found;
}

/**
 * The statements that lines of the site name, and that its pack does not have, each with the first line. Approvals have the
 * name of an account: where actors are withheld, none is expected.
 *
 * @param present keys of the statements of the pack
 */
export function listAbsent(
  { ledgers: [own], actors }: Pick<Evidence, 'ledgers' | 'actors'>,
  present: ReadonlySet<string>,
): readonly NamedStatement[] {
  const absent = new Map<string, NamedStatement>();
  for (const line of own?.lines ?? []) {
    // an operation that did not end, or failed, may have left no statement
    if (line.step === 'intent' || (line.result ?? 'success') !== 'success') continue;
    for (const named of listNamed(line)) {
      const key = toStatementKey(named);
      const isExpected = actors === 'named' || named.kind !== 'approval';
      if (isExpected && !present.has(key) && !absent.has(key)) absent.set(key, named);
    }
  }
  return [...absent.values()];
}
