import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { MovedTag, TaskItem, TaskResolution } from '../../contract/task.ts';
import { formatReference, parseRepositoryReference } from '../../oci/reference.ts';
import type { TaskJournal } from '../../task/model.ts';
import {
  isSvcError,
  type SvcError,
  selectPrincipal,
  svcError,
  toErrorRecord,
  toSvcError,
} from '../../text/error.ts';
import type { Destination, PromotedArtifact, Promotion } from '../promotion/model.ts';
import { nameRecipes } from '../sync/name-recipes.ts';
import { toDestination, toRecipeDestination, toRecipePlaces } from '../sync/recipe-places.ts';
import { selectTags } from '../sync/select-tags.ts';
import type { AwayBlob } from './judge-file.ts';
import type { ClearedRecipe } from './judge-recipe.ts';
import type { IntendedLanding, LandingClaim, LandingRun } from './landed/landing-run.ts';
import { findHolder, isTaken, type Landings, selectKept } from './landed/landings.ts';
import type { AwayContent } from './parts/away-content.ts';
import { blameDisk } from './parts/blame-disk.ts';
import { type BaseSearch, listParts, toMissing } from './parts/describe-missing.ts';
import type { HeldBlobs } from './parts/hold-blobs.ts';
import { selectObstacles, toBlockingError } from './report.ts';
import type { MediumVerification } from './verify-medium.ts';

interface ImportMediumOptions {
  /** Real path of the medium. */
  readonly root: string;
  readonly verification: MediumVerification;
  readonly promotion: Promotion;
  readonly destination: Destination;
  /** Returns the target of a tag of the medium. Not verified. */
  readonly tagAt: (repository: string, tag: string) => Digest | undefined;
  readonly journal: TaskJournal;
  readonly signal?: AbortSignal | undefined;
  /** Number of recipes pushed at the same time. */
  readonly parallelism: number;
  /** Content that a medium of format 2 lacks. */
  readonly away: AwayContent;
  /** Receives the blobs of recipes that wait for another part; absent for a medium that is no part of several. */
  readonly held?: HeldBlobs | undefined;
  /** Whether the delivery that it names is known to be of others: no segment of it is kept. Default: it is not. */
  readonly isStranger?: boolean | undefined;
  /** Whether a part of the delivery brought its content of a recipe before. Default: none did. */
  readonly hasBrought?: ((recipe: Digest, part: number) => boolean) | undefined;
  /** Finds the delivery that SVC-MED-040 names. Default: none is known. */
  readonly findBase?: BaseSearch | undefined;
  /** Where the recipes are recorded that land: tags that later media gave are kept. Default: no tag is kept. */
  readonly landing?:
    | {
        readonly run: LandingRun;
        /** Date of the medium, RFC 3339 in UTC, at most a day ahead. */
        readonly resolvedAt: string;
        /** When it was written, with the same limit. */
        readonly writtenAt?: string | undefined;
        /** Whether tags are taken from later media on purpose. */
        readonly isForced: boolean;
        /** Milliseconds since the epoch. */
        readonly now: () => number;
      }
    | undefined;
}

/** Outcome of an import that was not refused as a whole. */
export interface ImportedMedium {
  /** Recipes of which everything was pushed. */
  readonly landed: readonly ClearedRecipe[];
  /** Recipes whose push failed, in part or before it began. Those that wait for another part or are refused are not among them. */
  readonly unfinished: readonly ClearedRecipe[];
  /** Recipes whose content the registry of the zone refuses, which another attempt does not change. */
  readonly refused: readonly { readonly recipe: ClearedRecipe; readonly code: SvcError['code'] }[];
  /** Errors of the failed items: blocked recipes, and artifacts that were not pushed. */
  readonly failures: readonly SvcError[];
  /** Whether every cleared recipe was pushed. Only then is the freshness record updated. */
  readonly isComplete: boolean;
  /** Recipes and ingredients that the destination did not have. */
  readonly pushed: number;
  /** Recipes that need other parts of the delivery, with these parts in ascending order. */
  readonly waiting: readonly WaitingRecipe[];
  /** Failed recipes with segments that were forgotten, and the parts that bring these again. */
  readonly again: readonly WaitingRecipe[];
  /** Cleared recipes that need content which the registry of the zone no longer has, and the other parts that they need. */
  readonly withoutBase: readonly WaitingRecipe[];
  /** Bytes that were sent to the destination. */
  readonly moved: number;
  /** Holding manifests that nothing needs any more, and that the destination does not remove. */
  readonly leftHolding: readonly string[];
}

