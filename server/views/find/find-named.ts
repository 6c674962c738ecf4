import type { RecipeVerdict } from '../../../src/contract/medium.ts';
import { openFreshness } from '../../../src/engine/medium/freshness.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { listBlocked } from '../blocked.ts';
import { findVerification } from '../media.ts';
import type { Viewer, ViewParts } from '../parts.ts';
import { retrieverName } from '../retriever.ts';
import { listRuns } from '../runs.ts';
import { parseFingerprint } from './find-names.ts';

type Parts = Pick<ViewParts, 'instance'>;

/** A delivery that this instance wrote or received. */
export interface FoundDelivery {
  readonly id: string;
  readonly zone: string;
  /** Whether it was received here, and not written here. */
  readonly arrived: boolean;
}

/** What a record says; undefined where it cannot be read: the page that it leads to reports that. */
async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isSvcError(error)) throw error;
    return undefined;
  }
}

/** Finds a delivery by its identifier: at most one record of each kind is read. */
export async function findDelivery({ instance }: Parts, id: string): Promise<FoundDelivery | undefined> {
  const { root } = instance.context.config.state;
  if (root === undefined || !/^dlv_[0-9a-f]{12}$/.test(id)) return undefined;
  const arrived = await readable(() => openArrivals(root).get(id));
  if (arrived !== undefined) return { id, zone: arrived.zone, arrived: true };
  const sent = await readable(() => openSent(root).delivery(id));
  return sent && { id, zone: sent.zone, arrived: false };
}

/** Names of media: those of disks of deliveries name their delivery. */
const mediumForm = /^(?:med_[0-9a-f]{16}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Whether a medium is the one that was verified here last, the one that was imported last, or a part of a received delivery. */
export async function findMedium(
  { instance }: Parts,
  id: string,
): Promise<'medium' | FoundDelivery | undefined> {
  const { zone, state } = instance.context.config;
  const { root } = state;
  if (zone === undefined || !mediumForm.test(id)) return undefined;
  if (findVerification({ instance })?.report?.medium?.mediaId === id) return 'medium';
  if (root === undefined) return undefined;
  const record = await readable(() => openFreshness(root).get(zone));
  if ((record?.last ?? record)?.mediaId === id) return 'medium';
  const arrivals = await readable(() => openArrivals(root).list());
  const found = arrivals?.find(({ landed }) => landed.some(({ mediaId }) => mediaId === id));
  return found && { id: found.id, zone: found.zone, arrived: true };
}

/** A medium, or a part of a received delivery. */
export interface FoundMedium {
  readonly id: string;
  /** The delivery that it belongs to; absent: the medium that was verified or imported last. */
  readonly delivery?: FoundDelivery;
}

/** Deliveries and media that are found by the beginning of their identifier. */
export interface FoundCarried {
  readonly deliveries: readonly FoundDelivery[];
  readonly media: readonly FoundMedium[];
}

/**
 * Finds the deliveries and media whose identifier begins with a text: `dlv_` or `med_` with at least two digits. Reads all
 * records of deliveries.
 */
export async function findCarriedBeginning({ instance }: Parts, text: string): Promise<FoundCarried> {
  const { zone, state } = instance.context.config;
  const { root } = state;
  const none = { deliveries: [], media: [] };
  if (root === undefined || !/^(?:dlv|med)_[0-9a-f]{2,16}$/.test(text)) return none;
  const arrivals = (await readable(() => openArrivals(root).list())) ?? [];
  const toArrived = (one: (typeof arrivals)[number]) => ({ id: one.id, zone: one.zone, arrived: true });
  const begins = ({ id }: { readonly id: string }): boolean => id.startsWith(text);
  const onlyFirst = <T extends { readonly id: string }>(all: readonly T[]): T[] => [
    ...new Map(
      all
        .filter(begins)
        .toReversed()
        .map((one) => [one.id, one]),
    ).values(),
  ];
  if (text.startsWith('dlv_')) {
    const sent = (await readable(() => openSent(root).list())) ?? [];
    const written = sent.map((one) => ({ id: one.id, zone: one.zone, arrived: false }));
    return { ...none, deliveries: onlyFirst([...arrivals.map(toArrived), ...written]) };
  }
  const record = zone === undefined ? undefined : await readable(() => openFreshness(root).get(zone));
  const known = [findVerification({ instance })?.report?.medium, record, record?.last];
  const landed = arrivals.flatMap((one) =>
    one.landed.map(({ mediaId }) => ({ id: mediaId, delivery: toArrived(one) })),
  );
  return {
    ...none,
    media: onlyFirst([...known.flatMap((one) => (one?.mediaId ? [{ id: one.mediaId }] : [])), ...landed]),
  };
}

/** A zone that the configuration names. */
export interface NamedZone {
  readonly name: string;
  /** Whether it has a page. */
  readonly hasPage: boolean;
  /** Whether its receipts are taken here. */
  readonly hasReceipts: boolean;
}

/** The zones that the configuration names, from memory. */
export function listNamedZones({ instance }: Parts): readonly NamedZone[] {
  const { zones, peers, state } = instance.context.config;
  const withPage = state.root === undefined ? [] : zones.map(({ name }) => name);
  const givers = peers.filter(({ for: kinds }) => kinds.includes('receipt')).map(({ name }) => name);
  return [...new Set([...withPage, ...givers])].map((name) => ({
    name,
    hasPage: withPage.includes(name),
    hasReceipts: state.root !== undefined && name !== retrieverName({ instance }),
  }));
}

/** A version of a recipe that was refused for the key that signed it. */
export interface RefusedKey {
  readonly name: string;
  readonly version: string;
  readonly fingerprint: string;
  /** The run that refused it; absent: the last verification of the medium did. */
  readonly task?: string;
}

function* refusedBy(
  { name, version }: Pick<RecipeVerdict, 'name' | 'version'>,
  params: Readonly<Record<string, unknown>> | undefined,
  task?: string,
): Generator<RefusedKey> {
  const keys = params?.fingerprints;
  for (const fingerprint of Array.isArray(keys) ? keys : [keys])
    if (typeof fingerprint === 'string')
      yield { name, version, fingerprint, ...(task === undefined ? {} : { task }) };
}

/**
 * Finds the recipes that the last runs or the last verification refused for a key, the latest first, each version once.
 *
 * @param text as for `findSigned`
 */
export async function findRefused(
  parts: Pick<ViewParts, 'tasks' | 'gate' | 'instance'>,
  viewer: Viewer,
  text: string,
): Promise<readonly RefusedKey[]> {
  const asked = parseFingerprint(text);
  if (asked === undefined) return [];
  const all: RefusedKey[] = [];
  for (const { task, recipes } of await listRuns(parts, viewer))
    for (const recipe of recipes) all.push(...refusedBy(recipe, recipe.error?.params, task.id));
  for (const recipe of listBlocked(parts)) all.push(...refusedBy(recipe, recipe.reason?.params));
  const found = new Map<string, RefusedKey>();
  for (const each of all) {
    const hex = each.fingerprint.replace(/^sha256:/, '');
    const key = `${each.name}@${each.version}`;
    if (hex.startsWith(asked.first) && hex.endsWith(asked.last) && !found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}
