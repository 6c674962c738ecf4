import type { Delivery } from '../contract/delivery.ts';
import { deliveries } from '../text/words/delivering/deliveries.ts';
import type { Words } from '../text/words/words.ts';
import { partsOf } from '../zone/delivery-record.ts';

/** A part of a delivery that is still needed. */
export interface NeededPart {
  readonly part: number;
  /** Whether it came before: something of it is gone again, or was refused. */
  readonly isAgain: boolean;
  /** Names and versions of the first recipes that cannot land without it. */
  readonly recipes: readonly string[];
  /** Number of further recipes. */
  readonly more: number;
}

/** Most recipes that are named with a part. */
const mostNamed = 5;

/**
 * Lists the parts that a delivery still needs, with the recipes that each keeps out of the zone, in ascending order. The disks
 * of one that newer media overtook are refused, so that it needs none. Pure.
 */
export function listNeededParts({
  needed,
  refused = [],
  landed,
  recipes,
  parts: count,
  overtakenBy,
}: Pick<
  Delivery,
  'needed' | 'refused' | 'landed' | 'recipes' | 'parts' | 'overtakenBy'
>): readonly NeededPart[] {
  if (overtakenBy !== undefined) return [];
  const came = new Set([...refused, ...landed.map(({ part }) => part)]);
  return needed.map((part) => {
    const held = recipes.filter((recipe) => partsOf(recipe, count).includes(part));
    const names = held.slice(0, mostNamed).map(({ name, version }) => `${name}@${version}`);
    return { part, isAgain: came.has(part), recipes: names, more: held.length - names.length };
  });
}

/** Names a needed part with the recipes that wait for it. */
export const sayNeeded = (
  { say }: Pick<Words, 'say'>,
  { part, isAgain, recipes, more }: NeededPart,
): string =>
  say(deliveries.neededFor, {
    ...{ part, recipes: recipes.join(', ') },
    ...{ again: isAgain ? 'yes' : undefined, more: more === 0 ? undefined : more },
  });

/** Whether every disk that a delivery needs came, and the checks refused recipes of each. */
export const isRefused = ({ needed, refused = [] }: Pick<Delivery, 'needed' | 'refused'>): boolean =>
  needed.length > 0 && needed.every((part) => refused.includes(part));

/** Whether all known recipes of a delivery are in the zone, and it waits for disks that may list more. */
export const isUnsure = ({ complete, recipes }: Pick<Delivery, 'complete' | 'recipes'>): boolean =>
  !complete && recipes.length > 0 && recipes.every(({ state }) => state === 'landed');
