import type { DeliveryState } from '../../contract/delivery.ts';
import { isWritten } from '../../contract/write-medium.ts';
import { isRefused } from '../needed-parts.ts';
import type { DeliveryRecipe, KnownDelivery } from './known-deliveries.ts';

/** Whether the disks were proved: when they were written, or since. Undefined where no record says so. */
export function isProved({ ledger, sent }: KnownDelivery): boolean | undefined {
  // as the board of the zone judges
  if (sent?.written.some(({ unproved }) => unproved === true)) return false;
  if (sent?.written.some(({ provedSince }) => provedSince !== undefined)) return true;
  if (ledger?.proved?.isGood || ledger?.written?.isProved) return true;
  if (ledger?.proved !== undefined || ledger?.written?.isProved === false) return false;
  return sent === undefined || !isWritten(sent) ? undefined : true;
}

/** The recipes of a delivery that the zone has, by its last receipt. */
export const presentOf = ({ recipes }: KnownDelivery): number =>
  recipes.filter(({ confirmed }) => confirmed?.state === 'present').length;

/** The recipes of a delivery that the zone does not have, by its last receipt. */
export const missingOf = ({ recipes }: KnownDelivery): readonly DeliveryRecipe[] =>
  recipes.filter(({ confirmed }) => confirmed?.state !== 'present');

/** Whether the last proof failed, of disks that were proved before. */
export const isDoubted = (delivery: KnownDelivery): boolean =>
  isProved(delivery) === true && delivery.ledger?.proved?.isGood === false;

/** Recipes that the zone refused, of a delivery whose disks came. */
export const refusedOf = ({ arrival }: KnownDelivery): readonly string[] | undefined =>
  arrival?.complete === false && isRefused(arrival)
    ? arrival.recipes.flatMap(({ name, blocked }) => (blocked ? [name] : []))
    : undefined;

/**
 * Whether the zone confirmed a delivery, and does not have all of it: of one that its last receipt names, any recipe; of an earlier
 * one, a recipe that it names as lacking, as others are replaced by their next versions.
 */
function isInPart(delivery: KnownDelivery): boolean {
  const { isNamed, isUnderWay, recipes } = delivery;
  if (isNamed) return isUnderWay || presentOf(delivery) < recipes.length;
  return recipes.some(({ confirmed }) => confirmed !== undefined && confirmed.state !== 'present');
}

/** How far a delivery is, by all records. */
export function standingOf(delivery: KnownDelivery): DeliveryState {
  const { arrival, sent, ledger, receipt, isInside } = delivery;
  if (arrival !== undefined) {
    if (arrival.complete) return arrival.landed.length === 0 ? 'inside' : 'complete';
    if (arrival.overtakenBy !== undefined) return 'overtaken';
    return refusedOf(delivery)?.length ? 'refused' : 'incomplete';
  }
  if (delivery.writing !== undefined) return 'writing';
  if (sent !== undefined && !isWritten(sent))
    return delivery.replacedBy === undefined ? 'unfinished' : 'replaced';
  if (delivery.doubt !== undefined) return delivery.doubt;
  if (receipt !== undefined) return isInPart(delivery) ? 'partial' : 'confirmed';
  if (isInside) return 'inside';
  if (isProved(delivery) === false) return delivery.replacedBy === undefined ? 'unproved' : 'replaced';
  if (delivery.overdueSince !== undefined) return 'overdue';
  if (sent !== undefined || ledger?.written !== undefined) return 'way';
  if (ledger?.imported?.isGood === false) return 'failed';
  if (ledger?.verified === undefined) return 'named';
  return ledger.verified.isGood ? 'verified' : 'blocked';
}

/** The codes of the errors behind the state of a delivery. */
export function codesOf(delivery: KnownDelivery): readonly string[] {
  const { ledger, recipes } = delivery;
  switch (standingOf(delivery)) {
    case 'unfinished':
      return ledger?.unended?.code === undefined ? [] : [ledger.unended.code];
    case 'unproved':
      return ledger?.proved?.isGood === false ? ledger.proved.codes : [];
    case 'forked':
      return ['SVC-RCP-003'];
    case 'unbelieved':
      return ['SVC-RCP-001'];
    case 'partial':
      return recipes.flatMap(({ confirmed }) => confirmed?.code ?? []);
    case 'blocked':
      return ledger?.verified?.codes ?? [];
    case 'incomplete':
    case 'refused':
    case 'failed':
      return ledger?.imported?.codes ?? [];
    default:
      return [];
  }
}
