import type { Delivery } from '../contract/delivery.ts';
import { partsOf } from '../zone/delivery-record.ts';

/** A part of a delivery that is still needed. */
export interface NeededPart {
  readonly part: number;
  /** Names and versions of the first recipes that cannot land without it. */
  readonly recipes: readonly string[];
  /** Number of further recipes. */
  readonly more: number;
}

/** Most recipes that are named with a part. */
const mostNamed = 5;

/** Lists the parts that a delivery still needs, with the recipes that each keeps out of the zone, in ascending order. Pure. */
export function listNeededParts({
  needed,
  recipes,
  parts: count,
}: Pick<Delivery, 'needed' | 'recipes' | 'parts'>): readonly NeededPart[] {
  return needed.map((part) => {
    const held = recipes.filter((recipe) => partsOf(recipe, count).includes(part));
    const names = held.slice(0, mostNamed).map(({ name, version }) => `${name}@${version}`);
    return { part, recipes: names, more: held.length - names.length };
  });
}
