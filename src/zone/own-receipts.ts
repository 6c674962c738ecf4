import { join } from 'node:path';
import { readReceipt } from '../attest/receipt.ts';
import type { Receipt } from '../contract/receipt.ts';
import { type KeptReceipt, openReceiptFolder } from './receipt-files.ts';

/** The receipts that this zone writes: the last one has the number and the digest for the next one. */
export interface OwnReceipts {
  /** @throws SVC-STO-001, SVC-STO-014 for one that cannot be read: a number must not be used twice */
  last(zone: string): Promise<KeptReceipt | undefined>;
  /**
   * Writes the next receipt, durably: its number is used when this returns.
   *
   * @param sign makes the bundle with this number and this predecessor
   * @throws the errors of `sign`, of the lock and of writing; the number is then not used
   */
  issue(zone: string, sign: (place: Pick<Receipt, 'sequence' | 'previous'>) => Buffer): Promise<KeptReceipt>;
}

/** Opens the receipts of this zone, `<state>/receipts/own/`. @param stateRoot folder of the state */
export function openOwnReceipts(stateRoot: string): OwnReceipts {
  const folder = openReceiptFolder(join(stateRoot, 'receipts', 'own'));
  return {
    last: (zone) => folder.read(zone),
    issue: (zone, sign) =>
      folder.replace(zone, (known) => {
        const sequence = (known?.receipt.sequence ?? 0) + 1;
        const bytes = sign({ sequence, ...(known ? { previous: known.digest } : {}) });
        const read = readReceipt(bytes);
        if ('flaw' in read) throw new Error(`unreadable: ${read.flaw}`);
        return { ...read, bytes };
      }),
  };
}
