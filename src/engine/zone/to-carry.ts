import type { StoreIndex } from '../../catalog/model.ts';
import type { ZoneBoard, ZoneBoardRecipe } from '../../contract/zone-board.ts';

/** What a delivery to a zone must bring, and what it need not. */
interface ToCarry {
  /** Recipes that the zone lacks. */
  readonly lacking: readonly ZoneBoardRecipe[];
  /** Wanted recipes of which nothing says whether the zone has them: a delivery brings them too. */
  readonly unknown: readonly ZoneBoardRecipe[];
  /** Wanted names of which no version is known here: no delivery can bring them. */
  readonly unresolved: readonly ZoneBoardRecipe[];
  readonly inTransit: number;
  /** Recipes that the zone refused. */
  readonly blocked: number;
  /** Bytes that the zone lacks of the recipes that it lacks, where its receipt says so of each. */
  readonly bytes: number | undefined;
}

/** Decides what must be carried to a zone: the overview and the plan of a delivery say the same. */
export function toCarry({ recipes, totals }: Pick<ZoneBoard, 'recipes' | 'totals'>): ToCarry {
  const lacking = recipes.filter(({ state }) => state === 'missing' || state === 'behind');
  const unknown = recipes.filter(({ state }) => state === 'unknown');
  const isCounted = lacking.every(({ lacks }) => lacks !== undefined);
  return {
    lacking,
    unknown: unknown.filter(({ digest }) => digest !== undefined),
    unresolved: unknown.filter(({ digest }) => digest === undefined),
    inTransit: totals['in-transit'],
    blocked: totals.blocked,
    bytes: isCounted ? lacking.reduce((sum, { lacks }) => sum + lacks!.bytes, 0) : undefined,
  };
}

/** The recipes that a store brings to a zone by its board, and those that it does not have. */
interface Carried {
  /** `<name>@<version>` of each. */
  readonly recipes: readonly string[];
  readonly absent: readonly ZoneBoardRecipe[];
}

/** `<name>@<version>` of a recipe that a zone wants. */
export const nameWanted = ({ name, wanted = '' }: ZoneBoardRecipe): string => `${name}@${wanted}`;

/** Selects from a store the recipes to carry to a zone. */
export function selectCarried(
  { lacking, unknown }: Pick<ToCarry, 'lacking' | 'unknown'>,
  { index }: { readonly index: Pick<StoreIndex, 'recipes'> },
): Carried {
  const stored = new Set(index.recipes().map(({ digest }) => digest));
  const isStored = ({ digest }: ZoneBoardRecipe): boolean => digest !== undefined && stored.has(digest);
  const all = [...lacking, ...unknown];
  return { recipes: all.filter(isStored).map(nameWanted), absent: all.filter((one) => !isStored(one)) };
}
