import { type Digest, hashBytes } from '../base/digest.ts';
import type { SvcError } from '../text/error.ts';
import { type Claim, toContradiction, toOwnEnd } from './claims.ts';
import { lineStart, longestStart } from './line.ts';
import { scanLedgerBytes } from './read-page.ts';

/** A line of a ledger, and the last one of the ledger. */
interface FoundLine {
  /** Absent where the ledger has no such line. */
  readonly digest?: Digest;
  readonly end: number;
}

/** Finds a line by its number, from the end on; the chain is not checked. @throws SVC-STO-001, SVC-STO-014 */
export async function findLine(folder: string, seq: number): Promise<FoundLine> {
  let end = 0;
  let digest: Digest | undefined;
  await scanLedgerBytes(folder, undefined, (bytes) => {
    const [, digits] = lineStart.exec(bytes.toString('latin1', 0, longestStart)) ?? [];
    // a broken one
    if (digits === undefined) return true;
    const number = Number(digits);
    end = Math.max(end, number);
    if (number === seq) digest = hashBytes(bytes);
    return number > seq;
  });
  return { end, ...(digest === undefined ? {} : { digest }) };
}

/** SVC-CUS-005 about a ledger that lacks the line which a claim names, also where it has another one by now. */
export async function findCut(folder: string, claim: Claim): Promise<SvcError | undefined> {
  const { digest, end } = await findLine(folder, claim.seq);
  if (end < claim.seq) return toOwnEnd(end, claim);
  if (digest === undefined || digest === claim.head) return undefined;
  return toContradiction({ ...claim, head: digest, from: 'the ledger itself' }, claim);
}
