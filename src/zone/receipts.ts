import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { findSigner } from '../attest/own-statement.ts';
import { type ReadReceipt, readInventory, readReceipt } from '../attest/receipt.ts';
import { type Clock, toStamp } from '../base/clock.ts';
import { type Digest, isDigest } from '../base/digest.ts';
import { inventorySuffix } from '../contract/receipt.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlain, readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import {
  type KeptReceipt,
  type NewReceipt,
  openReceiptFolder,
  receiptSuffix,
  toReceiptName,
} from './receipt-files.ts';

/** The key of a zone, with the kinds of statements that it is believed for. */
export interface ZoneKey {
  /** Name of the zone. */
  readonly name: string;
  readonly key: KeyObject;
  readonly for: readonly string[];
}

/** Outcome of a receipt that is believed. */
export interface AddedReceipt {
  readonly receipt: KeptReceipt;
  /** False: it was the last known one already. */
  readonly isNew: boolean;
  /** Whether the given inventory is the one that the receipt names, and was kept. */
  readonly hasInventory: boolean;
}

/** A receipt that was refused because another one has its number. */
export interface Fork {
  /** Number that both have. */
  readonly sequence: number;
  /** Digest of the receipt that is kept. */
  readonly known: Digest;
  /** Digest of the receipt that was refused, as far as only its successor names it. */
  readonly refused: Digest;
  /** RFC 3339. */
  readonly foundAt: string;
}

/** Receipts of other zones: the last one of each that was believed. */
export interface Receipts {
  /**
   * The last receipt of a zone that one of these keys still verifies.
   *
   * @returns undefined where there is none, or where the key of its zone is no longer configured
   * @throws SVC-STO-001, SVC-STO-014
   */
  latest(zone: string, keys: readonly ZoneKey[]): Promise<KeptReceipt | undefined>;
  /** The last receipt of every zone, also of those whose key is no longer configured. @throws as `latest` */
  list(): Promise<readonly KeptReceipt[]>;
  /**
   * The fork that was found last of a receipt: it is known until a later receipt replaces that one.
   *
   * @throws SVC-STO-001 for a damaged record, SVC-STO-014
   */
  fork(receipt: NewReceipt): Promise<Fork | undefined>;
  /** The zone that brought a receipt with its own; undefined for one that came alone. @throws SVC-STO-014 */
  via(receipt: NewReceipt): Promise<string | undefined>;
  /**
   * The blobs that a receipt lists itself.
   *
   * @returns undefined where its inventory was not kept
   * @throws SVC-STO-001, SVC-STO-014
   */
  inventory(receipt: NewReceipt): Promise<ReadonlySet<Digest> | undefined>;
  /**
   * Requires that a receipt follows the known one of its zone.
   *
   * @throws SVC-RCP-002 for a lower number, SVC-RCP-003 for another receipt of the same number; SVC-STO-001, SVC-STO-014
   */
  requireContinued(receipt: NewReceipt, path: string): Promise<void>;
  /**
   * Keeps a receipt, durably. The one before is replaced.
   *
   * @throws SVC-RCP-001 to SVC-RCP-003, SVC-STO-002, SVC-STO-004, SVC-STO-005, SVC-STO-007
   */
  add(bytes: Buffer, options: AddReceiptOptions): Promise<AddedReceipt>;
}

interface AddReceiptOptions {
  readonly keys: readonly ZoneKey[];
  /** Accepts a lower number than the known one. Two receipts of one number are refused nevertheless. */
  readonly allowOlder?: boolean | undefined;
  /** Names the file in errors. */
  readonly path?: string | undefined;
  /** The file that lists the blobs of the zone; of another receipt: not kept. */
  readonly inventory?: Buffer | undefined;
  /** The zone that brought it with its own receipt; kept where it is a peer for receipts itself. */
  readonly via?: string | undefined;
  readonly clock?: Pick<Clock, 'wall'> | undefined;
}

