import { type Digest, digestHex, hashBytes } from '../base/digest.ts';
import type { Delivery } from '../contract/delivery.ts';

type Recipe = Delivery['recipes'][number];
type Landed = Delivery['landed'][number];

/** The outcome of a recipe in the import of a part. */
export interface RecipeOutcome extends Pick<Recipe, 'name' | 'version' | 'digest'> {
  /**
   * `waiting` and `held`: its content of this part is at the destination or kept. `failed`: its checks passed, and it was
   * not pushed. `blocked`: a check failed.
   */
  readonly outcome: 'landed' | 'waiting' | 'held' | 'failed' | 'blocked';
  /**
   * Parts with content of it: for `waiting` and `held` those with missing content, for `failed` all others that the medium
   * names, for `blocked` this one too, and none where its documents could not be read.
   */
  readonly parts: readonly number[];
  /** For `held`: the delivery that brings the missing content of the base again, where it is known. */
  readonly baseDelivery?: string | undefined;
  /** Parts whose content was found unusable, and was forgotten. */
  readonly forgotten?: readonly number[] | undefined;
}

/** An import of a part, as far as its delivery is concerned. */
export interface PartImport
  extends Pick<Delivery, 'id' | 'zone' | 'resolvedAt' | 'parts' | 'base' | 'baseDelivery'> {
  readonly own: Landed;
  /** All recipes that the medium lists. */
  readonly outcomes: readonly RecipeOutcome[];
  /** The peer whose passport vouches for the lists of the part; without one, somebody may have shortened them. */
  readonly peer: string | undefined;
  /** The record when the import began. */
  readonly known: Delivery | undefined;
  /** References of holding manifests that the registry did not remove now. */
  readonly leftHolding?: readonly string[] | undefined;
  /** Recipes that other deliveries brought into the zone. */
  readonly elsewhere: ReadonlySet<Digest>;
}

/** The recipes that other deliveries brought into a zone. */
export const listElsewhere = (zone: string, others: readonly Delivery[]): ReadonlySet<Digest> =>
  new Set(
    others
      .filter((one) => one.zone === zone)
      .flatMap(({ recipes }) => recipes.flatMap(({ state, digest }) => (state === 'landed' ? [digest] : []))),
  );

/** Whether a part has brought its content of a recipe, by the record of its delivery. */
export function hasBrought(delivery: Delivery | undefined, recipe: Digest, part: number): boolean {
  const own = findRecipe(delivery, recipe);
  return own !== undefined && delivery !== undefined && !partsOf(own, delivery.parts).includes(part);
}

/** Whether other imports have brought everything since this one began that a recipe waits for here. */
export function isMetMeanwhile(
  { outcome, digest, parts }: RecipeOutcome,
  known: Delivery | undefined,
  before: Delivery | undefined,
): boolean {
  if (outcome !== 'waiting') return false;
  if (hasLandedMeanwhile(digest, known, before)) return true;
  return parts.length > 0 && withoutMet(parts, digest, known, before).length === 0;
}

/** The record of a delivery while the import of its first part is under way: nothing landed, and each part is needed. */
export function beginDelivery(
  said: Pick<Delivery, 'id' | 'zone' | 'resolvedAt' | 'parts' | 'base' | 'baseDelivery' | 'peer'>,
): Delivery {
  return conclude({ ...said, landed: [] }, [], said.resolvedAt);
}

/**
 * What a delivery is: its identifier, and the peer whose passport vouches for its disks, or none. Anybody can write an
 * identifier onto a disk.
 */
export type DeliveryKey = Pick<Delivery, 'id' | 'peer'>;

/** A peer in the name of a file. */
export const toPeerName = (peer: string): string => digestHex(hashBytes(peer)).slice(0, 16);

/** A medium of a delivery that was verified with the passport of a peer. */
export interface VerifiedDisk {
  readonly peer: string;
  readonly part: number;
  readonly mediaId: string;
  /** Digest of its `media.jsonl`. */
  readonly manifest: Digest;
}

/** The records under the identifier that a medium names, as they stand to it. */
export interface NamedDeliveries {
  /** The record of its delivery, if a part of it arrived. */
  readonly own: Delivery | undefined;
  /** The records of other deliveries. */
  readonly others: readonly Delivery[];
  /** Whether it is of no delivery: no passport vouches for it, and those of peers do for other disks. */
  readonly isStranger: boolean;
  /** Other media under the identifier that were verified with the passport of another peer, and did not arrive. */
  readonly verified: readonly VerifiedDisk[];
}

/**
 * Tells which delivery a medium is of. Each peer has its own. The one without a passport is for disks of which no peer has any:
 * beside those of a peer it is nobody's, whichever came first.
 *
 * @param records all records under its identifier
 * @param peer the peer whose passport vouches for it, if one does
 * @param seen other media under the identifier, which were only verified
 */
