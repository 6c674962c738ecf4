import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../disk/is-absent.ts';
import { toReadError } from '../disk/read-error.ts';

/** Folder of the ledger, below that of the state. */
export const toCustodyFolder = (stateRoot: string): string => join(stateRoot, 'custody');

/** Path of the file with the lines of a year. */
export const toLedgerPath = (folder: string, year: number): string =>
  join(folder, `${String(year).padStart(4, '0')}.jsonl`);

/**
 * Lists the years of which a ledger has a file, oldest first. A file continues that of the year before it in this list.
 *
 * @param folder of the ledger; it may be absent
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function listLedgerYears(folder: string): Promise<readonly number[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => /^\d{4}\.jsonl$/.test(name))
      .map((name) => Number(name.slice(0, 4)))
      .sort((a, b) => a - b);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  }
}
