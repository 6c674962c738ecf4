import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { readReceipt } from '../../src/attest/receipt.ts';
import { type ReceiptLine, splitReceipts } from '../../src/attest/receipt-file.ts';
import { receiptLimits } from '../../src/contract/receipt.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';

/** A bundle of a file with receipts. */
export interface BundlePlace {
  readonly file: string;
  /** Name in messages: that of the file, with the number of the line where there are several bundles. */
  readonly name: string;
  /** From 0. */
  readonly index: number;
  /** Zone of the first receipt of the file. */
  readonly via: string | undefined;
  /** @throws SVC-FIL-005, SVC-STO-014 for a file that cannot be read; SVC-VAL-002 for more bytes than a receipt has */
  readonly read: () => Buffer;
}

/**
 * Reads files with receipts, each once: it may be a pipe. The bundles are sorted by their numbers, so that the earlier ones
 * of a zone are added first. A file that cannot be read is last, and so is one beyond the limit of all together.
 */
export async function listBundles(files: readonly string[]): Promise<readonly BundlePlace[]> {
  const numbers = new Map<BundlePlace, number>();
  let room: number = receiptLimits.file;
  for (const file of new Set(files)) {
    let bundles: readonly ReceiptLine[];
    try {
      const bytes = await readBounded(file, room);
      room -= bytes.length;
      bundles = splitReceipts(bytes);
    } catch (error) {
      const folder = dirname(file);
      const isAway = isSvcError(error, 'SVC-FIL-005') && !existsSync(folder);
      const read = (): never => {
        throw isAway ? svcError('SVC-FIL-005', { path: file, disk: folder }, { cause: error }) : error;
      };
      numbers.set({ file, name: file, index: 0, via: undefined, read }, Number.POSITIVE_INFINITY);
      continue;
    }
    let via: string | undefined;
    for (const [index, { bytes, line }] of bundles.entries()) {
      const name = line === undefined ? file : `${file}:${line}`;
      const isTooLarge = bytes.length > receiptLimits.bytes;
      const found = isTooLarge ? undefined : readReceipt(bytes);
      const receipt = found && !('flaw' in found) ? found.receipt : undefined;
      if (index === 0) via = receipt?.zone;
      const read = (): Buffer => {
        if (isTooLarge) throw svcError('SVC-VAL-002', { limit: receiptLimits.bytes, file: name });
        return bytes;
      };
      numbers.set({ file, name, index, via, read }, receipt?.sequence ?? Number.POSITIVE_INFINITY);
    }
  }
  return [...numbers].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([place]) => place);
}
