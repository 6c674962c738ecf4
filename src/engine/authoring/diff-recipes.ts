import type { Digest } from '../../base/digest.ts';
import type { ErrorRecord } from '../../base/error.ts';
import {
  compareMembers,
  type MemberDifference,
  toWritten,
  type WrittenIngredient,
} from '../../recipe/compare-members.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { toServedReference } from '../../recipe/served-reference.ts';
import { selectTags } from '../sync/select-tags.ts';
import type { ClosedIngredient, OpenIngredient } from './close-recipe.ts';
import { sumContents } from './sum-contents.ts';

/** One side of a comparison. */
export interface ComparedRecipe {
  readonly metadata: CookedRecipe['metadata'];
  readonly documentDigest: Digest;
  /** Digest of the published manifest; absent for a file. */
  readonly digest?: Digest | undefined;
  readonly ingredients: readonly (ClosedIngredient | OpenIngredient)[];
}

type Written = WrittenIngredient<CookedRecipe['ingredients'][number]>;

interface DiffedIngredient extends Written {
  /** Platforms that are carried; those of the recipe where the content could not be read. */
  readonly platforms: readonly string[];
  /** Absent where the content could not be read. */
  readonly bytes?: number;
}

interface ChangedIngredient {
  readonly name: string;
  readonly from: Written;
  readonly to: Written;
  /** Every member that differs, `version` and `digest` among them. */
  readonly members: readonly MemberDifference[];
  /** Platforms that are carried by the new recipe only. */
  readonly platformsAdded: readonly string[];
  readonly platformsRemoved: readonly string[];
  /** Bytes that the old recipe does not reach; absent where content could not be read. */
  readonly newBytes?: number;
}

interface DiffedRecipe extends Omit<ComparedRecipe, 'ingredients' | 'metadata'> {
  readonly name: string;
  readonly version: string;
}

/** A tag that both recipes give, each to other content. */
interface ReTaggedReference {
  /** The reference of the ingredients, with the tag. */
  readonly reference: string;
  readonly from: Digest;
  readonly to: Digest;
}

export interface RecipeDiff {
  readonly old: DiffedRecipe;
  readonly new: DiffedRecipe;
  /** Members of the metadata that differ: name, version, description, labels, annotations. */
  readonly metadata: readonly MemberDifference[];
  readonly added: readonly DiffedIngredient[];
  readonly removed: readonly DiffedIngredient[];
  readonly changed: readonly ChangedIngredient[];
  /** Of several ingredients with one reference the first gets the tag, so that their order matters. */
  readonly retagged: readonly ReTaggedReference[];
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

function toDiffed(item: Item): DiffedIngredient {
  const written = toWritten(item.ingredient);
  if (!isClosed(item)) return written;
  return { ...written, platforms: item.platforms, bytes: sumContents([item.contents]) };
}

function toFacts({ metadata, ingredients: _, ...facts }: ComparedRecipe): DiffedRecipe {
  const { name, version } = metadata;
  return { name, version, ...facts };
}

/** Whether two recipes say something different. Their documents may still differ in comments, order and layout. */
export const isDifferent = ({ metadata, added, removed, changed, retagged }: RecipeDiff): boolean =>
  [metadata, added, removed, changed, retagged].some((list) => list.length > 0);

/** The digest of each tag that a recipe gives where it is served, the aliases of displaced ingredients among them. */
function tagsOf({ ingredients }: ComparedRecipe): ReadonlyMap<string, Digest> {
  const pins = ingredients.map(({ ingredient: { ref, version, digest } }) => ({
    repository: toServedReference({ ref }),
    version,
    digest,
  }));
  const tags = selectTags(pins);
  return new Map(pins.map(({ repository, digest }, i) => [`${repository}:${tags[i]}`, digest]));
}

function listRetagged(before: ComparedRecipe, after: ComparedRecipe): readonly ReTaggedReference[] {
  const old = tagsOf(before);
  return [...tagsOf(after)].flatMap(([reference, to]) => {
    const from = old.get(reference);
    return from === undefined || from === to ? [] : [{ reference, from, to }];
  });
}

/** Lists the tags whose other content no changed ingredient shows. */
function listUnseenTags({ retagged, changed }: RecipeDiff): readonly ReTaggedReference[] {
  return retagged.filter(
    ({ from, to }) => !changed.some((one) => one.from.digest === from && one.to.digest === to),
  );
}

/** Compares two recipes, member by member, and ingredient by ingredient by their names. Pure. */
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
  return {
    old: toFacts(before),
    new: toFacts(after),
    metadata: compareMembers(before.metadata, after.metadata),
    added: after.ingredients.filter(({ ingredient }) => !old.has(ingredient.name)).map(toDiffed),
    removed: before.ingredients.filter(({ ingredient }) => !wanted.has(ingredient.name)).map(toDiffed),
    changed: after.ingredients.flatMap((item) => {
      const earlier = old.get(item.ingredient.name);
      return earlier === undefined ? [] : (compare(earlier, item, isWhole ? reached : undefined) ?? []);
    }),
    retagged: listRetagged(before, after),
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
  const [from, to] = [toWritten(before.ingredient), toWritten(after.ingredient)];
  const members = compareMembers(from, to);
  const both = isClosed(before) && isClosed(after);
  const platformsAdded = both ? after.platforms.filter((one) => !before.platforms.includes(one)) : [];
  const platformsRemoved = both ? before.platforms.filter((one) => !after.platforms.includes(one)) : [];
  if (members.length + platformsAdded.length + platformsRemoved.length === 0) return undefined;
  return {
    name: after.ingredient.name,
    from,
    to,
    members,
    platformsAdded,
    platformsRemoved,
    ...(known !== undefined && isClosed(after) ? { newBytes: sumContents([after.contents], known) } : {}),
  };
}

/** Members with a place of their own in a report: its head, or a column of its table of ingredients. */
const shownApart: ReadonlySet<string> = new Set(['name', 'version', 'digest', 'platforms']);

/** A member that differs, of an ingredient or of the recipe itself. */
export interface OtherMember extends MemberDifference {
  readonly ingredient?: string;
}

/**
 * Lists what a report has to show beside name, version, digest and carried platforms, so that it hides no difference.
 * Ingredients that only one recipe has are listed with all that they say.
 */
export function listOtherMembers(diff: RecipeDiff): readonly OtherMember[] {
  const { metadata, added, removed, changed } = diff;
  const isOther = ({ path }: MemberDifference): boolean => !shownApart.has(path);
  const toWhole = ({ bytes: _, ...written }: DiffedIngredient) => written;
  const ofIngredient = (ingredient: string, members: readonly MemberDifference[]) =>
    members.map((member) => ({ ingredient, ...member }));
  return [
    ...metadata.filter(isOther).map((member) => ({ ...member, path: `metadata.${member.path}` })),
    ...added.flatMap((one) => ofIngredient(one.name, compareMembers({}, toWhole(one)).filter(isOther))),
    ...removed.flatMap((one) => ofIngredient(one.name, compareMembers(toWhole(one), {}).filter(isOther))),
    ...changed.flatMap(({ name, members, platformsAdded, platformsRemoved }) => {
      // a recipe may name the platforms that another one carries without naming them
      const isCarried = platformsAdded.length + platformsRemoved.length > 0;
      return ofIngredient(
        name,
        members.filter((member) => isOther(member) || (member.path === 'platforms' && !isCarried)),
      );
    }),
    ...listUnseenTags(diff).map(({ reference, from, to }) => ({ path: reference, from, to })),
  ];
}
