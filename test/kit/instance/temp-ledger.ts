import { silentReport } from '../../../src/base/report.ts';
import { type Ledger, type LedgerOptions, openLedger } from '../../../src/ledger/ledger.ts';

/** A record of a test ledger. */
export interface Note {
  readonly op: string;
  readonly n?: number;
}

/** Opens the ledger `content` below a root with the records that it told. */
export async function openTempLedger(
  root: string,
  options: Partial<LedgerOptions<Note>> = {},
): Promise<{ ledger: Ledger<Note>; told: Note[] }> {
  const told: Note[] = [];
  const ledger = await openLedger<Note>({
    root,
    folder: 'ledger',
    name: 'content',
    writable: true,
    parse: (value) => (typeof (value as Note)?.op === 'string' ? (value as Note) : undefined),
    onRecord: (record) => told.push(record),
    report: silentReport,
    ...options,
  });
  return { ledger, told };
}
