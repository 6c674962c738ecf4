import { hashBytes } from '../base/digest.ts';
import type { SvcError } from '../text/error.ts';
import { type Claim, KnownClaims, listClaims, toContradiction, toOwnEnd } from './claims.ts';
import { lineStart, longestStart, readLine } from './line.ts';
import { scanLedgerBytes } from './read-page.ts';

/** The claims of a ledger about other sites, and of other sites about it. */
interface ReadClaims {
  /** Of other sites, as lines accepted them. */
  readonly claims: readonly Claim[];
  /** SVC-CUS-005 about a claim that names a line which the ledger does not have. */
  readonly contradiction?: SvcError;
}

/** In each line that accepted a claim. */
const mark = '"peer';

/**
 * Reads the claims that lines of a ledger accepted, and compares those about the ledger itself with its lines. Only these
 * lines are parsed; the chain is not checked.
 *
 * @param folder of the ledger
 * @param site that keeps it
 * @param kept other claims
 * @throws SVC-STO-001, SVC-STO-014, the signal's reason
 */
export async function readClaims(
  folder: string,
  site: string | undefined,
  kept: readonly Claim[],
  signal?: AbortSignal,
): Promise<ReadClaims> {
  const accepted = new KnownClaims();
  const named = new Map<number, Claim[]>();
  const name = (claim: Claim): void => {
    if (claim.site !== site) return;
    const others = named.get(claim.seq);
    if (others === undefined) named.set(claim.seq, [claim]);
    else if (others.every(({ head }) => head !== claim.head)) others.push(claim);
  };
  for (const claim of kept) name(claim);
  let contradiction: SvcError | undefined;
  let isEnd = true;
  // a line names earlier ones only
  const visit = (bytes: Buffer): boolean => {
    if (signal?.aborted) return false;
    const [, digits] = lineStart.exec(bytes.toString('latin1', 0, longestStart)) ?? [];
    // a broken one
    if (digits === undefined) return true;
    const seq = Number(digits);
    if (isEnd) {
      isEnd = false;
      const cut = [...named.values()].flat().find((claim) => claim.seq > seq);
      if (cut !== undefined) contradiction = toOwnEnd(seq, cut);
    }
    const about = named.get(seq);
    if (about !== undefined) {
      const own = { site: site!, seq, head: hashBytes(bytes), from: 'the ledger itself' };
      const other = about.find(({ head }) => head !== own.head);
      if (other !== undefined) contradiction ??= toContradiction(own, other);
    }
    if (!bytes.includes(mark)) return true;
    const read = readLine(bytes);
    if ('flaw' in read) return true;
    for (const claim of listClaims(read.line)) {
      accepted.add(claim, true);
      name(claim);
    }
    return true;
  };
  await scanLedgerBytes(folder, undefined, visit);
  signal?.throwIfAborted();
  return { claims: accepted.list(), ...(contradiction === undefined ? {} : { contradiction }) };
}
