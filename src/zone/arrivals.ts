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
import { settleRecipes } from './delivery-record.ts';

/** Most deliveries that are remembered; complete ones are forgotten first, then the oldest. */
const mostDeliveries = 1000;

/** What a zone remembers of the deliveries that it received. */
export interface Arrivals {
  /** The delivery with this identifier, if a part of it arrived. */
  get(id: string): Promise<Delivery | undefined>;
  /** All remembered deliveries, incomplete ones first, then the latest. */
  list(): Promise<readonly Delivery[]>;
  /**
   * Replaces the record of a delivery by the result of `change`, durably and under a lock for all processes.
   *
   * @param change is given the records of the other deliveries too
   */
  update(
    id: string,
    change: (before: Delivery | undefined, others: readonly Delivery[]) => Delivery,
  ): Promise<Delivery>;
  /** Records in every incomplete delivery for a zone that these recipes landed at a time (RFC 3339), by whichever medium. */
  settle(zone: string, landed: ReadonlySet<Digest>, at: string): Promise<void>;
  /**
   * Removes the record of a delivery, durably.
   *
   * @param fingerprint of the record on which the request rests. Default: any record
   * @returns the record; undefined when there is none
   * @throws SVC-SRV-007
   */
  forget(id: string, fingerprint?: string): Promise<Delivery | undefined>;
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

/** Whether a part of a delivery was imported with this state folder. */
export async function hasArrivals(stateRoot: string): Promise<boolean> {
  return access(join(stateRoot, 'media', 'deliveries')).then(
    () => true,
    (error: unknown) => !isAbsent(error),
  );
}

/**
 * Opens the records of deliveries, `<state>/media/deliveries/<id>.json`. They are never on a medium.
 *
 * @param stateRoot folder of the state; created on the first write
 */
export function openArrivals(stateRoot: string): Arrivals {
  const folder = join(stateRoot, 'media', 'deliveries');
  const pathOf = (id: string): string => join(folder, `${id}.json`);

  const read = async (id: string): Promise<Delivery | undefined> => {
    const path = pathOf(id);
    const parse = (document: unknown): Delivery => {
      checkValue(document, openDelivery, '', path);
      return document as Delivery;
    };
    return readRecord(path, parse, noRecord);
  };

  const list = async (): Promise<readonly Delivery[]> => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw toReadError(error, folder);
    });
    const all: Delivery[] = [];
    for (const name of names) {
      const [, id] = /^(dlv_[0-9a-f]{12})\.json$/.exec(name) ?? [];
      const delivery = id === undefined ? undefined : await read(id);
      if (delivery !== undefined) all.push(delivery);
    }
    return all.sort(compareArrivals);
  };

  const lock = async () => {
    await makeStateFolder(folder);
    return acquireLock(join(stateRoot, 'media', 'deliveries.lock'), 'exclusive', {
      holder: rule(['media import', fr`import du support`]),
      patience: 10_000,
    });
  };
  const write = async (delivery: Delivery): Promise<void> => {
    const path = pathOf(delivery.id);
    await removeLeftovers(path);
    await writeStateFile(path, `${JSON.stringify(delivery, null, 2)}\n`);
  };

  return {
    get: read,
    list,
    update: async (id, change) => {
      await using _lock = await lock();
      const before = await read(id);
      // a damaged record of another delivery does not fail this one: `list` reports it
      const others = (await list().catch(() => [])).filter((one) => one.id !== id);
      const delivery = change(before, others);
      await write(delivery);
      const all = [delivery, ...others].sort(compareArrivals);
      for (const one of all.slice(mostDeliveries)) if (one.id !== id) await removeDurably(pathOf(one.id));
      return delivery;
    },
    forget: async (id, fingerprint) => {
      if (!(await hasArrivals(stateRoot))) return undefined;
      await using _lock = await lock();
      const known = await read(id);
      if (known === undefined) return undefined;
      requireUnchanged(fingerprint, () => fingerprintDelivery(known), id);
      await removeDurably(pathOf(id));
      return known;
    },
    settle: async (zone, landed, at) => {
      const isOpen = (one: Delivery): boolean =>
        !one.complete &&
        one.zone === zone &&
        one.recipes.some(({ digest, state }) => state !== 'landed' && landed.has(digest));
      // as in `update`
      if (!(await list().catch(() => [])).some(isOpen)) return;
      await using _lock = await lock();
      for (const one of (await list()).filter(isOpen)) await write(settleRecipes(one, landed, at));
    },
  };
}
