import { type Digest, hashBytes, isDigest } from '../base/digest.ts';
import type { Steps } from '../base/pacer.ts';
import { type CustodyLine, type CustodyPoint, custodyLimits } from '../contract/custody.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { type CustodyHead, lineStart, longestStart, readLine } from './line.ts';
import { scanLedger } from './read-page.ts';

/** Bytes of the end of a ledger that are searched for the lines about a delivery. */
const mostSearched = 16 << 20;

/** The lines about a delivery, oldest first. */
export interface CarriedLines {
  readonly bytes: Buffer;
  /** The last line of the whole ledger. */
  readonly point: CustodyPoint;
}

/**
 * Selects the lines about a delivery: those that name it, and those about its recipes. At most those of the last 16 MiB of
 * the ledger, and 1 MiB of them.
 *
 * @param folder of the ledger
 * @returns undefined for a ledger without lines
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function selectLines(
  folder: string,
  about: { readonly delivery: string; readonly digests: ReadonlySet<Digest> },
): Promise<CarriedLines | undefined> {
  const chosen: Buffer[] = [];
  let [seen, size] = [0, 0];
  let point: CustodyPoint | undefined;
  await scanLedger(folder, undefined, (line, bytes) => {
    if (line === undefined) return false;
    point ??= { site: line.site, seq: line.seq, head: hashBytes(bytes) };
    seen += bytes.length;
    if (isAbout(line, about)) {
      size += bytes.length;
      if (size > custodyLimits.carried) return false;
      chosen.unshift(Buffer.from(bytes));
    }
    return seen < mostSearched;
  });
  return point && { bytes: Buffer.concat(chosen), point };
}

const isAbout = (
  { details, subjects }: CustodyLine,
  { delivery, digests }: Parameters<typeof selectLines>[1],
): boolean => details.delivery === delivery || subjects.some(({ digest }) => digests.has(digest));

/** The lines of a checked part of a ledger, and those that they name as the lines before them. */
export function* listLinePoints(bytes: Buffer): Generator<CustodyHead> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    const [, seq, prev] = lineStart.exec(line.toString('latin1', 0, longestStart)) ?? [];
    if (isDigest(prev)) {
      if (Number(seq) > 1) yield { seq: Number(seq) - 1, digest: prev };
      yield { seq: Number(seq), digest: hashBytes(line) };
    }
    start = end;
  }
}

/**
 * Checks lines that another site carried: each line, the order of their numbers, and the chain between neighbours. They are
 * untrusted.
 *
 * @param point the end of the ledger from which they are
 * @returns the lines, or the rule that they break
 */
export function* judgeLines(
  bytes: Buffer,
  point: CustodyPoint,
): Steps<{ readonly lines: readonly CustodyLine[] } | { readonly flaw: Rule }> {
  const refuse = (seq: number, broken: Rule) => ({
    flaw: rule(['line {seq}: {broken}', fr`ligne {seq} : {broken}`], { seq, broken }),
  });
  if (bytes.length > custodyLimits.carried)
    return {
      flaw: rule(['larger than {limit:size}', fr`plus de {limit:size}`], { limit: custodyLimits.carried }),
    };
  let before: CustodyHead = { seq: 0, digest: hashBytes('') };
  const lines: CustodyLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    yield;
    const feed = bytes.indexOf(0x0a, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    const read = readLine(bytes.subarray(start, end));
    if ('flaw' in read) return refuse(lines.length + 1, read.flaw);
    const { line, head } = read;
    const isNext = head.seq === before.seq + 1 ? line.prev === before.digest : head.seq > before.seq;
    const isEnd = head.seq < point.seq || (head.seq === point.seq && head.digest === point.head);
    if (!isNext || !isEnd || line.site !== point.site)
      return refuse(
        lines.length + 1,
        rule(['it is not of this ledger', fr`elle n’appartient pas à ce journal de garde`]),
      );
    before = head;
    lines.push(line);
    start = end;
  }
  return { lines };
}