export function selectDelivery(
  records: readonly Delivery[],
  peer: string | undefined,
  seen: readonly VerifiedDisk[] = [],
): NamedDeliveries {
  const verified = seen.filter((one) => one.peer !== peer);
  const isBeside = verified.length > 0 || records.some((one) => one.peer !== undefined);
  const isStranger = peer === undefined && isBeside;
  const own = isStranger ? undefined : records.find((one) => one.peer === peer);
  return { own, others: records.filter((one) => one !== own), isStranger, verified };
}

/**
 * The record after the import of a part. Content of earlier imports counts as present, unless this one missed it.
 *
 * @param before the record now; another import can have changed it since this one began
 */
export function addArrival(before: Delivery | undefined, run: PartImport): Delivery {
  const { own, outcomes, known, peer, elsewhere, leftHolding = [], ...said } = run;
  const others = (before?.landed ?? []).filter(({ part }) => part !== own.part);
  const delivery = { ...said, ...(isOutvoted(own, others) ? selectSaid(before!) : {}) };
  const { parts } = delivery;
  const listed = new Set(outcomes.map(({ digest }) => digest));
  // each part lists all recipes: one that only another part lists, and that never passed the checks, is not of the delivery
  const kept = (before?.recipes ?? []).filter(({ digest, blocked }) => !listed.has(digest) && !blocked);
  const recipes = [
    ...outcomes.flatMap((one) => settleOutcome(one, before, { own, known, parts, elsewhere }) ?? []),
    ...kept,
  ];
  const isBrought = recipes.every((recipe) => !partsOf(recipe, parts).includes(own.part));
  const former = before?.landed.find(({ part }) => part === own.part);
  const isBlocked = outcomes.some(({ outcome }) => outcome === 'blocked');
  const isWhole = outcomes.every(({ outcome }) => outcome !== 'failed' && outcome !== 'blocked');
  const entry = isBrought && !isBlocked && (isWhole || former === undefined) ? own : former;
  // a disk that others contradict may have a number that the delivery does not have
  const arrived = [...others, ...(entry ? [entry] : [])].filter(({ part }) => part <= parts);
  const landed = arrived.sort((a, b) => a.part - b.part);
  // each recipe that lands tries again to remove those of its repositories
  const isTried = outcomes.every(({ outcome }) => outcome === 'landed');
  const left = new Set([...(isTried ? [] : (before?.leftHolding ?? [])), ...leftHolding]);
  const record = {
    ...delivery,
    ...(left.size > 0 ? { leftHolding: [...left].sort() } : {}),
    ...(peer === undefined ? {} : { peer }),
    completedAt: before?.completedAt,
    landed,
    refused: [
      ...(before?.refused ?? []).filter((part) => part !== own.part),
      ...(isBlocked ? [own.part] : []),
    ],
  };
  const after = conclude(record, recipes, own.importedAt);
  // a disk that comes again, and brings nothing, arrived when it first came
  if (before === undefined || former?.manifest !== own.manifest || !isUnchanged(before, after)) return after;
  const { importedAt } = former;
  return { ...after, landed: landed.map((one) => (one.part === own.part ? { ...one, importedAt } : one)) };
}

/**
 * Whether other disks that arrived contradict one about the whole delivery, and at least as many say the same as this one
 * and those that agree with it.
 */
function isOutvoted({ said }: Landed, others: readonly Landed[]): boolean {
  const votes = new Map<string, number>();
  for (const one of others)
    if (one.said !== undefined) {
      const key = JSON.stringify(one.said);
      votes.set(key, (votes.get(key) ?? 0) + 1);
    }
  const own = JSON.stringify(said);
  const agreeing = (votes.get(own) ?? 0) + 1;
  return [...votes].some(([key, count]) => key !== own && count >= agreeing);
}

/** What a record says of the whole delivery. */
function selectSaid({ parts, base, baseDelivery, resolvedAt }: Delivery) {
  return { parts, base, baseDelivery, resolvedAt };
}

/** The record after recipes of the delivery landed from another medium, at a time (RFC 3339). */
export function settleRecipes(before: Delivery, landed: ReadonlySet<Digest>, at: string): Delivery {
  const recipes = before.recipes.map((recipe): Recipe => {
    if (!landed.has(recipe.digest)) return recipe;
    const { name, version, digest } = recipe;
    return { name, version, digest, state: 'landed' };
  });
  return conclude(before, recipes, at);
}

/** Whether an import changed nothing: the same recipes are in the zone, and the same parts are needed. */
export function isUnchanged(before: Delivery, after: Delivery): boolean {
  const show = ({ recipes, needed }: Delivery): string =>
    JSON.stringify([needed, recipes.map(({ digest, state }) => `${digest} ${state}`).sort()]);
  return show(before) === show(after);
}

