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

/**
 * Lists the parts that a delivery still needs, with the recipes that each keeps out of the zone, in ascending order. A recipe that
 * failed the checks in every import makes no part needed: its disk came. Pure.
 */
export function listNeededParts({
  needed,
  recipes,
  parts: count,
}: Pick<Delivery, 'needed' | 'recipes' | 'parts'>): readonly NeededPart[] {
  return needed.flatMap((part) => {
    const held = recipes.filter((recipe) => partsOf(recipe, count).includes(part));
    const awaited = held.filter(({ blocked = false }) => !blocked);
    if (held.length > 0 && awaited.length === 0) return [];
    const names = awaited.slice(0, mostNamed).map(({ name, version }) => `${name}@${version}`);
    return [{ part, recipes: names, more: awaited.length - names.length }];
  });
}
