import type { Digest } from '../base/digest.ts';
import type { CustodyLine } from '../contract/custody.ts';
import { readLine } from './line.ts';
import { scanLedgerBytes } from './read-page.ts';

/** The media that a line names. */
export const mediaOf = ({ subjects }: Pick<CustodyLine, 'subjects'>): readonly Digest[] =>
  subjects.flatMap(({ name, digest }) => (name === 'media.jsonl' ? [digest] : []));

/**
 * Visits the lines of a ledger that are about a delivery, newest first. The chain is not checked.
 *
 * @param folder of the ledger; it may be absent
 * @param id identifier of the delivery
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function visitDeliveryLines(
  folder: string,
  id: string,
  visit: (line: CustodyLine) => void,
): Promise<void> {
  await scanLedgerBytes(folder, undefined, (bytes) => {
    if (!bytes.includes(id)) return true;
    const read = readLine(bytes);
    if (!('flaw' in read) && read.line.details.delivery === id) visit(read.line);
    return true;
  });
}
