import { join } from 'node:path';
import { readReceipt } from '../../attest/receipt.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { type Claim, KnownClaims } from '../../custody/claims.ts';
import type { CustodyDetails } from '../../custody/model.ts';
import type { SvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { openReceiptFolder } from '../../zone/receipt-files.ts';
import { openReceipts } from '../../zone/receipts.ts';
import { listPartClaims } from './carry-custody.ts';
import { readKeptStatements } from './kept-statements.ts';

/**
 * Lists the claims of kept statements: the last receipt of each zone, also of this one, names ends of its own ledger and of
 * those of its senders, and each part that came on a medium has lines and names an end.
 *
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function listKeptClaims(stateRoot: string): Promise<readonly Claim[]> {
  const receipts = await openReceipts(stateRoot).list();
  return [
    ...(await listPartClaims(stateRoot)),
    ...receipts.flatMap(({ receipt }) => listReceiptClaims(receipt)),
    ...(await listOwnClaims(stateRoot)),
  ];
}

/** Lists the claims of the receipts that this instance wrote. @throws SVC-STO-001, SVC-STO-014 */
export async function listOwnClaims(stateRoot: string): Promise<readonly Claim[]> {
  const own = await openReceiptFolder(join(stateRoot, 'receipts', 'own')).list();
  return own.flatMap(({ receipt }) => listReceiptClaims(receipt, 'own'));
}

/**
 * As {@link listOwnClaims}, with the earlier receipts too: after a cut the ledger grows again, and later receipts name only its
 * new lines.
 */
export async function listIssuedClaims(stateRoot: string): Promise<readonly Claim[]> {
  const last = await openReceiptFolder(join(stateRoot, 'receipts', 'own')).list();
  const zones = new Set(last.map(({ receipt }) => receipt.zone));
  const known = new KnownClaims();
  for (const { receipt } of last) for (const one of listReceiptClaims(receipt, 'own')) known.add(one);
  for await (const bytes of readKeptStatements(stateRoot, 'receipts')) {
    const read = readReceipt(bytes);
    if ('flaw' in read || !zones.has(read.receipt.zone)) continue;
    for (const one of listReceiptClaims(read.receipt, 'own')) known.add(one);
  }
  return known.list();
}

/** The claims of a receipt about ledgers. @param own whether this instance wrote it */
export function listReceiptClaims({ zone, sequence, custody }: Receipt, own?: 'own'): readonly Claim[] {
  if (custody === undefined) return [];
  const from = rule(
    [
      '[{own=own}the own ]receipt {sequence} of zone {zone}',
      fr`le reçu {sequence} de la zone {zone}[{own=own}, de cette instance]`,
    ],
    { own, sequence: String(sequence), zone },
  );
  const { peers = [], site, seq, head } = custody;
  return [
    { site, seq, head, from, receipt: { zone, sequence } },
    ...peers.map((peer) => ({ site: peer.site, seq: peer.seq, head: peer.head, from })),
  ];
}

/** Details of a line about contradictions. */
export const describeContradictions = (found: readonly SvcError[]): CustodyDetails =>
  found.length === 0
    ? {}
    : { code: found[0]!.code, contradictions: found.map((one) => String(one.params.rule ?? one.code)) };
