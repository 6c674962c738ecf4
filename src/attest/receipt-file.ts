/** Most bundles of a file: one for each zone that can be configured, and that of the zone that forwards them. */
const mostBundles = 1001;

/**
 * Splits a file into the bundles of receipts that it has: one, or one a line. A zone forwards the receipts of deeper zones
 * with its own in such a file. A file with more lines than zones is returned whole: it is no receipt.
 */
export function splitReceipts(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length && lines.length <= mostBundles; ) {
    const found = bytes.indexOf('\n', start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    if (line.toString('latin1').trim() !== '') lines.push(line);
    start = end + 1;
  }
  // a bundle on several lines is one bundle
  const isBundle = (line: Buffer): boolean => /^\s*\{.*\}\s*$/.test(line.toString('latin1'));
  const isList = lines.length > 1 && lines.length <= mostBundles && lines.every(isBundle);
  return isList ? lines : [bytes];
}

/** Joins bundles into a file, one a line. The signed bytes of each stay as they are. */
export function joinReceipts(bundles: readonly Buffer[]): Buffer {
  return Buffer.from(bundles.map((one) => `${JSON.stringify(JSON.parse(one.toString('utf8')))}\n`).join(''));
}
