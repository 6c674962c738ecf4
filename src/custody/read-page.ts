import { Pacer } from '../base/pacer.ts';
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
 * Visits the bytes of the lines of a ledger, newest first, without those that its writer has not finished yet.
 *
 * @param folder of the ledger; it may be absent
 * @param visit gets the bytes and their position; the scan ends when it returns false
 * @returns whether there may be further lines
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function scanLedgerBytes(
  folder: string,
  before: string | undefined,
  visit: (bytes: Buffer, at: string) => boolean,
): Promise<boolean> {
  const pacer = new Pacer();
  const [lastYear = Number.POSITIVE_INFINITY, offset] = before?.split('-').map(Number) ?? [];
  for (const year of (await listLedgerYears(folder)).toReversed()) {
    if (year > lastYear) continue;
    const path = toLedgerPath(folder, year);
    try {
      await using file = await openPlain(path);
      const { size } = await file.stat();
      const each = (bytes: Buffer, start: number): boolean => {
        const at = `${String(year).padStart(4, '0')}-${start}`;
        return (bytes.at(-1) !== 0x0a && start + bytes.length === size) || visit(bytes, at);
      };
      const end = year === lastYear ? Math.min(offset!, size) : size;
      if (!(await scanLinesBack(file, end, each, { longest: custodyLimits.line, pacer }))) return true;
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
  return scanLedgerBytes(folder, before, (bytes, at) => {
    const read = bytes.at(-1) === 0x0a ? readLine(bytes) : undefined;
    return visit(read === undefined || 'flaw' in read ? undefined : read.line, bytes, at);
  });
}

/** Reads the line that begins at a position. @returns undefined where none does @throws SVC-STO-001, SVC-STO-014 */
export async function readLineAt(folder: string, at: string): Promise<CustodyLine | undefined> {
  const [year, offset] = at.split('-').map(Number);
  const path = toLedgerPath(folder, year!);
  try {
    await using file = await openPlain(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(custodyLimits.line), 0, undefined, offset!);
    const bytes = buffer.subarray(0, bytesRead);
    const read = readLine(bytes.subarray(0, bytes.indexOf(0x0a) + 1));
    return 'flaw' in read ? undefined : read.line;
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
