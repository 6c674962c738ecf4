import { forEachBounded } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { TaskItem, TaskResolution } from '../../contract/task.ts';
import { parseRepositoryReference } from '../../oci/reference.ts';
import type { TaskJournal } from '../../task/model.ts';
import { type SvcError, selectPrincipal, toErrorRecord, toSvcError } from '../../text/error.ts';
import type { Destination, PromotedArtifact, Promotion } from '../promotion/model.ts';
import { nameRecipes } from '../sync/name-recipes.ts';
import { toRecipePlaces } from '../sync/recipe-places.ts';
import { selectTags } from '../sync/select-tags.ts';
import type { AwayBlob } from './judge-file.ts';
import type { ClearedRecipe } from './judge-recipe.ts';
import type { AwayContent } from './parts/away-content.ts';
import { listParts, toMissing } from './parts/describe-missing.ts';
import type { HeldBlobs } from './parts/hold-blobs.ts';
import { selectObstacles, toBlockingError } from './report.ts';
import type { MediumVerification } from './verify-medium.ts';

interface ImportMediumOptions {
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
  /** Whether a part of the delivery brought its content of a recipe before. Default: none did. */
  readonly hasBrought?: ((recipe: Digest, part: number) => boolean) | undefined;
  /** Identifier of the last delivery before the base, which SVC-MED-040 names. Default: none is known. */
  readonly deliveryBefore?: string | undefined;
}

/** Outcome of an import that was not refused as a whole. */
export interface ImportedMedium {
  /** Recipes of which everything was pushed. */
  readonly landed: readonly ClearedRecipe[];
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
type HeldBack = Pick<TaskItem, 'status' | 'error' | 'warning'>;

interface WaitingRecipe {
  readonly recipe: ClearedRecipe;
  readonly parts: readonly number[];
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
 * medium only express a preference among the pins of verified documents.
 *
 * @param places repositories of recipes on the medium, blocked ones included
 */
function planTags(
  cleared: readonly ClearedRecipe[],
  places: ReadonlySet<string>,
  { destination, tagAt }: Pick<ImportMediumOptions, 'destination' | 'tagAt'>,
): ReadonlyMap<ClearedRecipe, ReadonlyMap<string, string>> {
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
  const selected = selectTags(
    all.map(({ one: { repository, ref, tag, digest } }) => ({
      repository,
      version: tag,
      digest,
      isInCookbook: isInCookbook({ repository, nominal: parseRepositoryReference(ref) }),
    })),
    (repository, tag) => recipes.get(`${repository}:${tag}`),
  );
  const tags = new Map(cleared.map((recipe) => [recipe, new Map<string, string>()]));
  for (const [i, { recipe, one }] of all.entries()) tags.get(recipe)!.set(one.name, selected[i]!);
  return tags;
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
  const tags = planTags(cleared, places, options);
  const failures: SvcError[] = [];
  const toFailed = (error: SvcError): Pick<TaskItem, 'error'> => {
    failures.push(error);
    return { error: toErrorRecord(error) };
  };
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
  const resolutions: TaskResolution[] = [];
  let moved = 0;
  /** Keeps and pushes what is here of a recipe that waits for other parts; others are held back. */
  const holdBack = async (
    recipe: ClearedRecipe,
    item: string,
    missing: readonly AwayBlob[],
  ): Promise<HeldBack> => {
    const parts = listParts(recipe, missing, header, options.hasBrought);
    const error = toMissing(item, missing, parts, header, options.deliveryBefore);
    journal.line(`${item}: ${error.message}`);
    // also where the base is gone: each part is imported once, whenever the base comes back
    await options.away.keep([...recipe.away.values()]);
    const away = new Set(missing.map(({ digest }) => digest));
    const bytes = await options.held?.hold(recipe, isHere(recipe, options.away), away);
    // recipes are imported at the same time: the sum is read when it is changed
    moved += bytes ?? 0;
    if (error.code === 'SVC-MED-040') {
      withoutBase.push({ recipe, parts });
      return { status: 'failed', ...toFailed(error) };
    }
    waiting.push({ recipe, parts });
    return { status: 'skipped', warning: toErrorRecord(error) };
  };
  /** Forgets segments of a recipe that together have another digest: other disks bring them again. */
  const forgetMixed = async (recipe: ClearedRecipe, error: SvcError): Promise<void> => {
    const blob = error.code === 'SVC-MED-047' ? recipe.away.get(error.params.digest as Digest) : undefined;
    if (blob === undefined) return;
    await options.away.drop(blob.digest);
    if (typeof blob.at !== 'string') again.push({ recipe, parts: blob.at });
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
      return { status: 'failed', ...toFailed(coded) };
    }
  };
  await forEachBounded(toPush, options.parallelism, async ({ recipe, item }, i) => {
    const { record } = recipe;
    const held = await findHeldBack(recipe, item);
    if (held !== undefined) {
      const own = pendingItems[i]!.at(-1)!;
      const others = pendingItems[i]!.slice(0, -1).map((one): TaskItem => ({ ...one, status: 'skipped' }));
      await journal.settleItems([...others, { ...own, ...held }]);
      return;
    }
    journal.line(`pushing ${item}`);
    const begun = pendingItems[i]!.map((one): TaskItem => ({ ...one, status: 'running' }));
    await journal.settleItems(begun, { durable: false });
    const outcome = await promotion.promote(record, tags.get(recipe)!);
    const settle = (artifact: PromotedArtifact, name: string, digest: Digest, version: string): TaskItem => {
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
        ...(artifact.error ? toFailed(artifact.error) : {}),
      };
    };
    const items = record.ingredients.flatMap((ingredient) => {
      const artifact = outcome.ingredients.find(({ ingredient: name }) => name === ingredient.name);
      const missing: PromotedArtifact = {
        ingredient: ingredient.name,
        reference: ingredient.ref,
        status: 'skipped',
        pushedBytes: 0,
      };
      return [settle(artifact ?? missing, `${item}/${ingredient.name}`, ingredient.digest, ingredient.tag)];
    });
    items.push(settle(outcome.recipe, item, record.digest, record.version));
    await journal.settleItems(items);
    if (outcome.error) await forgetMixed(recipe, outcome.error);
    else landed.push(recipe);
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
  return { landed, failures, pushed, moved, waiting, again, withoutBase, leftHolding, isComplete };
}

/** Whether a blob of a recipe can be read: whole from this medium, or joined from segments. */
function isHere({ files }: ClearedRecipe, away: AwayContent): (digest: Digest) => boolean {
  return (digest) => files.has(digest) || away.has(digest);
}
