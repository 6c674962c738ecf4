import type { FileHandle } from 'node:fs/promises';
import { Pacer } from '../base/pacer.ts';
import { type CustodyLine, custodyLimits } from '../contract/custody.ts';
import { openPlain } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { listLedgerYears, toLedgerPath } from './ledger-files.ts';
import { beginning, type CustodyHead, isUnfinished, readLine, readNextLine } from './line.ts';

const lineFeed = 0x0a;
/** Bytes that are read at once. */
const blockSize = 512 << 10;

/** The first line that is broken. */
export interface BrokenLine {
  readonly path: string;
  /** Number of the line in its file, from 1. */
  readonly line: number;
  readonly rule: Rule;
}

/** Place behind a line of the chain, from which the reading can go on. */
export interface LedgerPlace {
  readonly path: string;
  /** Lines of the file before it. */
  readonly line: number;
  /** Bytes of the file before it. */
  readonly offset: number;
  readonly head: CustodyHead;
  /** Number of lines of the chain until here. */
  readonly lines: number;
}

/** Outcome of the reading of a ledger. */
export interface LedgerCheck {
  /** The last line that follows the chain from the first one. */
  readonly head: CustodyHead;
  /** Number of lines of the chain. */
  readonly lines: number;
  readonly broken?: BrokenLine;
  /** A last line that its writer did not finish, as after a kill. */
  readonly unfinished?: { readonly path: string; readonly bytes: number };
  /** Where the reading stopped before the end of the ledger; absent when it was read to its end. */
  readonly next?: LedgerPlace;
}

interface CheckOptions {
  /** Called with each line of the chain, in order. */
  readonly visit?: ((line: CustodyLine, head: CustodyHead) => void) | undefined;
  /** Whether the first line may have any number, as in a part of a ledger. Default false. */
  readonly isPart?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Start of the reading. Default: the first line. */
  readonly from?: LedgerPlace | undefined;
  /** Bytes of lines after which the reading stops. Default: none. */
  readonly most?: number | undefined;
}

/**
 * Reads the files of a ledger in order, checks every line and the chain, and ends at the first broken line. The memory does
 * not grow with the ledger.
 *
 * @param paths the files, oldest first; they are untrusted
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function checkLedger(
  paths: readonly string[],
  { visit, isPart, signal, from, most = Number.POSITIVE_INFINITY }: CheckOptions = {},
): Promise<LedgerCheck> {
  const pacer = new Pacer();
  let { head, lines } = from ?? { head: beginning, lines: 0 };
  let broken: BrokenLine | undefined;
  let seen = 0;
  const first = from === undefined ? 0 : paths.indexOf(from.path);
  if (from !== undefined && first < 0)
    return { head, lines, broken: { path: from.path, line: from.line, rule: isGone } };
  for (const [i, path] of paths.entries()) {
    if (i < first) continue;
    let { line, offset } = path === from?.path ? from : { line: 0, offset: 0 };
    const take = (bytes: Buffer): boolean => {
      line += 1;
      offset += bytes.length;
      seen += bytes.length;
      const read = isPart && lines === 0 ? readLine(bytes) : readNextLine(bytes, head);
      if ('flaw' in read) broken = { path, line, rule: read.flaw };
      else {
        head = read.head;
        lines += 1;
        visit?.(read.line, head);
      }
      return broken === undefined && seen < most;
    };
    let rest: Buffer;
    try {
      await using file = await openPlain(path);
      if ((await file.stat()).size < offset) return { head, lines, broken: { path, line, rule: isGone } };
      rest = await readLines(file, take, { at: offset, pacer, signal });
    } catch (error) {
      throw toReadError(error, path);
    }
    if (broken !== undefined) return { head, lines, broken };
    if (seen >= most) return { head, lines, next: { path, line, offset, head, lines } };
    if (rest.length === 0) continue;
    if (isUnfinished(rest, i === paths.length - 1))
      return { head, lines, unfinished: { path, bytes: rest.length } };
    const cut = rule(['its line feed is absent', fr`il lui manque son saut de ligne`]);
    return { head, lines, broken: { path, line: line + 1, rule: cut } };
  }
  return { head, lines };
}

const isGone = rule([
  'it is no longer there, as it was when the ledger was read before',
  fr`elle n’est plus là, comme elle l’était à la lecture précédente du journal de garde`,
]);

/** The files of a ledger, oldest first. @throws SVC-STO-001, SVC-STO-014 */
export async function listLedgerFiles(folder: string): Promise<readonly string[]> {
  return (await listLedgerYears(folder)).map((year) => toLedgerPath(folder, year));
}

/**
 * Calls `take` with each line from `at` on, with its line feed, until it returns false. A line that is too long is given in part.
 *
 * @returns the bytes after the last line feed
 */
async function readLines(
  file: FileHandle,
  take: (line: Buffer) => boolean,
  {
    at: begin,
    pacer,
    signal,
  }: { readonly at: number; readonly pacer: Pacer; readonly signal: AbortSignal | undefined },
): Promise<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  const { size } = await file.stat();
  for (let at = begin; at < size; ) {
    signal?.throwIfAborted();
    const block = Buffer.allocUnsafe(Math.min(blockSize, size - at));
    const { bytesRead } = await file.read(block, 0, block.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const bytes = Buffer.concat([rest, block.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (!take(bytes.subarray(start, end + 1))) return Buffer.alloc(0);
      start = end + 1;
      if (pacer.isDue()) await pacer.rest();
    }
    rest = Buffer.from(bytes.subarray(start));
    if (rest.length > custodyLimits.line) {
      take(rest);
      return Buffer.alloc(0);
    }
  }
  return rest;
}
