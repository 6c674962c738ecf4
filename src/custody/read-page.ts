import { Pacer } from '../base/pacer.ts';
import { scanLines } from '../base/stream/scan-lines.ts';
import { scanLinesBack } from '../base/stream/scan-lines-back.ts';
import { type CustodyLine, type CustodyPage, type CustodyType, custodyLimits } from '../contract/custody.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { openPlain } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { listLedgerYears, toLedgerPath } from './ledger-files.ts';
import { readLine } from './line.ts';

interface PageQuery {
  readonly type?: CustodyType | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

/** Bytes of lines that one page looks at; the next page continues. */
const mostBytes = 16 << 20;

/**
 * Visits the bytes of the lines of a ledger, newest first unless told, without those that its writer has not finished yet.
 *
 * @param folder of the ledger; it may be absent
 * @param from position before which the lines are; oldest first, from which on
 * @param visit gets the bytes, and the positions where they begin and end; the scan ends when it returns false
 * @returns whether there may be further lines
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function scanLedgerBytes(
  folder: string,
  from: string | undefined,
  visit: (bytes: Buffer, at: string, end: string) => boolean,
  order: 'asc' | 'desc' = 'desc',
): Promise<boolean> {
  const pacer = new Pacer();
  const isAsc = order === 'asc';
  const [firstYear, offset] = from?.split('-').map(Number) ?? [];
  const years = await listLedgerYears(folder);
  for (const year of isAsc ? years : years.toReversed()) {
    if (firstYear !== undefined && (isAsc ? year < firstYear : year > firstYear)) continue;
    const path = toLedgerPath(folder, year);
    try {
      await using file = await openPlain(path);
      const { size } = await file.stat();
      const positionOf = (bytes: number): string => `${String(year).padStart(4, '0')}-${bytes}`;
      const each = (bytes: Buffer, start: number, end = start + bytes.length): boolean =>
        (bytes.at(-1) !== 0x0a && end === size) || visit(bytes, positionOf(start), positionOf(end));
      const place = year === firstYear ? Math.min(offset!, size) : isAsc ? 0 : size;
      const options = { longest: custodyLimits.line, pacer };
      if (!(await (isAsc ? scanLines : scanLinesBack)(file, place, each, options))) return true;
    } catch (error) {
      throw toReadError(error, path);
    }
  }
  return false;
}

/** As {@link scanLedgerBytes}. @param visit also gets the line, or undefined for one that is broken */
export function scanLedger(
  folder: string,
  before: string | undefined,
  visit: (line: CustodyLine | undefined, bytes: Buffer, at: string) => boolean,
): Promise<boolean> {
  return scanLedgerBytes(folder, before, (bytes, at) => visit(toWhole(bytes), bytes, at));
}

/** As {@link scanLedger}, oldest first. @param from position from which on the lines are visited */
export function scanLedgerForward(
  folder: string,
  from: string | undefined,
  visit: (
    line: CustodyLine | undefined,
    bytes: Buffer,
    place: { readonly at: string; readonly end: string },
  ) => boolean,
): Promise<boolean> {
  return scanLedgerBytes(folder, from, (bytes, at, end) => visit(toWhole(bytes), bytes, { at, end }), 'asc');
}

/** The line of some bytes; undefined for a broken one. */
function toWhole(bytes: Buffer): CustodyLine | undefined {
  const read = bytes.at(-1) === 0x0a ? readLine(bytes) : undefined;
  return read === undefined || 'flaw' in read ? undefined : read.line;
}

/**
 * Reads the line that begins at a position.
 *
 * @returns the line and the position after it; undefined where none begins
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readLineAt(
  folder: string,
  at: string,
): Promise<{ readonly line: CustodyLine; readonly end: string } | undefined> {
  const [year, offset] = at.split('-').map(Number);
  const path = toLedgerPath(folder, year!);
  try {
    await using file = await openPlain(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(custodyLimits.line), 0, undefined, offset!);
    const bytes = buffer.subarray(0, bytesRead);
    const length = bytes.indexOf(0x0a) + 1;
    const read = readLine(bytes.subarray(0, length));
    const end = at.replace(/[0-9]+$/, (start) => String(Number(start) + length));
    return 'flaw' in read ? undefined : { line: read.line, end };
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toReadError(error, path);
  }
}

/**
 * Reads one page of a ledger, newest line first. The chain is not checked: `checkLedger` does.
 *
 * @param folder of the ledger
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readLedgerPage(
  folder: string,
  { type, cursor, pageSize }: PageQuery,
): Promise<CustodyPage> {
  const lines: CustodyLine[] = [];
  let [seen, broken] = [0, 0];
  let last: string | undefined;
  const isCut = await scanLedger(folder, cursor, (line, bytes, at) => {
    // looks at one line more than fits: without one, this is the last page
    if (lines.length >= pageSize || seen > mostBytes) return false;
    seen += bytes.length;
    last = at;
    if (line === undefined) broken += 1;
    else if (type === undefined || line.type === type) lines.push(line);
    return true;
  });
  return {
    lines,
    ...(isCut && last !== undefined ? { next: last } : {}),
    ...(broken === 0 ? {} : { broken }),
  };
}
