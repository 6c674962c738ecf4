import { systemClock } from '../../../src/base/clock.ts';
import type { Digest } from '../../../src/base/digest.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { isWritten, type SentDelivery } from '../../../src/contract/write-medium.ts';
import { listKnownReceipts } from '../../../src/view/receipts.ts';
import { listReceived } from '../../../src/view/received-deliveries.ts';
import { lastArrival } from '../../../src/zone/arrivals.ts';
import { openSent } from '../../../src/zone/sent.ts';
import type { ViewParts } from '../parts.ts';
import { type LedgerDelivery, listLedgerDeliveries, type NamingReceipt } from './ledger-deliveries.ts';

/** A recipe of a delivery, with its state in the zone where that is known. */
export interface DeliveryRecipe {
  readonly digest: Digest;
  readonly name?: string;
  readonly version?: string;
  /** By the last receipt of the zone. */
  readonly confirmed?: Receipt['recipes'][number];
  /** By the imports of the own zone. */
  readonly arrived?: Delivery['recipes'][number];
}

/** A delivery that this instance wrote or received, as its records tell it. */
export interface KnownDelivery {
  readonly id: string;
  readonly zone?: string;
  readonly parts?: number;
  /** When it was written here or arrived here first, as far as it is known (RFC 3339). */
  readonly at: string;
  readonly ledger?: LedgerDelivery;
  /** The record of a delivery that was written here. */
  readonly sent?: SentDelivery;
  /** The record of one that arrived here. */
  readonly arrival?: Delivery;
  /** The receipt that names it. */
  readonly receipt?: NamingReceipt;
  /** Whether that is the last receipt of the zone: its words about the recipes are about this delivery. */
  readonly isNewest: boolean;
  readonly recipes: readonly DeliveryRecipe[];
}

type Parts = Pick<ViewParts, 'instance'>;
type Known = Awaited<ReturnType<typeof listKnownReceipts>>[number];

/** The recipes of a delivery: of the zone by its imports, else as they were written, with the last word of the zone. */
function listRecipes(
  { ledger, sent, arrival }: Pick<KnownDelivery, 'ledger' | 'sent' | 'arrival'>,
  last: Known | undefined,
): readonly DeliveryRecipe[] {
  if (arrival !== undefined)
    return arrival.recipes.map((one) => ({
      ...{ digest: one.digest, name: one.name, version: one.version },
      arrived: one,
    }));
  const named = new Map((ledger?.recipes ?? []).map((one) => [one.digest, one.name]));
  const isLater = last !== undefined && sent !== undefined && last.summary.issuedAt > sent.startedAt;
  const words = new Map(isLater ? last.receipt.recipes.map((one) => [one.digest, one]) : []);
  const digests = sent?.recipes ?? [...named.keys()];
  return digests.map((digest) => {
    const [name, version] = named.get(digest)?.split('@', 2) ?? [];
    const confirmed = words.get(digest);
    return {
      digest,
      ...(name === undefined ? {} : { name }),
      ...(version === undefined ? {} : { version }),
      ...(confirmed === undefined ? {} : { confirmed }),
    };
  });
}

function toKnown(
  id: string,
  {
    receipts,
    ...records
  }: Pick<KnownDelivery, 'ledger' | 'sent' | 'arrival'> & { readonly receipts: readonly Known[] },
): KnownDelivery {
  const { ledger, sent, arrival } = records;
  const zone = sent?.zone ?? arrival?.zone ?? ledger?.zone;
  const parts = arrival?.parts ?? sent?.parts ?? ledger?.parts;
  const last = receipts.find(({ summary }) => summary.zone === zone && summary.believed);
  const recipes = listRecipes(records, last);
  const isNewest = last?.receipt.lastDelivery?.id === id;
  // a receipt that names a later delivery confirms this one too, where it has all of its recipes
  const isWhole = recipes.length > 0 && recipes.every(({ confirmed }) => confirmed?.state === 'present');
  const receipt =
    last !== undefined && (isNewest || (ledger?.receipt === undefined && isWhole))
      ? { zone: last.summary.zone, sequence: last.summary.sequence, at: last.summary.issuedAt }
      : ledger?.receipt;
  const arrived = arrival === undefined ? '' : lastArrival(arrival);
  return {
    id,
    at:
      ledger?.written?.at ??
      sent?.startedAt ??
      ledger?.received?.at ??
      (arrived || (ledger?.at ?? arrival!.resolvedAt)),
    isNewest,
    recipes,
    ...(zone === undefined ? {} : { zone }),
    ...(parts === undefined ? {} : { parts }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(sent === undefined ? {} : { sent }),
    ...(arrival === undefined ? {} : { arrival }),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

/**
 * Lists the deliveries of all records of the instance: the custody ledger, those that were written, those that arrived, and the
 * receipts. The newest first.
 *
 * @throws SVC-CFG-001 without a state folder, SVC-STO-001, SVC-STO-014
 */
export async function listKnownDeliveries({ instance }: Parts): Promise<readonly KnownDelivery[]> {
  const { context } = instance;
  const receipts = await listKnownReceipts(context, systemClock.wall());
  const root = context.config.state.root!;
  const ledger = new Map((await listLedgerDeliveries({ instance })).map((one) => [one.id, one]));
  const sent = new Map((await openSent(root).list()).map((one) => [one.id, one]));
  // of several peers under one identifier, the one whose disk arrived last
  const arrivals = new Map((await listReceived(root)).toReversed().map((one) => [one.id, one]));
  const ids = new Set([...ledger.keys(), ...sent.keys(), ...arrivals.keys()]);
  return [...ids]
    .map((id) =>
      toKnown(id, { ledger: ledger.get(id), sent: sent.get(id), arrival: arrivals.get(id), receipts }),
    )
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** Whether the disks were proved: when they were written, or since. Undefined where no record says so. */
export function isProved({ ledger, sent }: KnownDelivery): boolean | undefined {
  if (ledger?.proved?.isGood || ledger?.written?.isProved) return true;
  if (sent?.written.some(({ unproved }) => unproved === true)) return false;
  if (ledger?.proved !== undefined || ledger?.written?.isProved === false) return false;
  return sent === undefined || !isWritten(sent) ? undefined : true;
}

/** How far a delivery is, the states that ask for a look first. */
export const standings = [
  'unfinished',
  'unproved',
  'incomplete',
  'overtaken',
  'partial',
  'way',
  'failed',
  'named',
  'confirmed',
  'complete',
] as const;
export type Standing = (typeof standings)[number];

/** The recipes of a delivery that the zone has, where its last receipt is the one that names the delivery. */
export const presentOf = ({ recipes }: KnownDelivery): number =>
  recipes.filter(({ confirmed }) => confirmed?.state === 'present').length;

/** How far a delivery is, by all records. */
export function standingOf(delivery: KnownDelivery): Standing {
  const { arrival, sent, ledger, receipt, isNewest, recipes } = delivery;
  if (arrival !== undefined)
    return arrival.complete ? 'complete' : arrival.overtakenBy === undefined ? 'incomplete' : 'overtaken';
  if (sent !== undefined && !isWritten(sent)) return 'unfinished';
  if (receipt !== undefined)
    return isNewest && presentOf(delivery) < recipes.length ? 'partial' : 'confirmed';
  if (isProved(delivery) === false) return 'unproved';
  if (sent !== undefined || ledger?.written !== undefined) return 'way';
  return ledger?.imported?.isGood === false ? 'failed' : 'named';
}
