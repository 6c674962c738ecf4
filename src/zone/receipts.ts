import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { findSigner } from '../attest/own-statement.ts';
import { type ReadReceipt, readInventory, readReceipt, signsInventory } from '../attest/receipt.ts';
import { type Clock, systemClock, toStamp } from '../base/clock.ts';
import { type Digest, isDigest } from '../base/digest.ts';
import { KeptWork } from '../base/kept-work.ts';
import { inventorySuffix } from '../contract/receipt.ts';
import { writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readKept, readPlain, readPlainText, readRecord } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { type SvcError, svcError } from '../text/error.ts';
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
  /** Whether it signs an inventory that is not kept. */
  readonly lacksInventory: boolean;
  /** Numbers between the known receipt and this one: without these receipts, nothing shows that it continues the known one. */
  readonly unseen?: { readonly from: number; readonly to: number };
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
  /** The last receipt of a zone, also one that no key verifies any more. @throws as `latest` */
  last(zone: string): Promise<KeptReceipt | undefined>;
  /** The last receipt of every zone, also of those whose key is no longer configured. @throws as `latest` */
  list(): Promise<readonly KeptReceipt[]>;
  /**
   * The fork that was found last of a receipt: it is known until a later receipt replaces that one.
   *
   * @throws SVC-STO-001 for a damaged record, SVC-STO-014
   */
  fork(receipt: NewReceipt): Promise<Fork | undefined>;
  /**
   * A receipt with a lower number than this one, and dated after it, that was refused: the zone was restored, or lost its state.
   *
   * @throws SVC-STO-001 for a damaged record, SVC-STO-014
   */
  fallback(receipt: NewReceipt): Promise<Fork | undefined>;
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
   * @throws SVC-RCP-002 for a lower number, SVC-RCP-003 for another receipt of the same number, SVC-RCP-005 for one of an
   *   earlier count; SVC-STO-001, SVC-STO-014
   */
  requireContinued(receipt: NewReceipt, path: string): Promise<void>;
  /**
   * Keeps a receipt, durably. The one before is replaced.
   *
   * @throws SVC-RCP-001 to SVC-RCP-003, SVC-RCP-005, SVC-STO-002, SVC-STO-004, SVC-STO-005, SVC-STO-007
   */
  add(bytes: Buffer, options: AddReceiptOptions): Promise<AddedReceipt>;
}

interface AddReceiptOptions {
  readonly keys: readonly ZoneKey[];
  /** Accepts a lower number than the known one, or an earlier count. Two receipts of one number are refused nevertheless. */
  readonly allowOlder?: boolean | undefined;
  /** Names the file in errors. */
  readonly path?: string | undefined;
  /** The file that lists the blobs of the zone; of another receipt: not kept. */
  readonly inventory?: Buffer | undefined;
  /** The zone that brought it with its own receipt; kept where it is a peer for receipts itself. */
  readonly via?: string | undefined;
  readonly clock?: Pick<Clock, 'wall'> | undefined;
}

/** Bytes of one fork in memory, by estimate. */
const forkBytes = 1024;
/** Records of forks and of the ways of receipts, which each page about zones needs. */
const keptForks = new KeptWork<string, readonly Fork[]>(1 << 20);
const keptWays = new KeptWork<string, { readonly receipt: unknown; readonly via: string }>(1 << 20);