/** Opens the receipts of other zones, `<state>/receipts/`. @param stateRoot folder of the state */
export function openReceipts(stateRoot: string): Receipts {
  const root = join(stateRoot, 'receipts');
  const folder = openReceiptFolder(root);
  const besides = (zone: string, suffix: string): string =>
    join(root, `${toReceiptName(zone).slice(0, -receiptSuffix.length)}${suffix}`);
  const inventoryPath = (zone: string): string => besides(zone, inventorySuffix);
  const viaPath = (zone: string): string => besides(zone, '.via.json');
  const forkPath = (zone: string): string => besides(zone, '.fork.json');
  return {
    requireContinued: async (receipt, path) => {
      const known = await folder.read(receipt.receipt.zone);
      if (known === undefined) return;
      const forks = await readForks(forkPath(receipt.receipt.zone));
      requireContinued(known, receipt, { path, fork: findFork(known, receipt, forks) });
    },
    via: async ({ digest, receipt: { zone } }) => {
      const path = viaPath(zone);
      try {
        const { receipt, via } = JSON.parse(await readPlainText(path));
        return receipt === digest && typeof via === 'string' ? via : undefined;
      } catch (error) {
        // it only names the way of a receipt
        if (isAbsent(error) || error instanceof SyntaxError) return undefined;
        throw toReadError(error, path);
      }
    },
    fork: async ({ digest, receipt: { zone } }) =>
      (await readForks(forkPath(zone))).find(({ known }) => known === digest),
    inventory: async (receipt) => {
      const path = inventoryPath(receipt.receipt.zone);
      try {
        return readInventory(receipt, await readPlain(path));
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw toReadError(error, path);
      }
    },
    latest: async (zone, keys) => {
      const found = await folder.read(zone);
      return found && isBelieved(found, keys) ? found : undefined;
    },
    list: () => folder.list(),
    add: async (bytes, options) => {
      const receipt = requireBelieved(bytes, options);
      let isNew = true;
      const { zone } = receipt.receipt;
      const kept = await folder.replace(zone, async (known) => {
        if (known === undefined) return receipt;
        isNew = known.digest !== receipt.digest;
        const forks = await readForks(forkPath(zone));
        const fork = findFork(known, receipt, forks);
        if (fork?.known === known.digest) {
          const found: Fork = { ...fork, foundAt: toStamp(options.clock) };
          const earlier = forks.filter(({ refused }) => refused !== fork.refused).slice(0, forkLimit - 1);
          const record = { ...found, ...(earlier.length > 0 ? { earlier } : {}) };
          await writeStateFile(forkPath(zone), `${JSON.stringify(record, null, 2)}\n`);
        }
        requireContinued(known, receipt, { ...options, fork });
        return receipt;
      });
      const { inventory, via } = options;
      if (isNew && via !== undefined && via !== zone && isReceiptPeer(via, options.keys))
        await writeStateFile(viaPath(zone), `${JSON.stringify({ receipt: kept.digest, via }, null, 2)}\n`);
      const hasInventory = inventory !== undefined && readInventory(kept, inventory) !== undefined;
      if (hasInventory) await writeStateFile(inventoryPath(zone), inventory);
      return { receipt: kept, isNew, hasInventory };
    },
  };
}

const isReceiptPeer = (zone: string, keys: readonly ZoneKey[]): boolean =>
  keys.some(({ name, for: kinds }) => name === zone && kinds.includes('receipt'));

/** Whether the key of its zone verifies a receipt, and the zone is believed for receipts. */
export function isBelieved(receipt: ReadReceipt, keys: readonly ZoneKey[]): boolean {
  const { zone } = receipt.receipt;
  const own = keys.filter(({ name, for: kinds }) => name === zone && kinds.includes('receipt'));
  return findSigner(receipt, own) !== undefined;
}

/**
 * Reads a receipt that the key of its zone verifies.
 *
 * @throws SVC-RCP-001
 */
