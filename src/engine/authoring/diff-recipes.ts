import type { Digest } from '../../base/digest.ts';
import type { ErrorRecord } from '../../base/error.ts';
import { formatReference } from '../../oci/reference.ts';
import type { IngredientKind } from '../../recipe/model.ts';
import { type ClosedIngredient, type OpenIngredient, sumContents } from './close-recipe.ts';

/** One side of a comparison. */
export interface ComparedRecipe {
  readonly name: string;
  readonly version: string;
  readonly documentDigest: Digest;
  /** Digest of the published manifest; absent for a file. */
  readonly digest?: Digest | undefined;
  readonly ingredients: readonly (ClosedIngredient | OpenIngredient)[];
}

interface PinnedAs {
  readonly kind: IngredientKind;
  readonly ref: string;
  readonly version: string;
  readonly digest: Digest;
}

interface DiffedIngredient extends PinnedAs {
  readonly name: string;
  readonly platforms: readonly string[];
  /** Absent where the content could not be read. */
  readonly bytes?: number;
}

interface ChangedIngredient {
  readonly name: string;
  readonly from: PinnedAs;
  readonly to: PinnedAs;
  readonly platformsAdded: readonly string[];
  readonly platformsRemoved: readonly string[];
  /** Bytes that the old recipe does not reach; absent where content could not be read. */
  readonly newBytes?: number;
}

export interface RecipeDiff {
  readonly old: Omit<ComparedRecipe, 'ingredients'>;
  readonly new: Omit<ComparedRecipe, 'ingredients'>;
  readonly added: readonly DiffedIngredient[];
  readonly removed: readonly DiffedIngredient[];
  readonly changed: readonly ChangedIngredient[];
  /** Absent where content could not be read. */
  readonly totals?: {
    readonly oldBytes: number;
    readonly newBytes: number;
    /** Bytes of the new recipe for a place that has all of the old one. */
    readonly transferBytes: number;
  };
  readonly problems: readonly {
    readonly recipe: 'old' | 'new';
    readonly name: string;
    readonly error: ErrorRecord;
  }[];
}

type Item = ClosedIngredient | OpenIngredient;

const isClosed = (item: Item): item is ClosedIngredient => 'contents' in item;

function toPinned({ ingredient: { kind, ref, version, digest } }: Item): PinnedAs {
  return { kind, ref: formatReference(ref), version, digest };
}

function toDiffed(item: Item): DiffedIngredient {
  return {
    name: item.ingredient.name,
    ...toPinned(item),
    platforms: isClosed(item) ? item.platforms : [],
    ...(isClosed(item) ? { bytes: sumContents([item.contents]) } : {}),
  };
}

/** Compares two recipes, ingredient by ingredient, by their names. Pure. */
export function diffRecipes(before: ComparedRecipe, after: ComparedRecipe): RecipeDiff {
  const old = new Map(before.ingredients.map((item) => [item.ingredient.name, item]));
  const wanted = new Set(after.ingredients.map(({ ingredient }) => ingredient.name));
  const reached = new Set<Digest>();
  for (const item of before.ingredients)
    if (isClosed(item)) for (const digest of item.contents.keys()) reached.add(digest);
  const isWhole = [...before.ingredients, ...after.ingredients].every(isClosed);
  const closures = ({ ingredients }: ComparedRecipe) =>
    ingredients.flatMap((item) => (isClosed(item) ? [item.contents] : []));
  const toProblems = (recipe: 'old' | 'new', { ingredients }: ComparedRecipe) =>
    ingredients.flatMap((item) =>
      isClosed(item) ? [] : [{ recipe, name: item.ingredient.name, error: item.error }],
    );
  const { ingredients: _old, ...oldFacts } = before;
  const { ingredients: _new, ...newFacts } = after;
  return {
    old: oldFacts,
    new: newFacts,
    added: after.ingredients.filter(({ ingredient }) => !old.has(ingredient.name)).map(toDiffed),
    removed: before.ingredients.filter(({ ingredient }) => !wanted.has(ingredient.name)).map(toDiffed),
    changed: after.ingredients.flatMap((item) => {
      const earlier = old.get(item.ingredient.name);
      return earlier === undefined ? [] : (compare(earlier, item, isWhole ? reached : undefined) ?? []);
    }),
    ...(isWhole
      ? {
          totals: {
            oldBytes: sumContents(closures(before)),
            newBytes: sumContents(closures(after)),
            transferBytes: sumContents(closures(after), reached),
          },
        }
      : {}),
    problems: [...toProblems('old', before), ...toProblems('new', after)],
  };
}

/** @param known what the old recipe reaches, where all of it could be read */
function compare(
  before: Item,
  after: Item,
  known: ReadonlySet<Digest> | undefined,
): ChangedIngredient | undefined {
  const [from, to] = [toPinned(before), toPinned(after)];
  const both = isClosed(before) && isClosed(after);
  const platformsAdded = both ? after.platforms.filter((one) => !before.platforms.includes(one)) : [];
  const platformsRemoved = both ? before.platforms.filter((one) => !after.platforms.includes(one)) : [];
  const isSame =
    from.kind === to.kind && from.ref === to.ref && from.version === to.version && from.digest === to.digest;
  if (isSame && platformsAdded.length + platformsRemoved.length === 0) return undefined;
  return {
    name: after.ingredient.name,
    from,
    to,
    platformsAdded,
    platformsRemoved,
    ...(known !== undefined && isClosed(after) ? { newBytes: sumContents([after.contents], known) } : {}),
  };
}