/** Opens the receipts of other zones, `<state>/receipts/`. @param stateRoot folder of the state */
export function openReceipts(stateRoot: string): Receipts {
  const root = join(stateRoot, 'receipts');
  const folder = openReceiptFolder(root);
  const besides = (zone: string, suffix: string): string =>
    join(root, `${toReceiptName(zone).slice(0, -receiptSuffix.length)}${suffix}`);
  const inventoryPath = (zone: string): string => besides(zone, inventorySuffix);
  const viaPath = (zone: string): string => besides(zone, '.via.json');
  const forkPath = (zone: string): string => besides(zone, '.fork.json');
  const lowerPath = (zone: string): string => besides(zone, '.lower.json');
  const closedPath = (zone: string): string => besides(zone, '.closed.json');
  const readInventoryOf = async (receipt: NewReceipt): Promise<ReadonlySet<Digest> | undefined> => {
    const path = inventoryPath(receipt.receipt.zone);
    try {
      return readInventory(receipt, await readPlain(path));
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw toReadError(error, path);
    }
  };
  return {
    requireContinued: async (receipt, path) => {
      const known = await folder.read(receipt.receipt.zone);
      if (known === undefined) return;
      const { zone } = receipt.receipt;
      const forks = await readForks(forkPath(zone));
      requireContinued(known, receipt, {
        path,
        fork: findFork(known, receipt, forks),
        closed: await readClosed(closedPath(zone)),
        now: systemClock.wall(),
      });
    },
    via: async ({ digest, receipt: { zone } }) => {
      const found = await readWay(viaPath(zone));
      return found?.receipt === digest ? found.via : undefined;
    },
    fork: async ({ digest, receipt: { zone } }) => {
      const path = forkPath(zone);
      const forks = await readKept(keptForks, path, async () => {
        const value = await readForks(path);
        return { value, bytes: forkBytes * value.length };
      });
      return forks?.find(({ known }) => known === digest);
    },
    fallback: async ({ digest, receipt: { zone } }) =>
      (await readForks(lowerPath(zone))).find(({ known }) => known === digest),
    inventory: readInventoryOf,
    latest: async (zone, keys) => {
      const found = await folder.read(zone);
      return found && isBelieved(found, keys) ? found : undefined;
    },
    last: (zone) => folder.read(zone),
    list: () => folder.list(),
    add: async (bytes, options) => {
      const receipt = requireBelieved(bytes, options);
      let isNew = true;
      let unseen: AddedReceipt['unseen'];
      const { zone } = receipt.receipt;
      const kept = await folder.replace(zone, async (known) => {
        if (known === undefined) return receipt;
        isNew = known.digest !== receipt.digest;
        const [from, to] = [known.receipt.sequence + 1, receipt.receipt.sequence - 1];
        if (from <= to) unseen = { from, to };
        const forks = await readForks(forkPath(zone));
        const fork = findFork(known, receipt, forks);
        const closed = await readClosed(closedPath(zone));
        const now = (options.clock ?? systemClock).wall();
        if (options.allowOlder !== true) requireCurrent(known, receipt, { ...options, closed });
        if (fork?.known === known.digest) {
          const found: Fork = { ...fork, foundAt: toStamp(options.clock) };
          const earlier = forks.filter(({ refused }) => refused !== fork.refused).slice(0, forkLimit - 1);
          const record = { ...found, ...(earlier.length > 0 ? { earlier } : {}) };
          await writeStateFile(forkPath(zone), `${JSON.stringify(record, null, 2)}\n`);
        }
        const { sequence, issuedAt } = receipt.receipt;
        const isLater = isBefore(known.receipt.issuedAt, issuedAt) && Date.parse(issuedAt) <= now + dayMs;
        if (sequence < known.receipt.sequence && isLater && options.allowOlder !== true) {
          const found = { sequence, known: known.digest, refused: receipt.digest };
          const record: Fork = { ...found, foundAt: toStamp(options.clock) };
          await writeStateFile(lowerPath(zone), `${JSON.stringify(record, null, 2)}\n`);
        }
        requireContinued(known, receipt, { ...options, fork, closed, now });
        // a receipt that continues a closed count opens it again
        const counts = closed.filter(
          ({ last }) => ![receipt.digest, receipt.receipt.previous, known.digest].includes(last),
        );
        if (options.allowOlder === true && isNew && !follows(known, receipt))
          counts.unshift({ last: known.digest, sequence: known.receipt.sequence, since: issuedAt });
        else if (counts.length === closed.length) return receipt;
        const record = { counts: counts.slice(0, forkLimit) };
        await writeStateFile(closedPath(zone), `${JSON.stringify(record, null, 2)}\n`);
        return receipt;
      });
      const { inventory, via } = options;
      if (isNew && via !== undefined && via !== zone && isReceiptPeer(via, options.keys))
        await writeStateFile(viaPath(zone), `${JSON.stringify({ receipt: kept.digest, via }, null, 2)}\n`);
      const hasInventory = inventory !== undefined && readInventory(kept, inventory) !== undefined;
      if (hasInventory) await writeStateFile(inventoryPath(zone), inventory);
      const lacksInventory =
        !hasInventory && signsInventory(kept) && (await readInventoryOf(kept)) === undefined;
      return { receipt: kept, isNew, hasInventory, lacksInventory, ...(unseen && { unseen }) };
    },
  };
}