/** @returns undefined for a recipe that is not recorded */
function settleOutcome(
  one: RecipeOutcome,
  before: Delivery | undefined,
  { own, known, parts: count, elsewhere }: Pick<PartImport, 'own' | 'known' | 'parts' | 'elsewhere'>,
): Recipe | undefined {
  const { name, version, digest, outcome } = one;
  const prior = findRecipe(before, digest);
  const named = { name, version, digest };
  if (outcome === 'landed') return { ...named, state: outcome };
  if (outcome === 'waiting' || outcome === 'held') {
    if (prior && hasLandedMeanwhile(digest, known, before)) return prior;
    const open = withoutMet(one.parts, digest, known, before);
    const all = open.length > 0 ? open : one.parts;
    const there = all.filter((part) => part <= count);
    const parts = all.length > 0 && there.length === 0 && prior ? partsOf(prior, count) : there;
    return {
      ...named,
      state: outcome,
      ...(parts.length > 0 ? { parts: [...parts] } : {}),
      ...(outcome === 'held' && one.baseDelivery ? { baseDelivery: one.baseDelivery } : {}),
    };
  }
  const arrived = new Set(before?.landed.map(({ part }) => part));
  // a copy of a part that arrived: a recipe that only this copy has is not of the delivery
  if (prior === undefined && outcome === 'blocked' && arrived.has(own.part)) return undefined;
  // a bad disk takes nothing back; one whose content was looked for in vain is not `failed`
  if (prior === undefined && elsewhere.has(digest) && !one.forgotten) return { ...named, state: 'landed' };
  const isKnown = prior !== undefined && !(prior.blocked && outcome === 'failed');
  const isUnknown = outcome === 'blocked' && one.parts.length === 0;
  const all = isUnknown ? allParts(count) : [...one.parts, own.part];
  const needed = isKnown
    ? partsOf(prior, count)
    : all.filter((part) => part === own.part || !arrived.has(part));
  const parts = sortParts([...needed, ...(one.forgotten ?? [])]);
  if (isKnown && !one.forgotten && !parts.includes(own.part)) return prior;
  const blocked = outcome === 'blocked' && (prior === undefined || prior.blocked === true);
  return { ...named, state: 'failed', parts, ...(blocked ? { blocked } : {}) };
}

const findRecipe = (delivery: Delivery | undefined, digest: Digest): Recipe | undefined =>
  delivery?.recipes.find((one) => one.digest === digest);

/** The parts of which a recipe needs content. Records of earlier versions do not have them for a failed one. */
export function partsOf({ state, parts }: Recipe, count: number): readonly number[] {
  if (state === 'landed') return [];
  return parts ?? (state === 'failed' ? allParts(count) : []);
}

const allParts = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);
const sortParts = (parts: Iterable<number>): number[] => [...new Set(parts)].sort((a, b) => a - b);

const hasLandedMeanwhile = (
  digest: Digest,
  known: Delivery | undefined,
  before: Delivery | undefined,
): boolean => findRecipe(before, digest)?.state === 'landed' && findRecipe(known, digest)?.state !== 'landed';

/** The parts of these that no other import has brought since this one began. */
const withoutMet = (
  parts: readonly number[],
  digest: Digest,
  known: Delivery | undefined,
  before: Delivery | undefined,
): readonly number[] =>
  parts.filter((part) => hasBrought(known, digest, part) || !hasBrought(before, digest, part));

/** How many recipes of a delivery are in the zone. */
export const countLanded = ({ recipes }: Pick<Delivery, 'recipes'>): number =>
  recipes.filter(({ state }) => state === 'landed').length;

/**
 * Concludes from the states of the recipes whether a delivery is complete, and the parts that it needs. Without a passport,
 * only all of its disks show that no recipe was left out of the list of one.
 */
function conclude(
  {
    completedAt,
    refused = [],
    ...delivery
  }: Omit<Delivery, 'recipes' | 'needed' | 'complete' | 'completedAt'> & {
    readonly completedAt?: string | undefined;
  },
  recipes: Delivery['recipes'],
  at: string,
): Delivery {
  const { parts, landed, peer } = delivery;
  const isSure = recipes.length > 0 && (peer !== undefined || completedAt !== undefined);
  const unseen = isSure
    ? []
    : allParts(parts).filter((number) => landed.every(({ part }) => part !== number));
  const isLanded = recipes.every(({ state }) => state === 'landed');
  const complete = isLanded && unseen.length === 0;
  const needed = isLanded ? unseen : sortParts(recipes.flatMap((recipe) => partsOf(recipe, parts)));
  const again = sortParts(refused.filter((part) => needed.includes(part)));
  return {
    ...delivery,
    recipes,
    complete,
    ...(complete ? { completedAt: completedAt ?? at } : {}),
    needed,
    ...(again.length > 0 ? { refused: again } : {}),
  };
}
