import { joinReceipts } from '../../attest/receipt-file.ts';
import { openReceipts } from '../../zone/receipts.ts';

/** Receipts that go on to the source above. */
export interface ForwardedReceipts {
  /** One a line; empty without any. */
  readonly bytes: Buffer;
  readonly zones: readonly string[];
  /** Zones whose receipts found no room. */
  readonly left: readonly string[];
}

/**
 * Reads the last receipts of the zones that this zone delivers to, for the source above. They are passed on as they were
 * signed: the source verifies each under the key of its zone.
 *
 * @param zone that forwards: its own receipt is not among them
 * @param room bytes that the file has for them
 * @throws SVC-STO-001, SVC-STO-014
 */
export async function readForwarded(
  stateRoot: string,
  zone: string,
  room: number,
): Promise<ForwardedReceipts> {
  const lines: Buffer[] = [];
  const zones: string[] = [];
  const left: string[] = [];
  let free = room;
  for (const { bytes, receipt } of await openReceipts(stateRoot).list()) {
    if (receipt.zone === zone) continue;
    const line = joinReceipts([bytes]);
    const fits = line.length <= free;
    (fits ? zones : left).push(receipt.zone);
    if (!fits) continue;
    lines.push(line);
    free -= line.length;
  }
  return { bytes: Buffer.concat(lines), zones, left };
}