const isReceiptPeer = (zone: string, keys: readonly ZoneKey[]): boolean =>
  keys.some(({ name, for: kinds }) => name === zone && kinds.includes('receipt'));

/** Whether the key of its zone verifies a receipt, and the zone is believed for receipts. */
export function isBelieved(receipt: ReadReceipt, keys: readonly ZoneKey[]): boolean {
  return findReceiptKey(receipt, keys) !== undefined;
}

/** Whether a key verifies a receipt: its bytes and its key never change, and a page shows the same receipts again. */
const verified = new WeakMap<ReadReceipt, WeakMap<KeyObject, boolean>>();

/** The key of its zone that verifies a receipt. */
export function findReceiptKey(receipt: ReadReceipt, keys: readonly ZoneKey[]): ZoneKey | undefined {
  const { zone } = receipt.receipt;
  const known = verified.get(receipt) ?? new WeakMap<KeyObject, boolean>();
  verified.set(receipt, known);
  return keys.find((one) => {
    if (one.name !== zone || !one.for.includes('receipt')) return false;
    const isSigner = known.get(one.key) ?? findSigner(receipt, [one]) !== undefined;
    known.set(one.key, isSigner);
    return isSigner;
  });
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

/** A count of receipts that ended when an administrator accepted a receipt that does not continue it. */
interface ClosedCount {
  /** Digest of its last known receipt. */
  readonly last: Digest;
  readonly sequence: number;
  /** Date of the receipt that was accepted in its place, RFC 3339. */
  readonly since: string;
}

/** The counts of a zone that ended, the last one first. @throws SVC-STO-001 */
async function readClosed(path: string): Promise<readonly ClosedCount[]> {
  const isClosed = ({ last, sequence, since }: ClosedCount): boolean =>
    isDigest(last) && typeof sequence === 'number' && !Number.isNaN(Date.parse(since));
  const parse = (document: unknown): readonly ClosedCount[] | undefined => {
    const { counts } = document as { counts: readonly ClosedCount[] };
    return counts.every(isClosed) ? counts : undefined;
  };
  const flaw = rule([
    'not a record of the earlier counts of a zone: remove it, and add the last receipt again',
    fr`pas un enregistrement des comptes antérieurs d’une zone : supprimez-le, et ajoutez à nouveau le dernier reçu`,
  ]);
  return (await readRecord(path, parse, flaw)) ?? [];
}

/** Whether a receipt is the known one, or names it as the one before. */
const follows = (known: KeptReceipt, { digest, receipt }: NewReceipt): boolean =>
  digest === known.digest ||
  (receipt.sequence === known.receipt.sequence + 1 && receipt.previous === known.digest);

/**
 * Requires that a receipt is not of a count that ended: it, or the one before it, was the last one of that, or it is dated
 * before the receipt that was accepted in its place.
 *
 * @throws SVC-RCP-005
 */
function requireCurrent(
  known: KeptReceipt,
  next: NewReceipt,
  { path, closed }: Pick<AddReceiptOptions, 'path'> & { readonly closed: readonly ClosedCount[] },
): void {
  const { digest, receipt } = next;
  if (follows(known, next)) return;
  const isOf = ({ last, since }: ClosedCount): boolean =>
    last === digest || last === receipt.previous || isBefore(receipt.issuedAt, since);
  if (closed.some(isOf)) refuseEarlier(known, next, path, 'closed');
}

const isBefore = (date: string, other: string): boolean => Date.parse(date) < Date.parse(other);

/** @throws SVC-RCP-005 */
function refuseEarlier(
  known: KeptReceipt,
  { receipt: { zone, sequence, issuedAt } }: NewReceipt,
  path: string | undefined,
  problem?: 'closed',
): never {
  const { sequence: last, issuedAt: knownAt } = known.receipt;
  const of = problem === undefined ? {} : { problem };
  throw svcError('SVC-RCP-005', { path, zone, sequence, issuedAt, known: last, knownAt, ...of });
}

const dayMs = 24 * 60 * 60 * 1000;

/** The forks of a zone, the last one first. @throws SVC-STO-001 */
async function readForks(path: string): Promise<readonly Fork[]> {
  const parse = (document: unknown): readonly Fork[] | undefined => {
    const { earlier = [], ...last } = document as Fork & { earlier?: readonly Fork[] };
    const forks = [last, ...earlier];
    if (!forks.every(isFork)) return undefined;
    return forks.map(({ sequence, known, refused, foundAt }) => ({ sequence, known, refused, foundAt }));
  };
  const flaw = rule([
    'not a record of two receipts of one number: remove it, and add the receipts again',
    fr`pas un enregistrement de deux reçus d’un même numéro : supprimez-le, et ajoutez à nouveau les reçus`,
  ]);
  return (await readRecord(path, parse, flaw)) ?? [];
}

/** The zone that brought a receipt, as its record says it; undefined without one. @throws SVC-STO-014 */
async function readWay(
  path: string,
): Promise<{ readonly receipt: unknown; readonly via: string } | undefined> {
  try {
    return await readKept(keptWays, path, async () => {
      const { receipt, via } = JSON.parse(await readPlainText(path));
      return typeof via === 'string' ? { value: { receipt, via }, bytes: forkBytes } : undefined;
    });
  } catch (error) {
    // it only names the way of a receipt
    if (isAbsent(error) || error instanceof SyntaxError) return undefined;
    throw toReadError(error, path);
  }
}

const isFork = ({ sequence, known, refused, foundAt }: Partial<Fork>): boolean =>
  typeof sequence === 'number' && isDigest(known) && isDigest(refused) && typeof foundAt === 'string';

/** Two receipts of a zone with one number. @param of.last number of the last known receipt of the zone */
export function toForkError(
  zone: string,
  { sequence, refused, known }: Omit<Fork, 'foundAt'>,
  { last, path }: { readonly last: number; readonly path?: string | undefined },
): SvcError {
  return svcError('SVC-RCP-003', {
    path,
    zone,
    // the one after the last known receipt names another predecessor, and is refused too
    sequence: Math.max(sequence, last) + 1,
    known: sequence,
    digest: refused,
    expected: known,
  });
}

/**
 * Requires that a receipt follows the known one of its zone.
 *
 * @param options.now milliseconds since the epoch; the date of a known receipt that is more than a day later says nothing
 * @throws SVC-RCP-003 for a receipt that is part of a fork; SVC-RCP-002 for a lower number; SVC-RCP-005 for one of an earlier
 *   count, and for one that does not follow the known one directly and is dated before it
 */
function requireContinued(
  known: KeptReceipt,
  next: NewReceipt,
  {
    path,
    allowOlder,
    fork,
    closed,
    now,
  }: Pick<AddReceiptOptions, 'path' | 'allowOlder'> & {
    readonly fork: Omit<Fork, 'foundAt'> | undefined;
    readonly closed: readonly ClosedCount[];
    readonly now: number;
  },
): void {
  const { zone, sequence, issuedAt } = next.receipt;
  const { sequence: last, issuedAt: knownAt } = known.receipt;
  if (allowOlder !== true) requireCurrent(known, next, { path, closed });
  if (fork !== undefined) throw toForkError(zone, fork, { last, path });
  if (sequence < last && allowOlder !== true)
    throw svcError('SVC-RCP-002', { path, zone, sequence, known: last });
  if (allowOlder === true || follows(known, next) || Date.parse(knownAt) > now + dayMs) return;
  if (isBefore(issuedAt, knownAt)) refuseEarlier(known, next, path);
}
