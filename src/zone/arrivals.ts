import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, fingerprintOf, requireUnchanged } from '../base/digest.ts';
import { checkValue } from '../contract/check-value.ts';
import { Delivery } from '../contract/delivery.ts';
import { inline, type Schema } from '../contract/schema.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { acquireLock } from '../disk/lock.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readRecord } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { type DeliveryKey, selectDelivery, settleRecipes, toPeerName } from './delivery-record.ts';

/**
 * Most deliveries that are remembered. Complete ones are forgotten first, then those without a passport, of which anybody can make
 * any number, then the oldest one of the peer that has the most.
 */
const mostDeliveries = 1000;

/** What a zone remembers of the deliveries that it received. */
export interface Arrivals {
  /** The deliveries with this identifier of which a part arrived: of each peer its own. */
  find(id: string): Promise<readonly Delivery[]>;
  /** The first of them, where it does not matter whose it is. */
  get(id: string): Promise<Delivery | undefined>;
  /** All remembered deliveries, incomplete ones first, then the latest. */
  list(): Promise<readonly Delivery[]>;
  /**
   * Replaces the record of a delivery by the result of `change`, durably and under a lock for all processes. One of a peer takes
   * the place of one without a passport under its identifier.
   *
   * @param change is given the records of the other deliveries too
   * @returns undefined for disks without a passport beside those of a peer: nothing changes
   */
  update(
    key: DeliveryKey,
    change: (before: Delivery | undefined, others: readonly Delivery[]) => Delivery,
  ): Promise<Delivery | undefined>;
  /** Records in every incomplete delivery for a zone that these recipes landed at a time (RFC 3339), by whichever medium. */
  settle(zone: string, landed: ReadonlySet<Digest>, at: string): Promise<void>;
  /**
   * Removes the records under an identifier, durably.
   *
   * @param fingerprint of the record on which the request rests, and which alone is removed. Default: all are
   * @returns the first record; undefined when there is none
   * @throws SVC-SRV-007
   */
  forget(id: string, fingerprint?: string): Promise<Delivery | undefined>;
}

/** The identifier in the name of a record, and the name of the peer where it is not the first one. */
const recordName = /^(dlv_[0-9a-f]{12})(?:-[0-9a-f]{16})?\.json$/;

/** A record and its file. */
interface Kept {
  readonly path: string;
  readonly record: Delivery;
}

/** A record of a later version has further members. */
const openDelivery = inline(Delivery) as Schema;
const noRecord = rule([
  'not a record of a delivery: remove it, and import the parts again',
  fr`pas un enregistrement de livraison : supprimez-le, et importez à nouveau les parties`,
]);

/** The time of the last part that arrived; empty while none did. */
export const lastArrival = ({ landed }: Delivery): string =>
  landed.reduce((last, { importedAt }) => (importedAt > last ? importedAt : last), '');

/** Fingerprint of a record: another part that arrives changes it. */
export const fingerprintDelivery = (delivery: Delivery): Digest => fingerprintOf([delivery]);

/** Orders deliveries: incomplete ones first, then the one whose last part arrived last. */
export function compareArrivals(a: Delivery, b: Delivery): number {
  if (a.complete !== b.complete) return a.complete ? 1 : -1;
  return lastArrival(a) < lastArrival(b) ? 1 : -1;
}

/** Orders deliveries by how long they are remembered: of each peer in turn its latest one that waits, then those of disks without a passport. */
function sortByWorth<T extends { readonly record: Delivery }>(all: readonly T[]): readonly T[] {
  const sorted = all.toSorted((a, b) => compareArrivals(a.record, b.record));
  const counts = new Map<string, number>();
  const ranked = sorted.map((one) => {
    const { complete, peer } = one.record;
    if (complete || peer === undefined)
      return { one, turn: complete ? Number.POSITIVE_INFINITY : mostDeliveries };
    const turn = counts.get(peer) ?? 0;
    counts.set(peer, turn + 1);
    return { one, turn: Math.min(turn, mostDeliveries - 1) };
  });
  return ranked.toSorted((a, b) => (a.turn === b.turn ? 0 : a.turn - b.turn)).map(({ one }) => one);
}