/** The outcome of a recipe that is not pushed. */
type HeldBack = Pick<TaskItem, 'status' | 'error' | 'warning'> & Partial<Pick<TaskItem, 'transferredBytes'>>;

interface WaitingRecipe {
  readonly recipe: ClearedRecipe;
  readonly parts: readonly number[];
  /** Identifier of the delivery that brings the content of the base again. */
  readonly delivery?: string | undefined;
}

/** Total bytes of the files that cleared recipes reach, each file once. */
function sumFiles(recipes: readonly ClearedRecipe[]): number {
  const sizes = new Map<Digest, number>();
  for (const recipe of recipes) for (const [digest, file] of recipe.files) sizes.set(digest, file.size);
  let sum = 0;
  for (const size of sizes.values()) sum += size;
  return sum;
}

/**
 * Selects the tags of the ingredients at the destination, independent of the order of the recipes on the medium. Where
 * recipes pin different content under one tag, the content that has the tag on the medium keeps it. The tags of the
 * medium only express a preference among the pins of verified documents. A tag that a later medium gave to other content
 * stays there.
 *
 * @param places repositories of recipes on the medium, blocked ones included
 * @param landings the recipes that landed in the zone; undefined to keep no tag
 */
function planTags(
  cleared: readonly ClearedRecipe[],
  places: ReadonlySet<string>,
  { destination, tagAt, verification, landing }: ImportMediumOptions,
  landings: Landings | undefined,
): TagPlan {
  const keyOf = ({ record: { cookbook, name, version } }: ClearedRecipe) => `${cookbook}/${name}:${version}`;
  const sorted = [...cleared].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const pins = sorted.flatMap((recipe) => recipe.record.ingredients.map((one) => ({ recipe, one })));
  const hasTag = ({ one: { repository, tag, digest } }: (typeof pins)[number]) =>
    tagAt(repository, tag) === digest;
  const all = [...pins.filter(hasTag), ...pins.filter((pin) => !hasTag(pin))];
  const recipes = new Map(
    cleared.map(({ record: { repository, tag, digest } }) => [`${repository}:${tag}`, digest]),
  );
  const isInCookbook = toRecipePlaces((repository) => places.has(repository), destination);
  const published = (repository: string, tag: string) => recipes.get(`${repository}:${tag}`);
  const { header, report } = verification;
  const isVouched = report.passport !== undefined;
  const kept = new Map<string, Digest>();
  const taken = new Set<Ingredient>();
  const holders = new Map<Ingredient, Holder>();
  for (const { recipe, one } of landings && header ? all : []) {
    const key = toTagKey(destination, one);
    if (key === undefined) continue;
    const { name, cookbook, version } = recipe.record;
    const wanted = {
      resolvedAt: landing?.resolvedAt ?? header!.resolvedAt,
      writtenAt: landing?.writtenAt ?? header!.writtenAt,
      ...{ digest: one.digest, name, cookbook, version, isVouched, peer: report.passport?.signer },
    };
    const holder = findHolder(landings!, key, wanted);
    if (holder === undefined) continue;
    holders.set(one, holder);
    const keeper = landing?.isForced ? undefined : selectKept(landings!, key, wanted);
    if (keeper !== undefined) kept.set(`${one.repository}:${one.tag}`, keeper);
    else if (isTaken(landings!, key, wanted)) taken.add(one);
  }
  const selected = selectTags(
    all.map(({ one: { repository, ref, tag, digest } }) => ({
      repository,
      version: tag,
      digest,
      isInCookbook: isInCookbook({ repository, nominal: parseRepositoryReference(ref) }),
    })),
    (repository, tag) => published(repository, tag) ?? kept.get(`${repository}:${tag}`),
    published,
  );
  const tags = new Map(cleared.map((recipe) => [recipe, new Map<string, string>()]));
  for (const [i, { recipe, one }] of all.entries()) tags.get(recipe)!.set(one.name, selected[i]!);
  const yielding = all.filter(({ one }) => kept.has(`${one.repository}:${one.tag}`));
  const isOther = ({ one }: (typeof all)[number]): boolean =>
    kept.get(`${one.repository}:${one.tag}`) !== one.digest;
  return { tags, kept: new Set(yielding.filter(isOther).map(({ one }) => one)), taken, holders };
}

