import { readReceipt } from '../../src/attest/receipt.ts';
import { receiptLimits } from '../../src/contract/receipt.ts';
import { readNamed } from '../../src/disk/named-file.ts';

/**
 * Sorts files with receipts by their number, so that the earlier ones of a zone are added first. A file that cannot be read
 * is last: it is reported when it is added. The content of one file is in memory at a time.
 */
export async function sortReceipts(files: readonly string[]): Promise<readonly string[]> {
  const numbers = new Map<string, number>();
  if (files.length === 1) return files;
  for (const file of files) {
    const bytes = await readNamed(file, receiptLimits.bytes).catch(() => undefined);
    const read = bytes && readReceipt(bytes);
    numbers.set(file, read && !('flaw' in read) ? read.receipt.sequence : Number.POSITIVE_INFINITY);
  }
  return [...numbers].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([file]) => file);
}