/** Whether a part of a delivery was imported with this state folder. */
export async function hasArrivals(stateRoot: string): Promise<boolean> {
  return access(join(stateRoot, 'media', 'deliveries')).then(
    () => true,
    (error: unknown) => !isAbsent(error),
  );
}

/**
 * Opens the records of deliveries, `<state>/media/deliveries/<id>.json`; where another peer has that one, the name of the file
 * ends in that of the peer. They are never on a medium.
 *
 * @param stateRoot folder of the state; created on the first write
 */
export function openArrivals(stateRoot: string): Arrivals {
  const folder = join(stateRoot, 'media', 'deliveries');
  const namesOf = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw toReadError(error, folder);
    });
    return names.filter((name) => recordName.test(name)).sort();
  };
  const read = async (name: string): Promise<readonly Kept[]> => {
    const path = join(folder, name);
    const parse = (document: unknown): Delivery => {
      checkValue(document, openDelivery, '', path);
      return document as Delivery;
    };
    const record = await readRecord(path, parse, noRecord);
    return record === undefined ? [] : [{ path, record }];
  };
  const readAll = async (names: readonly string[]): Promise<readonly Kept[]> => {
    const all: Kept[] = [];
    for (const name of names) all.push(...(await read(name)));
    return all.sort((a, b) => compareArrivals(a.record, b.record));
  };
  const readUnder = async (id: string): Promise<readonly Kept[]> =>
    readAll((await namesOf()).filter((name) => recordName.exec(name)?.[1] === id));
  const find = async (id: string): Promise<readonly Delivery[]> =>
    (await readUnder(id)).map(({ record }) => record);
  const list = async (): Promise<readonly Delivery[]> =>
    (await readAll(await namesOf())).map(({ record }) => record);

  const lock = async () => {
    await makeStateFolder(folder);
    return acquireLock(join(stateRoot, 'media', 'deliveries.lock'), 'exclusive', {
      holder: rule(['media import', fr`import du support`]),
      patience: 10_000,
    });
  };
  const write = async (path: string, delivery: Delivery): Promise<void> => {
    await removeLeftovers(path);
    await writeStateFile(path, `${JSON.stringify(delivery, null, 2)}\n`);
  };

  return {
    find,
    get: async (id) => (await find(id))[0],
    list,
    update: async ({ id, peer }, change) => {
      await using _lock = await lock();
      const kept = await readUnder(id);
      const { own, isStranger } = selectDelivery(
        kept.map(({ record }) => record),
        peer,
      );
      if (isStranger) return undefined;
      const free = join(folder, `${id}.json`);
      const isTaken = kept.some(({ path, record }) => path === free && record.peer !== undefined);
      const path =
        kept.find(({ record }) => record === own)?.path ??
        (isTaken ? join(folder, `${id}-${toPeerName(peer!)}.json`) : free);
      // a damaged record of another delivery does not fail this one: `list` reports it
      const all = await readAll(await namesOf()).catch(() => []);
      const others = all.filter((one) => one.path !== path);
      const delivery = change(
        own,
        others.map(({ record }) => record),
      );
      await write(path, delivery);
      const sorted = sortByWorth([{ path, record: delivery }, ...others]);
      for (const one of sorted.slice(mostDeliveries)) if (one.path !== path) await removeDurably(one.path);
      return delivery;
    },
    forget: async (id, fingerprint) => {
      if (!(await hasArrivals(stateRoot))) return undefined;
      await using _lock = await lock();
      const kept = await readUnder(id);
      if (kept.length === 0) return undefined;
      const shown = kept.find(({ record }) => fingerprintDelivery(record) === fingerprint) ?? kept[0]!;
      requireUnchanged(fingerprint, () => fingerprintDelivery(shown.record), id);
      for (const one of fingerprint === undefined ? kept : [shown]) await removeDurably(one.path);
      return shown.record;
    },
    settle: async (zone, landed, at) => {
      const isOpen = (one: Delivery): boolean =>
        !one.complete &&
        one.zone === zone &&
        one.recipes.some(({ digest, state }) => state !== 'landed' && landed.has(digest));
      // as in `update`
      if (!(await list().catch(() => [])).some(isOpen)) return;
      await using _lock = await lock();
      for (const { path, record } of await readAll(await namesOf()))
        if (isOpen(record)) await write(path, settleRecipes(record, landed, at));
    },
  };
}
