import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkValue } from '../contract/check-value.ts';
import { Delivery } from '../contract/delivery.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { acquireLock } from '../disk/lock.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';

/** Most deliveries that are remembered; the oldest complete ones are forgotten first. */
const mostDeliveries = 1000;

/** What a zone remembers of deliveries that came on several disks. */
export interface Arrivals {
  /** The delivery with this identifier, if a part of it arrived. */
  get(id: string): Promise<Delivery | undefined>;
  /** All remembered deliveries, incomplete ones first, then the latest. */
  list(): Promise<readonly Delivery[]>;
  /** Replaces the record of a delivery by the result of `change`, durably and under a lock for all processes. */
  update(id: string, change: (before: Delivery | undefined) => Delivery): Promise<Delivery>;
}

/** The time of the last part that arrived; empty while none did. */
const lastArrival = ({ landed }: Delivery): string =>
  landed.reduce((last, { importedAt }) => (importedAt > last ? importedAt : last), '');

/** Orders deliveries: incomplete ones first, then the one whose last part arrived last. */
export function compareArrivals(a: Delivery, b: Delivery): number {
  if (a.complete !== b.complete) return a.complete ? 1 : -1;
  return lastArrival(a) < lastArrival(b) ? 1 : -1;
}

/**
 * The record after the import of a part.
 *
 * @param before the record of the same delivery
 * @param part the part, and the state of each recipe after its import
 */
export function addArrival(
  before: Delivery | undefined,
  part: Omit<Delivery, 'landed' | 'needed' | 'complete' | 'completedAt'> & {
    readonly landed: Delivery['landed'][number];
    /** Whether the medium was damaged: the part is needed again. */
    readonly damaged: boolean;
  },
): Delivery {
  const { landed: own, damaged, ...delivery } = part;
  const others = (before?.landed ?? []).filter((known) => known.part !== own.part);
  const landed = [...others, ...(damaged ? [] : [own])].sort((a, b) => a.part - b.part);
  const digests = new Set(delivery.recipes.map(({ digest }) => digest));
  // a part with a cut ledger does not end the waiting of a recipe
  const kept = (before?.recipes ?? [])
    .filter(({ digest, state }) => state !== 'failed' && !digests.has(digest))
    .map((recipe): Delivery['recipes'][number] => {
      const parts = recipe.parts?.filter((number) => number !== own.part);
      return parts === undefined ? recipe : { ...recipe, parts };
    });
  const recipes = [...delivery.recipes, ...kept];
  const needed = new Set(recipes.flatMap(({ parts = [] }) => parts));
  const complete = recipes.every(({ state }) => state === 'landed');
  return {
    ...delivery,
    recipes,
    complete,
    ...(complete ? { completedAt: before?.completedAt ?? own.importedAt } : {}),
    landed,
    needed: [...needed].sort((a, b) => a - b),
  };
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
    let text: string;
    try {
      text = await readPlainText(path);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw toReadError(error, path);
    }
    try {
      const document: unknown = JSON.parse(text);
      checkValue(document, Delivery, '', path);
      return document as Delivery;
    } catch (cause) {
      const detail = rule([
        'not a record of a delivery: remove it, and import the parts again',
        fr`pas un enregistrement de livraison : supprimez-le, et importez à nouveau les parties`,
      ]);
      throw svcError('SVC-STO-001', { path, detail }, { cause });
    }
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

  return {
    get: read,
    list,
    update: async (id, change) => {
      await makeStateFolder(folder);
      await using _lock = await acquireLock(join(stateRoot, 'media', 'deliveries.lock'), 'exclusive', {
        holder: rule(['media import', fr`import du support`]),
        patience: 10_000,
      });
      const delivery = change(await read(id));
      await removeLeftovers(pathOf(id));
      await writeStateFile(pathOf(id), `${JSON.stringify(delivery, null, 2)}\n`);
      // a damaged record of another delivery does not fail this one: `list` reports it
      const all = await list().catch(() => []);
      const forgotten = all.slice(mostDeliveries).filter(({ complete }) => complete);
      for (const one of forgotten) if (one.id !== id) await removeDurably(pathOf(one.id));
      return delivery;
    },
  };
}
