import type { StoreIndex } from '../../catalog/model.ts';
import type { ZoneBoard, ZoneBoardRecipe } from '../../contract/zone-board.ts';

/** The reasons for which a zone refuses recipes, by the beginnings of their codes. */
const refusals = [
  ['signature', /^SVC-SIG-/],
  ['damage', /^SVC-MED-01[0-4]$|^SVC-(?:FIL|STO)-/],
  ['rule', /^SVC-(?:DST|POL)-/],
] as const;
export type Refusal = (typeof refusals)[number][0] | 'other';

/** Why a zone refused a recipe, by its code. */
export const refusalOf = (code = ''): Refusal =>
  refusals.find(([, codes]) => codes.test(code))?.[0] ?? 'other';

/** Whether a zone refused a recipe for a reason that another disk does not end: its signature, or a rule of the zone. */
export const isRefused = ({ state, code }: Pick<ZoneBoardRecipe, 'state' | 'code'>): boolean =>
  state === 'blocked' && ['signature', 'rule'].includes(refusalOf(code));

/** Whether a delivery helps a zone to a recipe: pages offer it, and the plan of the zone has it. */
export const isToCarry = (recipe: ZoneBoardRecipe): boolean =>
  recipe.digest !== undefined &&
  recipe.state !== 'current' &&
  recipe.state !== 'in-transit' &&
  !isRefused(recipe);

/** What a delivery to a zone must bring, and what it need not. */
interface ToCarry {
  /** Recipes that the zone lacks, and those that arrived damaged. */
  readonly lacking: readonly ZoneBoardRecipe[];
  /** Wanted recipes of which nothing says whether the zone has them: a delivery brings them too. */
  readonly unknown: readonly ZoneBoardRecipe[];
  /** Wanted names of which no version is known here: no delivery can bring them. */
  readonly unresolved: readonly ZoneBoardRecipe[];
  readonly inTransit: readonly ZoneBoardRecipe[];
  /** Recipes that the zone would refuse again. */
  readonly refused: readonly ZoneBoardRecipe[];
  /** Bytes that the zone lacks of the recipes that it lacks, where its receipt says so of each. */
  readonly bytes: number | undefined;
}

/** Decides which recipes must be carried to a zone: its page, the overview and the plan of a delivery say the same. */
export function toCarry({ recipes }: Pick<ZoneBoard, 'recipes'>): ToCarry {
  const unknown = recipes.filter(({ state }) => state === 'unknown');
  const lacking = recipes.filter((one) => isToCarry(one) && one.state !== 'unknown');
  const isCounted = lacking.every(({ lacks }) => lacks !== undefined);
  return {
    lacking,
    unknown: unknown.filter(isToCarry),
    unresolved: unknown.filter(({ digest }) => digest === undefined),
    inTransit: recipes.filter(({ state }) => state === 'in-transit'),
    refused: recipes.filter(isRefused),
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