interface TagPlan {
  readonly tags: ReadonlyMap<ClearedRecipe, ReadonlyMap<string, string>>;
  /** The ingredients whose tag stays with content of a later medium, or of one with a passport. */
  readonly kept: ReadonlySet<Ingredient>;
  /** The ingredients whose tag is taken from content of a later medium without a passport. */
  readonly taken: ReadonlySet<Ingredient>;
  /** Content that has the tags which recipes on record gave to other content. */
  readonly holders: ReadonlyMap<Ingredient, Holder>;
}

type Ingredient = ClearedRecipe['record']['ingredients'][number];
type Holder = NonNullable<ReturnType<typeof findHolder>>;

/** The tag of an ingredient at the destination; undefined where it has no valid name there. */
function toTagKey(
  destination: Destination,
  { ref, tag }: Pick<Ingredient, 'ref' | 'tag'>,
): string | undefined {
  try {
    const { host, repository } = toDestination(destination, parseRepositoryReference(ref));
    return `${host}/${repository}:${tag}`;
  } catch (error) {
    // reported when it is pushed
    if (isSvcError(error, 'SVC-DST-001')) return undefined;
    throw error;
  }
}

function toPendingItem(name: string, digest: Digest): TaskItem {
  return { name, digest, status: 'pending', transferredBytes: 0 };
}

/**
 * Pushes the content that a verification cleared. A blocked recipe is a failed item; the others continue.
 *
 * @throws the principal error of all that blocks the medium or one of its recipes, before anything is pushed,
 *   when the medium itself is blocked
 */
