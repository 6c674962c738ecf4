import { isDigest } from '../base/digest.ts';
import type { CustodyLine, CustodyPoint } from '../contract/custody.ts';
import { type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** An end that a ledger had, as a statement names it. */
export interface Claim extends CustodyPoint {
  /** The statement, as sentences name it. */
  readonly from: Rule | string;
  /** The receipt of the site itself: a later one names a later line. */
  readonly receipt?: { readonly zone: string; readonly sequence: number } | undefined;
  /** It is one of the lines that came with a checkpoint, and was not the end. */
  readonly isWithin?: true;
}

/** The end of a ledger that a receipt names of another site, as the line about the receipt keeps it. */
export const toPeerClaim = ({ site, seq, head }: CustodyPoint): string => `${seq} ${head} ${site}`;

function parsePeerClaim(text: unknown): readonly CustodyPoint[] {
  const [, seq, head, site] = /^([0-9]{1,16}) (\S+) (.{1,64})$/.exec(String(text)) ?? [];
  return site !== undefined && isDigest(head) ? [{ site, seq: Number(seq), head }] : [];
}

/** Reads the claims of another site that were accepted with a line of the own ledger. */
export function listClaims({ seq: line, details }: CustodyLine): readonly Claim[] {
  const { peerSite: site, peerSeq: seq, peerHead: head, peerClaims, zone, sequence } = details;
  const from = rule(['line {line} of this ledger', fr`la ligne {line} de ce journal de garde`], {
    line: String(line),
  });
  const receipt =
    typeof zone === 'string' && typeof sequence === 'number' ? { receipt: { zone, sequence } } : {};
  const own = typeof site === 'string' && typeof seq === 'number' && isDigest(head);
  return [
    ...(own ? [{ site, seq, head, from, ...receipt }] : []),
    ...(Array.isArray(peerClaims) ? peerClaims : []).flatMap(parsePeerClaim).map((one) => ({ ...one, from })),
  ];
}

/** Claims, without those that an earlier one already makes: their number does not grow with the ledger alone. */
export class KnownClaims {
  readonly #known = new Map<string, Claim>();

  /** @param isEarlier whether it takes the place of the same claim. Default false */
  add(claim: Claim, isEarlier = false): void {
    const { site, seq, head, receipt } = claim;
    const key = JSON.stringify([site, seq, head, receipt?.zone, receipt?.sequence]);
    if (isEarlier || !this.#known.has(key)) this.#known.set(key, claim);
  }

  list(): readonly Claim[] {
    return [...this.#known.values()];
  }
}

/** Media arrive in any order: only receipts of one zone, which have numbers, order the lines that they name. */
function contradict(one: Claim, other: Claim): boolean {
  if (one.site !== other.site) return false;
  if (one.seq === other.seq) return one.head !== other.head;
  if (one.receipt === undefined || one.receipt.zone !== other.receipt?.zone) return false;
  const order = one.receipt.sequence - other.receipt.sequence;
  return order !== 0 && order > 0 !== one.seq > other.seq;
}

/** Finds earlier claims that claims contradict. @returns SVC-CUS-005 about the first two of each ledger */
export function findContradictions(claims: readonly Claim[], earlier: readonly Claim[]): readonly SvcError[] {
  const toKey = ({ site, seq }: CustodyPoint): string => `${seq} ${site}`;
  const byLine = Map.groupBy(earlier, toKey);
  const ofReceipts = Map.groupBy(earlier, ({ receipt }) => receipt?.zone);
  const found = new Map<string, SvcError>();
  for (const claim of claims) {
    if (found.has(claim.site)) continue;
    const others = [byLine.get(toKey(claim)), claim.receipt && ofReceipts.get(claim.receipt.zone)];
    const other = others.flatMap((some) => some ?? []).find((one) => contradict(one, claim));
    if (other !== undefined) found.set(claim.site, toContradiction(other, claim));
  }
  return [...found.values()];
}

/** Finds claims that contradict each other: the first two of each ledger. @returns SVC-CUS-005 about each */
export function listContradictions(claims: readonly Claim[]): readonly SvcError[] {
  return [...Map.groupBy(claims, ({ site }) => site).values()].flatMap((all) => {
    const byLine = all.toSorted((one, other) => one.seq - other.seq);
    const ofReceipts = Map.groupBy(
      all.filter(({ receipt }) => receipt !== undefined),
      ({ receipt }) => receipt!.zone,
    );
    const ordered = [...ofReceipts.values()].map((some) =>
      some.toSorted((one, other) => one.receipt!.sequence - other.receipt!.sequence),
    );
    for (const row of [byLine, ...ordered])
      for (const [i, claim] of row.entries())
        if (i > 0 && contradict(row[i - 1]!, claim)) return [toContradiction(row[i - 1]!, claim)];
    return [];
  });
}

/** @returns SVC-CUS-005 about a ledger that ends before the line that a claim names */
export function toOwnEnd(end: number, { site, from, seq }: Claim): SvcError {
  const cut = rule(
    [
      'the ledger itself ends with line {end}, and {from} names line {seq}',
      fr`le journal de garde lui-même finit à la ligne {end}, et {from} nomme la ligne {seq}`,
    ],
    { end, from, seq },
  );
  return svcError('SVC-CUS-005', { site, rule: cut });
}

/** @returns SVC-CUS-005 about two claims of one line, or about two receipts */
export function toContradiction(one: Claim, other: Claim): SvcError {
  const { site } = one;
  const values = { one: one.from, other: other.from, seq: one.seq, next: other.seq };
  const broken =
    one.seq === other.seq
      ? rule(
          [
            '{one} and {other} name two different lines {seq}',
            fr`{one} et {other} nomment deux lignes {seq} différentes`,
          ],
          values,
        )
      : rule(
          [
            '{one} names line {seq}, and {other} names line {next}: the order of the receipts is another one',
            fr`{one} nomme la ligne {seq}, et {other} nomme la ligne {next} : l’ordre des reçus est différent`,
          ],
          values,
        );
  return svcError('SVC-CUS-005', { site, rule: broken });
}
