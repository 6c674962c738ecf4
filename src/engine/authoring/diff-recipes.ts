import type { Digest } from '../../base/digest.ts';
import type { ErrorRecord } from '../../base/error.ts';
import { runAtOnce, type Steps } from '../../base/pacer.ts';
import {
  compareMembers,
  type MemberDifference,
  toWritten,
  type WrittenIngredient,
} from '../../recipe/compare-members.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import { toServedReference } from '../../recipe/served-reference.ts';
import { selectTagsSteps } from '../sync/select-tags.ts';
import type { ClosedIngredient, OpenIngredient } from './close-recipe.ts';
import { sumContents, sumContentsSteps } from './sum-contents.ts';

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

/** Entries of each list of a comparison: nobody reads more. */
export const mostListed = 1000;

type List = 'added' | 'removed' | 'changed' | 'retagged' | 'problems';

export interface RecipeDiff extends Readonly<Partial<Record<`${List}More`, number>>> {
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
function* tagsOf({ ingredients }: ComparedRecipe): Steps<ReadonlyMap<string, Digest>> {
  const pins = yield* mapSteps(ingredients, ({ ingredient: { ref, version, digest } }) => ({
    repository: toServedReference({ ref }),
    version,
    digest,
  }));
  const tags = yield* selectTagsSteps(pins);
  const digests = new Map<string, Digest>();
  for (const [i, { repository, digest }] of pins.entries()) {
    digests.set(`${repository}:${tags[i]}`, digest);
    yield;
  }
  return digests;
}

function* listRetagged(before: ComparedRecipe, after: ComparedRecipe): Steps<readonly ReTaggedReference[]> {
  const old = yield* tagsOf(before);
  const now = yield* tagsOf(after);
  const retagged: ReTaggedReference[] = [];
  for (const [reference, to] of now) {
    const from = old.get(reference);
    if (from !== undefined && from !== to) retagged.push({ reference, from, to });
    yield;
  }
  return retagged;
}

/** Lists the tags whose other content no changed ingredient shows. */
function listUnseenTags({ retagged, changed }: RecipeDiff): readonly ReTaggedReference[] {
  return retagged.filter(
    ({ from, to }) => !changed.some((one) => one.from.digest === from && one.to.digest === to),
  );
}

/** Compares two recipes, member by member, and ingredient by ingredient by their names. Pure. */
export function diffRecipes(before: ComparedRecipe, after: ComparedRecipe): RecipeDiff {
  return runAtOnce(diffRecipesSteps(before, after));
}

function* mapSteps<T, U>(items: readonly T[], map: (item: T) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item));
    yield;
  }
  return mapped;
}

/** The first entries of a list as they are shown, and the number of the others where there are any. */
function bound<N extends List, T, U>(name: N, list: readonly T[], show: (item: T) => U) {
  return {
    [name]: list.slice(0, mostListed).map(show),
    ...(list.length > mostListed ? { [`${name}More`]: list.length - mostListed } : {}),
  } as Record<N, readonly U[]> & Partial<Record<`${N}More`, number>>;
}

const asIs = <T>(item: T): T => item;

/** As {@link diffRecipes}, in short steps. */
export function* diffRecipesSteps(before: ComparedRecipe, after: ComparedRecipe): Steps<RecipeDiff> {
  const old = new Map(before.ingredients.map((item) => [item.ingredient.name, item]));
  const wanted = new Set(after.ingredients.map(({ ingredient }) => ingredient.name));
  const reached = new Set<Digest>();
  for (const item of before.ingredients) {
    if (isClosed(item)) for (const digest of item.contents.keys()) reached.add(digest);
    yield;
  }
  const isWhole = [...before.ingredients, ...after.ingredients].every(isClosed);
  const closures = ({ ingredients }: ComparedRecipe) =>
    ingredients.flatMap((item) => (isClosed(item) ? [item.contents] : []));
  const listOpen = (recipe: 'old' | 'new', { ingredients }: ComparedRecipe) =>
    ingredients.flatMap((item) => (isClosed(item) ? [] : [{ recipe, item }]));
  const known = isWhole ? reached : undefined;
  const compared = yield* mapSteps(after.ingredients, (item) => {
    const earlier = old.get(item.ingredient.name);
    return earlier && compare(earlier, item, known);
  });
  const changed = compared.filter((one) => one !== undefined);
  const addedItems = after.ingredients.filter(({ ingredient }) => !old.has(ingredient.name));
  const removedItems = before.ingredients.filter(({ ingredient }) => !wanted.has(ingredient.name));
  const retagged = yield* listRetagged(before, after);
  const totals = isWhole
    ? {
        oldBytes: yield* sumContentsSteps(closures(before)),
        newBytes: yield* sumContentsSteps(closures(after)),
        transferBytes: yield* sumContentsSteps(closures(after), reached),
      }
    : undefined;
  return {
    old: toFacts(before),
    new: toFacts(after),
    metadata: compareMembers(before.metadata, after.metadata),
    ...bound('added', addedItems, toDiffed),
    ...bound('removed', removedItems, toDiffed),
    ...bound('changed', changed, asIs),
    ...bound('retagged', retagged, asIs),
    ...(totals === undefined ? {} : { totals }),
    ...bound('problems', [...listOpen('old', before), ...listOpen('new', after)], ({ recipe, item }) => ({
      recipe,
      name: item.ingredient.name,
      error: item.error,
    })),
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
