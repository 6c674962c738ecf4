import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadReceipt, readReceipt } from '../attest/receipt.ts';
import { digestHex, hashBytes } from '../base/digest.ts';
import { KeptWork } from '../base/kept-work.ts';
import { receiptLimits } from '../contract/receipt.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { acquireLock } from '../disk/lock.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { openPlain, readKept, readWhole } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** A receipt in the state, with its bytes. */
export interface KeptReceipt extends ReadReceipt {
  readonly bytes: Buffer;
  readonly path: string;
}

/** A receipt that has no file yet. */
export type NewReceipt = Omit<KeptReceipt, 'path'>;

/** End of the name of a file that has a receipt. */
export const receiptSuffix = '.sigstore.json';

/** The name of the file for the receipts of a zone: the zone itself, where every filesystem takes it. */
export function toReceiptName(zone: string): string {
  const name = /^[a-z0-9][a-z0-9._-]{0,99}$/.test(zone)
    ? zone
    : `~${digestHex(hashBytes(zone)).slice(0, 32)}`;
  return `${name}${receiptSuffix}`;
}

/** Receipts in a folder of the state: the last one of each zone, in a file each. */
export interface ReceiptFolder {
  /** @throws SVC-STO-001, SVC-STO-014 for a file that cannot be read */
  read(zone: string): Promise<KeptReceipt | undefined>;
  /** All zones, sorted. @throws as `read` */
  list(): Promise<readonly KeptReceipt[]>;
  /**
   * Replaces the receipt of a zone by the result of `change`, under a lock for all processes. The new one is durable when
   * this returns.
   *
   * @throws the errors of `change`, of the lock and of writing; the receipt before then stays
   */
  replace(
    zone: string,
    change: (known: KeptReceipt | undefined) => NewReceipt | Promise<NewReceipt>,
  ): Promise<KeptReceipt>;
}

/** Parsed receipts of all folders, up to 32 MiB: a page of fifty zones would parse fifty documents. */
const kept = new KeptWork<string, KeptReceipt>(32 << 20);

/** @param folder created at the first write */
export function openReceiptFolder(folder: string): ReceiptFolder {
  const parse = async (path: string, name: string): Promise<KeptReceipt | undefined> => {
    let bytes: Buffer;
    try {
      await using file = await openPlain(path);
      const { size } = await file.stat();
      bytes = await readWhole(file, Math.min(size, receiptLimits.bytes + 1));
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw toReadError(error, path);
    }
    const found = readReceipt(bytes);
    if ('flaw' in found || toReceiptName(found.receipt.zone) !== name)
      throw svcError('SVC-STO-001', {
        path,
        detail: rule(['not a receipt of this zone', fr`pas un reçu de cette zone`]),
      });
    return { ...found, bytes, path };
  };
  const read = async (name: string): Promise<KeptReceipt | undefined> => {
    const path = join(folder, name);
    try {
      return await readKept(kept, path, async () => {
        const value = await parse(path, name);
        // the file, its text in base64, and the members
        return value && { value, bytes: 3 * value.bytes.length };
      });
    } catch (error) {
      throw toReadError(error, path);
    }
  };
  return {
    read: (zone) => read(toReceiptName(zone)),
    list: async () => {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isAbsent(error)) return [];
        throw toReadError(error, folder);
      });
      const found: KeptReceipt[] = [];
      for (const name of names.filter((one) => one.endsWith(receiptSuffix))) {
        const receipt = await read(name);
        if (receipt !== undefined) found.push(receipt);
      }
      return found.sort((a, b) => (a.receipt.zone < b.receipt.zone ? -1 : 1));
    },
    replace: async (zone, change) => {
      const name = toReceiptName(zone);
      const path = join(folder, name);
      await makeStateFolder(folder);
      await using _lock = await acquireLock(join(folder, 'receipts.lock'), 'exclusive', {
        holder: rule(['receipts', fr`reçus`]),
        patience: 10_000,
      });
      const known = await parse(path, name);
      const next = { ...(await change(known)), path };
      if (next.digest === known?.digest) return known;
      await removeLeftovers(path);
      await writeStateFile(path, next.bytes);
      return next;
    },
  };
}
