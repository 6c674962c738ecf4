import type { Digest } from '../../base/digest.ts';
import type { Steps } from '../../base/pacer.ts';
import type {
  ChangedIngredient,
  DiffedIngredient,
  MemberDifference,
  RecipeDiff,
  ReTaggedReference,
} from '../../contract/authoring.ts';
import { type Contents, sumContents, sumContentsSteps } from '../../engine/copy/sum-contents.ts';
import { selectTagsSteps } from '../../engine/sync/select-tags.ts';
import { compareMembers, compareMembersSteps, toWritten } from '../../recipe/compare-members.ts';
import type { CookedRecipe } from '../../recipe/model.ts';
import type { ClosedIngredient, OpenIngredient } from '../open/close-recipe.ts';
import { toServedReference } from '../open/served-reference.ts';

/** One side of a comparison. */
export interface ComparedRecipe {
  readonly metadata: CookedRecipe['metadata'];
  readonly documentDigest: Digest;
  /** Digest of the published manifest; absent for a file. */
  readonly digest?: Digest;
  readonly ingredients: readonly (ClosedIngredient | OpenIngredient)[];
}

/** Lists of a comparison, each of which is bounded. */
type DiffList = keyof RecipeDiff extends infer K ? (K extends `${infer List}More` ? List : never) : never;

/** Entries of each list of a comparison: nobody reads more. */
export const mostListed = 1000;

type Item = ClosedIngredient | OpenIngredient;

const isClosed = (item: Item): item is ClosedIngredient => 'contents' in item;

function toDiffed(item: Item): DiffedIngredient {
  const written = toWritten(item.ingredient);
  if (!isClosed(item)) return written;
  return { ...written, platforms: item.platforms, bytes: sumContents([item.contents]) };
}

function toFacts({ metadata, ingredients: _, ...facts }: ComparedRecipe): RecipeDiff['old'] {
  const { name, version } = metadata;
  return { name, version, ...facts };
}

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

function* listRetagged(before: ComparedRecipe, after: ComparedRecipe): Steps<Listed<ReTaggedReference>> {
  const old = yield* tagsOf(before);
  const now = yield* tagsOf(after);
  const retagged = new Listed<ReTaggedReference>();
  for (const [reference, to] of now) {
    const from = old.get(reference);
    if (from !== undefined && from !== to) retagged.add(() => ({ reference, from, to }));
    yield;
  }
  return retagged;
}

function* mapSteps<T, U>(items: readonly T[], map: (item: T) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item));
    yield;
  }
  return mapped;
}

/** The first entries of a list, and the number of all. */
class Listed<T> {
  readonly first: T[] = [];
  count = 0;

  /** @param make makes the entry, if it is listed */
  add(make: () => T): void {
    this.count += 1;
    if (this.first.length < mostListed) this.first.push(make());
  }

  /** The members of a comparison for it. */
  toMembers<N extends DiffList>(name: N): Record<N, readonly T[]> & Partial<Record<`${N}More`, number>> {
    const more = this.count - this.first.length;
    return { [name]: this.first, ...(more > 0 ? { [`${name}More`]: more } : {}) } as Record<N, readonly T[]> &
      Partial<Record<`${N}More`, number>>;
  }
}

/** Compares two recipes, member by member, and ingredient by ingredient by their names, in short steps. Pure. */
export function* diffRecipesSteps(before: ComparedRecipe, after: ComparedRecipe): Steps<RecipeDiff> {
  const old = new Map<string, Item>();
  const wanted = new Set<string>();
  const reached = new Set<Digest>();
  const closures = { old: [] as Contents[], new: [] as Contents[] };
  const added = new Listed<DiffedIngredient>();
  const removed = new Listed<DiffedIngredient>();
  const changed = new Listed<ChangedIngredient>();
  const problems = new Listed<RecipeDiff['problems'][number]>();
  const look = (recipe: 'old' | 'new', item: Item): void => {
    const { name } = item.ingredient;
    if (isClosed(item)) closures[recipe].push(item.contents);
    else problems.add(() => ({ recipe, name, error: item.error }));
  };
  for (const item of before.ingredients) {
    old.set(item.ingredient.name, item);
    if (isClosed(item)) for (const digest of item.contents.keys()) reached.add(digest);
    look('old', item);
    yield;
  }
  for (const item of after.ingredients) {
    wanted.add(item.ingredient.name);
    look('new', item);
    yield;
  }
  const known = problems.count === 0 ? reached : undefined;
  for (const item of after.ingredients) {
    const earlier = old.get(item.ingredient.name);
    if (earlier === undefined) added.add(() => toDiffed(item));
    else {
      const one = compare(earlier, item, known);
      if (one !== undefined) changed.add(() => one);
    }
    yield;
  }
  for (const item of before.ingredients) {
    if (!wanted.has(item.ingredient.name)) removed.add(() => toDiffed(item));
    yield;
  }
  const metadata = new Listed<MemberDifference>();
  for (const one of yield* compareMembersSteps(before.metadata, after.metadata)) metadata.add(() => one);
  const retagged = yield* listRetagged(before, after);
  const totals = known && {
    oldBytes: yield* sumContentsSteps(closures.old),
    newBytes: yield* sumContentsSteps(closures.new),
    transferBytes: yield* sumContentsSteps(closures.new, known),
  };
  return {
    old: toFacts(before),
    new: toFacts(after),
    ...metadata.toMembers('metadata'),
    ...added.toMembers('added'),
    ...removed.toMembers('removed'),
    ...changed.toMembers('changed'),
    ...retagged.toMembers('retagged'),
    ...(totals === undefined ? {} : { totals }),
    ...problems.toMembers('problems'),
  };
}

/** @param known content of the old recipe, if all of it could be read */
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
