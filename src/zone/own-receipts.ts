import { join } from 'node:path';
import { readReceipt } from '../attest/receipt.ts';
import type { Digest } from '../base/digest.ts';
import type { Receipt } from '../contract/receipt.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { type KeptReceipt, openReceiptFolder, receiptSuffix, toReceiptName } from './receipt-files.ts';

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
  /**
   * The identifier of the last delivery that a receipt names.
   *
   * @param digest of the statement of the receipt
   * @returns undefined where the receipt names none, or is not among the last {@link mostRemembered} of this zone
   * @throws SVC-STO-001, SVC-STO-014
   */
  deliveryOf(zone: string, digest: Digest): Promise<string | undefined>;
}

/** The deliveries that receipts name, by the digests of the receipts, the oldest first. */
type NamedDeliveries = Readonly<Record<Digest, string>>;

/** Most receipts of a zone before the last one of which the delivery is remembered. */
const mostRemembered = 1000;

/** Opens the receipts of this zone, `<state>/receipts/own/`. @param stateRoot folder of the state */
export function openOwnReceipts(stateRoot: string): OwnReceipts {
  const root = join(stateRoot, 'receipts', 'own');
  const folder = openReceiptFolder(root);
  const pathOf = (zone: string): string =>
    join(root, `${toReceiptName(zone).slice(0, -receiptSuffix.length)}.deliveries.json`);
  const readNamed = async (zone: string): Promise<NamedDeliveries> => {
    const path = pathOf(zone);
    try {
      return { ...JSON.parse(await readPlainText(path)) };
    } catch (error) {
      // it only adds a name to an error: a damaged one is written anew
      if (isAbsent(error) || error instanceof SyntaxError) return {};
      throw toReadError(error, path);
    }
  };
  const remember = async ({ digest, receipt: { zone, lastDelivery } }: KeptReceipt): Promise<void> => {
    if (lastDelivery === undefined) return;
    const named = Object.entries({ ...(await readNamed(zone)), [digest]: lastDelivery.id });
    const kept = Object.fromEntries(named.slice(-mostRemembered));
    const path = pathOf(zone);
    await removeLeftovers(path);
    await writeStateFile(path, `${JSON.stringify(kept, null, 2)}\n`);
  };
  return {
    last: (zone) => folder.read(zone),
    issue: (zone, sign) =>
      folder.replace(zone, async (known) => {
        const sequence = (known?.receipt.sequence ?? 0) + 1;
        const bytes = sign({ sequence, ...(known ? { previous: known.digest } : {}) });
        const read = readReceipt(bytes);
        if ('flaw' in read) throw new Error(`unreadable: ${read.flaw}`);
        if (known !== undefined) await remember(known);
        return { ...read, bytes };
      }),
    deliveryOf: async (zone, digest) => {
      const last = await folder.read(zone);
      return last?.digest === digest ? last.receipt.lastDelivery?.id : (await readNamed(zone))[digest];
    },
  };
}
