import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { custodyLimits } from '../contract/custody.ts';
import { openRegular } from '../disk/guarded-open.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { listLedgerYears, toLedgerPath } from './ledger-files.ts';
import { beginning, type CustodyHead, readLine } from './line.ts';

const lineFeed = 0x0a;

/** The end of one file of a ledger. */
export interface LedgerEnd {
  /** The last whole line; absent in a file without one. */
  readonly head?: CustodyHead;
  /** Bytes of all whole lines. */
  readonly size: number;
  /** The bytes after them: a line that was not finished. Empty as a rule. */
  readonly rest: Buffer;
}

/** @throws SVC-CUS-001 */
export function refuseLedger(path: string, broken: Rule, line?: number): never {
  throw svcError('SVC-CUS-001', { path, line, rule: broken });
}

/**
 * Reads the end of a file of a ledger. Only its last line is checked.
 *
 * @param path for errors
 * @throws SVC-CUS-001 for a last line that is none; the operating system's error
 */
export async function readEnd(file: FileHandle, path: string): Promise<LedgerEnd> {
  const { size } = await file.stat();
  // the last whole line, and an unfinished one behind it
  const start = Math.max(0, size - 2 * custodyLimits.line - 1);
  const bytes = Buffer.alloc(size - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  const text = bytes.subarray(0, bytesRead);
  const end = text.lastIndexOf(lineFeed) + 1;
  const rest = text.subarray(end);
  if (rest.length > custodyLimits.line || (end === 0 && start > 0))
    refuseLedger(path, rule(['its last line is too long', fr`sa dernière ligne est trop longue`]));
  if (end === 0) return { size: 0, rest };
  const before = end < 2 ? -1 : text.lastIndexOf(lineFeed, end - 2);
  const read = readLine(text.subarray(before + 1, end));
  if ('flaw' in read)
    refuseLedger(
      path,
      rule(['its last line is broken: {flaw}', fr`sa dernière ligne est rompue : {flaw}`], {
        flaw: read.flaw,
      }),
    );
  return { head: read.head, size: start + end, rest };
}

/**
 * Reads the head of a ledger: its last whole line, in its newest file that has one.
 *
 * @throws SVC-CUS-001, SVC-STO-001, SVC-STO-014, and the operating system's error
 */
export async function readHead(folder: string): Promise<CustodyHead> {
  for (const year of (await listLedgerYears(folder)).toReversed()) {
    const path = toLedgerPath(folder, year);
    await using file = await openRegular(path, constants.O_RDONLY);
    const { head } = await readEnd(file, path);
    if (head !== undefined) return head;
  }
  return beginning;
}
