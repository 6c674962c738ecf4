import { receiptLimits } from '../contract/receipt.ts';

/** Most bundles of a file: one for each zone that can be configured, and that of the zone that forwards them. */
const mostBundles = 1001;

/** A bundle of a file of receipts. */
export interface ReceiptLine {
  readonly bytes: Buffer;
  /** From 1; undefined where the file is one bundle. */
  readonly line: number | undefined;
}

/**
 * Splits a file into the bundles of receipts that it has: one, or one a line. A zone forwards the receipts of deeper zones
 * with its own in such a file. Each line counts for itself, also one that is no bundle. A file without any bundle, or with
 * more lines than zones, is returned whole: it is no receipt.
 */
export function splitReceipts(bytes: Buffer): readonly ReceiptLine[] {
  const lines: ReceiptLine[] = [];
  for (let start = 0, line = 1; start < bytes.length && lines.length <= mostBundles; line += 1) {
    const found = bytes.indexOf('\n', start);
    const end = found < 0 ? bytes.length : found;
    const own = bytes.subarray(start, end);
    if (own.toString('latin1').trim() !== '') lines.push({ bytes: own, line });
    start = end + 1;
  }
  const isList = lines.length > 1 && lines.length <= mostBundles && lines.some(isBundle) && !isOne(bytes);
  return isList ? lines : [{ bytes, line: undefined }];
}

/** Whether a line has the form of a bundle, which the list of the files of a medium has not. */
const isBundle = ({ bytes }: ReceiptLine): boolean =>
  /^\s*\{.*"dsseEnvelope".*\}\s*$/.test(bytes.toString('latin1'));

/** Whether a file is one bundle on several lines. */
function isOne(bytes: Buffer): boolean {
  if (bytes.length > receiptLimits.bytes) return false;
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Joins bundles into a file, one a line. The signed bytes of each stay as they are. */
export function joinReceipts(bundles: readonly Buffer[]): Buffer {
  return Buffer.from(bundles.map((one) => `${JSON.stringify(JSON.parse(one.toString('utf8')))}\n`).join(''));
}