export async function importMedium(options: ImportMediumOptions): Promise<ImportedMedium> {
  const { verification, promotion, journal, signal } = options;
  const { report, cleared, header } = verification;
  const obstacles = selectObstacles(report);
  for (const { code, params } of obstacles) journal.line(`${params.recipe ?? 'the medium'}: ${code}`);
  if (report.blocks.some(({ waived }) => !waived)) throw selectPrincipal(obstacles)!;
  if (header) journal.setSourceRunId(header.producedBy.runId);
  const blocked = report.recipes.filter(({ pushable }) => !pushable);
  const names = nameRecipes([...blocked, ...cleared.map(({ record }) => record)]);
  const toPush = cleared.map((recipe, i) => ({ recipe, item: names[blocked.length + i]! }));
  const places = new Set(report.recipes.map(({ repository }) => repository));
  const { landing } = options;
  const toPlan = (landings: Landings | undefined): TagPlan => planTags(cleared, places, options, landings);
  /** The landings that the plan knows. Another import may add some while this one runs. */
  let known = landing?.run.landings;
  let plan = toPlan(known);
  const failures: SvcError[] = [];
  const toFailed = (error: SvcError): Pick<TaskItem, 'error'> => {
    failures.push(error);
    return { error: toErrorRecord(error) };
  };
  const blame = (error: SvcError, recipe: ClearedRecipe): Promise<SvcError> =>
    blameDisk(error, recipe, options.root, header ?? {});
  const pendingItems = toPush.map(({ recipe: { record }, item }) => [
    ...record.ingredients.map(({ name, digest }) => toPendingItem(`${item}/${name}`, digest)),
    toPendingItem(item, record.digest),
  ]);
  journal.setItems([
    ...blocked.map(
      (verdict, i): TaskItem => ({
        ...toPendingItem(names[i]!, verdict.digest),
        status: 'failed',
        ...toFailed(toBlockingError(verdict)!),
      }),
    ),
    ...pendingItems.flat(),
  ]);
  // recorded before the push, so that the record of a killed run names all items and those begun
  await journal.settleItems(journal.task.items.filter(({ status }) => status === 'pending'));
  journal.setTotalBytes(sumFiles(cleared));
  const landed: ClearedRecipe[] = [];
  const waiting: WaitingRecipe[] = [];
  const again: WaitingRecipe[] = [];
  const withoutBase: WaitingRecipe[] = [];
  const refused: { recipe: ClearedRecipe; code: SvcError['code'] }[] = [];
  const resolutions: TaskResolution[] = [];
  let moved = 0;
  /** Keeps and pushes the content of a recipe that waits for other parts; others are held back. */
  const holdBack = async (
    recipe: ClearedRecipe,
    item: string,
    missing: readonly AwayBlob[],
  ): Promise<HeldBack> => {
    // also where the base is gone: each part is imported once, whenever the base comes back
    const delivery = options.isStranger ? undefined : header?.delivery;
    const origin = delivery && {
      ...{ delivery: delivery.id, part: delivery.part },
      peer: verification.report.passport?.signer,
    };
    if (!options.isStranger) await options.away.keep([...recipe.away.values()], origin);
    const misfits = new Map<AwayBlob, readonly number[]>();
    const kept = new Map<Digest, readonly number[]>();
    for (const blob of missing) {
      if (delivery === undefined) break;
      const unfit = await options.away.forgetMisfits(blob, delivery.id);
      if (unfit.length > 0) misfits.set(blob, unfit);
      else kept.set(blob.digest, await options.away.keptParts(blob, delivery.id));
    }
    const fitting = missing.filter((blob) => !misfits.has(blob));
    const others = listParts(recipe, fitting, header, options.hasBrought, kept);
    const parts = [...new Set([...others, ...[...misfits.values()].flat()])].sort((a, b) => a - b);
    const [misfit] = misfits;
    const error =
      misfit === undefined
        ? await toMissing({ name: item, ...recipe }, missing, parts, header, options.findBase)
        : svcError('SVC-MED-047', {
            digest: misfit[0].digest,
            parts: misfit[1].map(String),
            delivery: delivery?.id,
          });
    journal.line(`${item}: ${error.message}`);
    const away = new Set(missing.map(({ digest }) => digest));
    const bytes = await options.held?.hold(recipe, isHere(recipe, options.away), away);
    // recipes are imported at the same time: the sum is read when it is changed
    moved += bytes ?? 0;
    if (error.code === 'SVC-MED-040') {
      withoutBase.push({ recipe, parts, delivery: error.params.delivery as string | undefined });
      return { status: 'failed', ...toFailed(error) };
    }
    waiting.push({ recipe, parts });
    // the parts that fit are kept: only the other one is needed again
    if (misfit !== undefined) return { status: 'failed', ...toFailed(error) };
    return { status: 'skipped', warning: toErrorRecord(error), transferredBytes: bytes ?? 0 };
  };
  /**
   * Forgets segments of a recipe that together have another digest: other disks bring them again.
   *
   * @returns whether only segments without a passport were forgotten, beside a medium that has one
   */
  const forgetMixed = async (recipe: ClearedRecipe, error: SvcError): Promise<boolean> => {
    const blob = error.code === 'SVC-MED-047' ? recipe.away.get(error.params.digest as Digest) : undefined;
    if (blob === undefined || options.isStranger) return false;
    const { parts, isOthers } = await options.away.dropMixed(blob.digest);
    if (!isOthers && parts.length > 0 && typeof blob.at !== 'string') again.push({ recipe, parts: blob.at });
    return isOthers;
  };
  /** The item of a recipe that cannot be pushed now; undefined when all its content is found. */
  const findHeldBack = async (recipe: ClearedRecipe, item: string): Promise<HeldBack | undefined> => {
    if (recipe.away.size === 0) return undefined;
    try {
      const missing = await options.away.find(recipe);
      return missing.length === 0 ? undefined : await holdBack(recipe, item, missing);
    } catch (thrown) {
      signal?.throwIfAborted();
      const coded = toSvcError(thrown);
      await forgetMixed(recipe, coded);
      return { status: 'failed', ...toFailed(await blame(coded, recipe)) };
    }
  };
  const listGiven = (recipe: ClearedRecipe): ReadonlyMap<string, Digest> =>
    new Map(
      recipe.record.ingredients.flatMap((one) => {
        const key =
          plan.tags.get(recipe)!.get(one.name) === one.tag ? toTagKey(options.destination, one) : undefined;
        return key === undefined ? [] : [[key, one.digest] as const];
      }),
    );
  const toIntended = (recipe: ClearedRecipe, landings: Landings): IntendedLanding => {
    if (landings !== known) [known, plan] = [landings, toPlan(landings)];
    const { name, cookbook, version, digest } = recipe.record;
    return {
      ...{ name, cookbook, version, digest, tags: listGiven(recipe) },
      repository: formatReference(toRecipeDestination(options.destination, name)),
      resolvedAt: landing!.resolvedAt,
      writtenAt: landing!.writtenAt,
      isForced: landing!.isForced,
      isVouched: report.passport !== undefined,
      peer: report.passport?.signer,
    };
  };
  /** Claims the tags of a recipe; undefined where landings are not recorded, or the recipe has no name at the destination. */
  const claim = async (recipe: ClearedRecipe): Promise<LandingClaim | undefined> => {
    try {
      return await landing?.run.claim((landings) => toIntended(recipe, landings));
    } catch (error) {
      // reported when it is pushed
      if (isSvcError(error, 'SVC-DST-001')) return undefined;
      throw error;
    }
  };
  const settleHeld = async (i: number, held: HeldBack): Promise<void> => {
    const own = pendingItems[i]!.at(-1)!;
    const others = pendingItems[i]!.slice(0, -1).map((one): TaskItem => ({ ...one, status: 'skipped' }));
    await journal.settleItems([...others, { ...own, ...held }]);
  };
  await forEachBounded(toPush, options.parallelism, async ({ recipe, item }, i) => {
    const { record } = recipe;
    const held = await findHeldBack(recipe, item);
    if (held !== undefined) {
      await settleHeld(i, held);
      return;
    }
    const claimed = await claim(recipe);
    // as they were decided with the claim
    const { tags, kept, taken, holders } = plan;
    journal.line(`pushing ${item}`);
    for (const { name, tag } of record.ingredients.filter((one) => kept.has(one)))
      journal.line(
        `${item}/${name}: the tag ${tag} stays with a later delivery, a higher version, or content with a passport; it is here by its digest`,
      );
    for (const { name, tag } of record.ingredients.filter((one) => taken.has(one)))
      journal.line(`${item}/${name}: the tag ${tag} is taken from a later medium without a passport`);
    const changed: MovedTag[] = [];
    for (const one of record.ingredients) {
      const holder = holders.get(one);
      const isGiven = tags.get(recipe)!.get(one.name) === one.tag;
      if (holder === undefined || (!isGiven && !kept.has(one))) continue;
      const { recipe: from, isOther } = holder;
      const ingredient = `${item}/${one.name}`;
      changed.push({ ingredient, tag: one.tag, from, kept: !isGiven });
      if (isGiven && isOther)
        journal.line(
          `${ingredient}: the tag ${one.tag} is taken from ${from}, whose content is here by its digest`,
        );
    }
    journal.addMovedTags(changed);
    const begun = pendingItems[i]!.map((one): TaskItem => ({ ...one, status: 'running' }));
    await journal.settleItems(begun, { durable: false });
    let outcome = await promotion.promote(record, tags.get(recipe)!);
    if (outcome.error !== undefined && (await forgetMixed(recipe, outcome.error))) {
      const waits = await findHeldBack(recipe, item);
      if (waits !== undefined) {
        await claimed?.withdraw();
        await settleHeld(i, waits);
        return;
      }
      outcome = await promotion.promote(record, tags.get(recipe)!);
    }
    const settle = async (
      artifact: PromotedArtifact,
      name: string,
      digest: Digest,
      version: string,
    ): Promise<TaskItem> => {
      const error = artifact.error && (await blame(artifact.error, recipe));
      moved += artifact.pushedBytes;
      resolutions.push({
        recipe: item,
        ...(artifact.ingredient === undefined ? {} : { ingredient: artifact.ingredient }),
        requested: version,
        resolved: version,
        digest,
        status: 'up-to-date',
        ...(record.trustScope === undefined ? {} : { trustScope: record.trustScope }),
        destination: artifact.reference,
        destinationStatus: artifact.status,
        pushedBytes: artifact.pushedBytes,
      });
      const status =
        artifact.status === 'pushed' || artifact.status === 'up-to-date' ? 'done' : artifact.status;
      journal.line(`${name}: ${artifact.status} ${artifact.reference}`);
      return {
        name,
        digest,
        status,
        transferredBytes: artifact.pushedBytes,
        ...(error ? toFailed(error) : {}),
      };
    };
    const items: TaskItem[] = [];
    for (const ingredient of record.ingredients) {
      const artifact = outcome.ingredients.find(({ ingredient: name }) => name === ingredient.name);
      const missing: PromotedArtifact = {
        ingredient: ingredient.name,
        reference: ingredient.ref,
        status: 'skipped',
        pushedBytes: 0,
      };
      const name = `${item}/${ingredient.name}`;
      items.push(await settle(artifact ?? missing, name, ingredient.digest, ingredient.tag));
    }
    items.push(await settle(outcome.recipe, item, record.digest, record.version));
    if (outcome.error === undefined) await claimed?.land(new Date(landing!.now()).toISOString());
    else await claimed?.withdraw();
    await journal.settleItems(items);
    if (outcome.error) await forgetMixed(recipe, outcome.error);
    else landed.push(recipe);
    if (isSvcError(outcome.error, 'SVC-DST-002')) refused.push({ recipe, code: outcome.error.code });
  });
  const leftHolding: string[] = [];
  for (const recipe of landed) {
    for (const { digest } of recipe.away.values()) await options.away.drop(digest);
    for (const reference of (await options.held?.release(recipe)) ?? []) {
      journal.line(`${reference}: the registry does not remove it; nothing needs it any more`);
      leftHolding.push(reference);
    }
  }
  journal.setResolutions(resolutions);
  journal.setTotalBytes(moved);
  const pushed = resolutions.filter(({ destinationStatus }) => destinationStatus === 'pushed').length;
  const isComplete = landed.length === cleared.length && cleared.length > 0;
  const settled = new Set([...landed, ...[...waiting, ...refused].map(({ recipe }) => recipe)]);
  const unfinished = cleared.filter((recipe) => !settled.has(recipe));
  return {
    landed,
    unfinished,
    refused,
    failures,
    pushed,
    moved,
    waiting,
    again,
    withoutBase,
    leftHolding,
    isComplete,
  };
}

/** Whether a blob of a recipe can be read: whole from this medium, or joined from segments. */
function isHere({ files }: ClearedRecipe, away: AwayContent): (digest: Digest) => boolean {
  return (digest) => files.has(digest) || away.has(digest);
}
