import { readReceipt } from '../../src/attest/receipt.ts';
import { splitReceipts } from '../../src/attest/receipt-file.ts';
import { receiptLimits } from '../../src/contract/receipt.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { svcError } from '../../src/text/error.ts';

/** A bundle of a file with receipts. */
export interface BundlePlace {
  readonly file: string;
  /** Name in messages: that of the file, with the number of the bundle where there are several. */
  readonly name: string;
  /** From 0. */
  readonly index: number;
  /** Zone of the first receipt of the file. */
  readonly via: string | undefined;
}

/**
 * Lists the bundles of files by their numbers, so that the earlier ones of a zone are added first. A file that cannot be
 * read is last: it is reported when it is added. The content of one file is in memory at a time.
 */
export async function listBundles(files: readonly string[]): Promise<readonly BundlePlace[]> {
  const numbers = new Map<BundlePlace, number>();
  for (const file of new Set(files)) {
    const bundles = await readBundles(file).catch(() => [undefined]);
    let via: string | undefined;
    for (const [index, bytes] of bundles.entries()) {
      const read = bytes && readReceipt(bytes);
      const name = bundles.length === 1 ? file : `${file}:${index + 1}`;
      const receipt = read && !('flaw' in read) ? read.receipt : undefined;
      if (index === 0) via = receipt?.zone;
      numbers.set({ file, name, index, via }, receipt?.sequence ?? Number.POSITIVE_INFINITY);
    }
  }
  return [...numbers].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([place]) => place);
}

/**
 * Reads a bundle.
 *
 * @throws SVC-FIL-005, SVC-STO-014; SVC-VAL-002 for more bytes than a receipt has
 */
export async function readPlace({ file, index }: BundlePlace): Promise<Buffer> {
  const bytes = (await readBundles(file))[index] ?? Buffer.alloc(0);
  if (bytes.length > receiptLimits.bytes) throw svcError('SVC-VAL-002', { limit: receiptLimits.bytes, file });
  return bytes;
}

const readBundles = async (file: string): Promise<readonly Buffer[]> =>
  splitReceipts(await readBounded(file, receiptLimits.file));