export function requireBelieved(
  bytes: Buffer,
  { keys, path }: Pick<AddReceiptOptions, 'keys' | 'path'>,
): NewReceipt {
  const read = readReceipt(bytes);
  if ('flaw' in read) throw svcError('SVC-RCP-001', { path, rule: read.flaw });
  const { zone } = read.receipt;
  const signer = findSigner(read, keys);
  if (signer === undefined) {
    const broken = rule(
      [
        'no configured key verifies this receipt of zone {zone}',
        fr`aucune clé configurée ne vérifie ce reçu de la zone {zone}`,
      ],
      { zone },
    );
    throw svcError('SVC-RCP-001', { path, rule: broken, problem: 'signer' });
  }
  const { name } = signer;
  if (name !== zone) {
    const broken = rule(
      [
        'the key of {name} signed it, and it speaks for zone {zone}',
        fr`la clé de {name} l’a signé, et il parle pour la zone {zone}`,
      ],
      { name, zone },
    );
    throw svcError('SVC-RCP-001', { path, rule: broken, problem: 'zone' });
  }
  if (!signer.for.includes('receipt')) {
    const broken = rule(
      [
        'the peer {name} is not configured for receipts',
        fr`le pair {name} n’est pas configuré pour des reçus`,
      ],
      { name },
    );
    throw svcError('SVC-RCP-001', { path, rule: broken, problem: 'kind' });
  }
  return { ...read, bytes };
}

/** Forks of a zone that are remembered. */
const forkLimit = 64;

/**
 * The fork that a receipt is part of: it, or the one that it follows, has the number of the known receipt, or was refused
 * earlier. A receipt that was refused once stays so, also after a lower number was accepted.
 */
function findFork(
  known: KeptReceipt,
  { digest, receipt }: NewReceipt,
  forks: readonly Fork[],
): Omit<Fork, 'foundAt'> | undefined {
  const { sequence, previous } = receipt;
  const { sequence: last } = known.receipt;
  const claimed = sequence === last ? digest : sequence === last + 1 ? previous : undefined;
  if (claimed === known.digest) return undefined;
  if (claimed !== undefined) return { sequence: last, known: known.digest, refused: claimed };
  return forks.find(({ refused }) => refused === digest || refused === previous);
}

/** The forks of a zone, the last one first. */
async function readForks(path: string): Promise<readonly Fork[]> {
  try {
    const { earlier = [], ...last }: Fork & { earlier?: readonly Fork[] } = JSON.parse(
      await readPlainText(path),
    );
    const forks = [last, ...earlier];
    if (forks.every(isFork))
      return forks.map(({ sequence, known, refused, foundAt }) => ({ sequence, known, refused, foundAt }));
  } catch (error) {
    if (isAbsent(error)) return [];
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw toReadError(error, path);
  }
  throw svcError('SVC-STO-001', {
    path,
    detail: rule([
      'not a record of two receipts of one number: remove it, and add the receipts again',
      fr`pas un enregistrement de deux reçus d’un même numéro : supprimez-le, et ajoutez à nouveau les reçus`,
    ]),
  });
}

const isFork = ({ sequence, known, refused, foundAt }: Partial<Fork>): boolean =>
  typeof sequence === 'number' && isDigest(known) && isDigest(refused) && typeof foundAt === 'string';

/**
 * Requires that a receipt follows the known one of its zone.
 *
 * @throws SVC-RCP-003 for a receipt that is part of a fork; SVC-RCP-002 for a lower number
 */
function requireContinued(
  known: KeptReceipt,
  next: NewReceipt,
  {
    path,
    allowOlder,
    fork,
  }: Pick<AddReceiptOptions, 'path' | 'allowOlder'> & { readonly fork: Omit<Fork, 'foundAt'> | undefined },
): void {
  const { zone, sequence } = next.receipt;
  const { sequence: last } = known.receipt;
  if (fork !== undefined)
    throw svcError('SVC-RCP-003', {
      path,
      zone,
      // the next receipt names the forked one as its predecessor, and is refused too
      sequence: fork.sequence + 1,
      known: fork.sequence,
      digest: fork.refused,
      expected: fork.known,
    });
  if (sequence < last && allowOlder !== true)
    throw svcError('SVC-RCP-002', { path, zone, sequence, known: last });
}
