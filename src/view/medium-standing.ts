import type { GateRefusal } from '../base/gate-refusal.ts';
import type { Delivery } from '../contract/delivery.ts';
import type { MediumAge } from '../contract/medium.ts';
import type { MediumDelivery } from '../contract/status.ts';
import { deliveries } from '../text/words/delivering/deliveries.ts';
import { media } from '../text/words/media.ts';
import type { Words } from '../text/words/words.ts';
import { countLanded } from '../zone/delivery-record.ts';

/** A medium that passed its verification and of which no recipe is served, beside its delivery. */
export interface MediumStanding {
  readonly awaits: GateRefusal['awaits'];
  readonly delivery: MediumDelivery | undefined;
}

/**
 * Whether a closed gate says nothing against the medium: it is verified, or imported, and its recipes need content from
 * elsewhere; or it is refused as a part of an overtaken delivery.
 */
export const isElsewhere = (
  refusal: Pick<GateRefusal, 'code' | 'awaits'>,
  delivery: MediumDelivery | undefined,
): boolean =>
  refusal.awaits !== undefined ||
  (delivery?.imported === true &&
    (refusal.code === 'SVC-MED-030' ||
      (refusal.code === 'SVC-MED-032' && delivery.overtakenBy !== undefined)));

/** Says when a medium was imported, and that a newer one was imported since. */
export const sayImported = (
  { say, format }: Pick<Words, 'say' | 'format'>,
  { importedAt = '', stale, recordedMediaId }: MediumAge,
): string =>
  say(media.standsImported, {
    time: format.time(importedAt),
    newer: stale ? recordedMediaId : undefined,
  });

/** The parts that a medium needs and that the zone still lacks; those that a record of its delivery has arrived are no longer needed. */
export const selectAwaited = (
  awaits: readonly number[] = [],
  delivery: Pick<MediumDelivery, 'needed'> | undefined,
): readonly number[] =>
  delivery === undefined ? awaits : awaits.filter((part) => delivery.needed.includes(part));

/** Whether every other part that the recipes of a medium need has arrived: only its own import is left. */
export const isLast = ({ awaits, delivery }: MediumStanding): boolean =>
  delivery?.imported === false && awaits?.length !== 0 && selectAwaited(awaits, delivery).length === 0;

/** Says which recipes are in the zone of a delivery of which no disk was imported whole. */
export const sayNoneWhole = (words: Pick<Words, 'say'>, delivery: Delivery): string =>
  sayNoDisk(words, { ...delivery, recipes: delivery.recipes.length, inZone: countLanded(delivery) });

/** The same from the numbers of its recipes. */
export function sayNoDisk(
  { say }: Pick<Words, 'say'>,
  {
    parts,
    recipes,
    inZone,
    complete,
  }: Pick<Delivery, 'parts' | 'complete'> & { readonly recipes: number; readonly inZone: number },
): string {
  if (complete) return say(deliveries.byOthers);
  const total = parts === 1 ? undefined : parts;
  return inZone === 0
    ? say(deliveries.none, { total })
    : say(deliveries.inPart, { total, done: inZone, recipes });
}

/** Says in one sentence, without its full stop, how a medium stands and which parts its recipes need. */
export function sayStanding({ say }: Pick<Words, 'say'>, standing: MediumStanding): string {
  const { awaits, delivery } = standing;
  if (delivery?.complete) return say(deliveries.standsComplete, { id: delivery.id, count: delivery.recipes });
  if (delivery?.imported && delivery.overtakenBy !== undefined)
    return say(deliveries.standsOvertaken, { id: delivery.id, medium: delivery.overtakenBy });
  if (isLast(standing)) return say(deliveries.standsLast);
  const needed = delivery?.imported ? delivery.needed : selectAwaited(awaits, delivery);
  const parts = needed.length ? needed : undefined;
  return say(delivery?.imported ? deliveries.standsImported : deliveries.standsVerified, { parts });
}
