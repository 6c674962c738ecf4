import { Semaphore } from '../base/concurrency.ts';
import { isSvcError, type SvcError, toErrorRecord } from '../base/error.ts';
import type { RecipeRecord, Store, SyncRecord } from '../store/model.ts';
import type { TaskJournal, TaskResolution } from '../task/model.ts';
import { countErrors } from './count-errors.ts';
import { Once } from './once.ts';
import { listOwnedTags, toOwnership } from './ownership.ts';
import { passPreflight } from './pass-preflight.ts';
import type { PlannedWork } from './plan-sync.ts';
import { type PreparedSync, prepareSync, type SyncCollaborators, type SyncSettings } from './prepare-sync.ts';
import { openPromotion } from './promote.ts';
import type { PromotedRecipe } from './promotion/model.ts';
import { planPrune, runPrune } from './prune.ts';
import { selectRecords, toRecipeRecord } from './recipe-records.ts';
import { settleAll } from './settle-all.ts';
import { type NamedWork, nameWorks, toItems, toResolutions } from './sync-items.ts';
import { takeOutAltered } from './take-out-altered.ts';
import { createRecipeTransfer } from './transfer-recipe.ts';

export interface SyncRun {
  readonly runId: string;
  readonly journal: TaskJournal;
  readonly store: Store;
}

export interface SyncOutcome {
  readonly recipes: { readonly complete: number; readonly failed: number };
  readonly movedBytes: number;
  readonly promotedBytes: number;
  readonly pruned: number;
}

// blobs of one ingredient that move at once, on average
const blobsAtOnce = 4;

/** Whether nothing at all is left to do for a recipe in the store. */
function isSettledIn(store: Store): (named: NamedWork) => boolean {
  return ({ work }) =>
    work.status === 'up-to-date' &&
    work.ingredients.every(({ status }) => status === 'up-to-date') &&
    listOwnedTags(work, store.index).every(({ repository, tag, digest, owner }) => {
      const known = store.index.tag(repository, tag);
      return (
        known?.digest === digest &&
        !known.held &&
        known.owners.some(
          (one) =>
            one.provenance === 'recipe' && one.recipe === owner.recipe && one.cookbook === owner.cookbook,
        )
      );
    });
}

/**
 * Runs one synchronization: Retriever, plan, pre-flight, ingredients, recipes with their signatures, promotion, prune,
 * rest. A recipe that fails takes only its own items along; the run then prunes nothing. Run again after an interruption
 * it moves only what is missing.
 *
 * @throws what concerns the run as a whole: the Retriever, pre-flight, the store; failed items are in the journal
 */
export async function runSync(
  settings: SyncSettings,
  collaborators: SyncCollaborators,
  run: SyncRun,
): Promise<SyncOutcome> {
  const { meter } = collaborators.report;
  const started = performance.now();
  let outcome: 'success' | 'partial' | 'failure' | 'interrupted' = 'failure';
  try {
    const result = await synchronize(settings, collaborators, run);
    outcome = result.recipes.failed > 0 ? 'partial' : 'success';
    if (outcome === 'success')
      meter.set('svc_sync_last_success_timestamp_seconds', (collaborators.now ?? Date.now)() / 1000);
    return result;
  } catch (error) {
    if (collaborators.signal?.aborted) outcome = 'interrupted';
    else if (isSvcError(error)) countErrors([error], collaborators.report);
    throw error;
  } finally {
    meter.add('svc_sync_runs_total', 1, { outcome });
    meter.add('svc_sync_duration_seconds', (performance.now() - started) / 1000);
  }
}

async function synchronize(
  settings: SyncSettings,
  collaborators: SyncCollaborators,
  { runId, journal, store }: SyncRun,
): Promise<SyncOutcome> {
  const { signal, registry } = collaborators;
  const report = collaborators.report.child({ runId });
  const { meter } = report;
  if (store.standing === 'foreign') {
    report.log('warn', 'The store was made elsewhere: this synchronization adopts it', {
      mediaId: store.mediaId,
    });
    await store.adopt();
    report.audit({ actor: 'system', action: 'store.adopt', target: store.mediaId, outcome: 'success' });
  }

  const prepared = await prepareSync(settings, { ...collaborators, report }, store);
  const { content, resolvedAt, retriever } = prepared;
  if (
    settings.zone !== undefined &&
    settings.mode === 'passthrough' &&
    settings.zone !== retriever.metadata.name
  )
    report.log('warn', 'The Retriever is not the one of this zone', {
      zone: settings.zone,
      retriever: retriever.metadata.name,
    });
  passPreflight(prepared.volumes, settings.preflightDisabled, report);
  const sync: SyncRecord = { zone: retriever.metadata.name, runId, resolvedAt };

  const works = nameWorks(content.recipes);
  const isSettled = isSettledIn(store);
  const items = toItems(works, isSettled, journal.task.items);
  let resolutions = toResolutions(content.recipes);
  journal.setItems(items.map((item) => (item.status === 'pending' ? item : { ...item, status: 'pending' })));
  // what a plan says can be planned again: the disk is not waited for
  const planned = items.filter(({ status }) => status !== 'pending');
  await journal.settleItems(planned, { durable: false });
  journal.setResolutions(resolutions);
  journal.setTotalBytes(content.transferBytes + estimatePush(prepared));
  journal.line(
    `resolved ${works.length} recipes: ${prepared.plan.totals.new} new, ${prepared.plan.totals.outdated} outdated, ${prepared.plan.totals.upToDate} up to date; ${content.transferBytes} bytes to bring`,
  );
  for (const status of ['new', 'outdated', 'up-to-date'] as const) {
    const count = prepared.plan.totals[status === 'up-to-date' ? 'upToDate' : status];
    if (count > 0) meter.add('svc_ingredients_total', count, { status });
  }

  // ── ingredients and recipes ──
  const lanes = new Semaphore(Math.max(1, settings.parallelism) * blobsAtOnce);
  const transfer = createRecipeTransfer({
    ...collaborators,
    report,
    store,
    held: prepared.held,
    parallelism: settings.parallelism,
    lanes,
    arriving: new Once(),
    // what goes on to a destination is read again at once
    direct: settings.destination === undefined,
    journal,
    runId,
  });
  await transfer.keepReplaced(content.recipes);
  const isComplete = new Map<NamedWork, boolean>();
  const failures: SvcError[] = [];
  await settleAll(
    works.map(async (named) => {
      const item = items.find(({ name }) => name === named.name)!;
      if (item.status !== 'pending') {
        isComplete.set(named, item.status === 'done');
        return;
      }
      const error = await transfer.bring(named);
      if (error) failures.push(error);
      isComplete.set(named, error === undefined);
    }),
  );
  signal?.throwIfAborted();
  for (const { work } of works) {
    const { recipe, ingredients } = work.resolution;
    if (recipe.outcome === 'failed') failures.push(recipe.error);
    for (const { error } of ingredients) if (error) failures.push(error);
    if (recipe.outcome === 'failed')
      journal.line(`${recipe.entry.name}@${recipe.version ?? recipe.entry.version}: ${recipe.error.code}`);
  }
  const complete = works.filter((named) => isComplete.get(named));
  const records = complete.flatMap(({ work }) => toRecipeRecord(work, sync) ?? []);
  const reached = complete.flatMap(({ work }) => listOwnedTags(work, store.index));
  const held = reached.filter(({ repository, tag }) => store.index.tag(repository, tag)?.held);
  if (held.length > 0) await store.releaseHeld(held.map(({ repository, tag }) => ({ repository, tag })));

  // ── promotion ──
  let promotedBytes = 0;
  let unpromoted = 0;
  if (settings.destination) {
    const promotion = openPromotion({
      registry,
      destination: settings.destination,
      policy: collaborators.policy,
      report,
      ...(signal ? { signal } : {}),
      parallelism: settings.parallelism,
      lanes,
      source: (repository) => store.repository(repository, { owner: { provenance: 'recipe' } }),
      upstream: (nominal) => registry.repository(nominal),
      onBytes: (count) => journal.addBytes(count),
    });
    const landings = new Map<string, PromotedRecipe>();
    await settleAll(
      complete.map(async ({ work, name }) => {
        const record = toRecipeRecord(work, sync);
        if (!record) return;
        const landing = await promotion.promote(record);
        landings.set(`${record.cookbook}/${record.name}@${record.version}`, landing);
        for (const { status, pushedBytes } of [landing.recipe, ...landing.ingredients]) {
          promotedBytes += pushedBytes;
          meter.add('svc_promotion_pushes_total', 1, { result: status });
          if (pushedBytes > 0) meter.add('svc_promotion_pushed_bytes_total', pushedBytes);
        }
        if (!landing.error) return;
        unpromoted += 1;
        const errors = [landing.error, ...landing.ingredients.map(({ error }) => error)];
        await takeOutAltered(store, record, errors, report);
        failures.push(landing.error);
        for (const { ingredient, error } of landing.ingredients)
          if (error)
            await journal.updateItem(`${name}/${ingredient}`, {
              status: 'failed',
              error: toErrorRecord(error),
            });
        await journal.updateItem(name, { status: 'failed', error: toErrorRecord(landing.error) });
      }),
    );
    resolutions = withDestinations(resolutions, content.recipes, landings);
    journal.setResolutions(resolutions);
  }
  signal?.throwIfAborted();
  countErrors(failures, report);

  // ── ledger, prune, rest ──
  const failed = works.length - complete.length + unpromoted;
  const mayPrune = settings.prune && failed === 0;
  if (settings.prune && !mayPrune) {
    report.log('warn', 'Nothing is pruned: a recipe failed', { failed });
    journal.line('nothing is pruned: a recipe failed');
  }
  const live: readonly RecipeRecord[] = selectRecords(records, store.index.recipes(), store.index, mayPrune);
  await store.recordSync(sync, live);
  const prune = mayPrune
    ? await planPrune(store.index, toOwnership(content.recipes, store.index))
    : { items: [], releases: [], totalBytes: 0 };
  const pruned = await runPrune(store, prune, report);
  for (const { repository, tag, digest, recipe } of pruned)
    journal.line(`pruned ${repository}:${tag} ${digest} of ${recipe}`);
  if (pruned.length > 0)
    journal.setPruned(
      pruned.map(({ repository, tag, digest, recipe }) => ({ repository, tag, digest, recipe })),
    );
  if (failed === 0 && (transfer.changed || prune.releases.length > 0)) {
    const { blobs, bytes } = await store.collect();
    if (blobs > 0) report.log('info', 'Content that nothing reaches was collected', { blobs, bytes });
  }
  // a download of a recipe that failed goes on next time
  const unfinished = failed === 0 ? [] : content.missing.map(({ digest }) => digest);
  await collaborators.spool?.removeAbandoned(new Set(unfinished));
  await store.rest();
  if (failed === 0) journal.setTotalBytes(journal.task.progress.bytesDone);
  report.log(failed === 0 ? 'info' : 'warn', 'Synchronization ended', {
    recipes: works.length,
    failed,
    movedBytes: transfer.movedBytes,
    promotedBytes,
    pruned: pruned.length,
  });
  return {
    recipes: { complete: works.length - failed, failed },
    movedBytes: transfer.movedBytes,
    promotedBytes,
    pruned: pruned.length,
  };
}

/** Bytes that promotion will at most push, as far as the destination's tags tell. */
function estimatePush({ destinations, content }: PreparedSync): number {
  const bytes = new Map<string, number>();
  const add = (work: PlannedWork) => {
    const { graph, repository } = work.ingredient;
    for (const { digest, size } of graph ? [...graph.manifests, ...graph.blobs] : [])
      bytes.set(`${repository} ${digest}`, size);
  };
  for (const { ingredients } of content.recipes)
    for (const work of ingredients) if ((destinations.get(work) ?? 'up-to-date') !== 'up-to-date') add(work);
  let sum = 0;
  for (const size of bytes.values()) sum += size;
  return sum;
}

function withDestinations(
  resolutions: readonly TaskResolution[],
  works: PreparedSync['content']['recipes'],
  landings: ReadonlyMap<string, PromotedRecipe>,
): readonly TaskResolution[] {
  const byKey = new Map<string, PromotedRecipe>();
  for (const {
    resolution: { recipe },
  } of works) {
    if (recipe.outcome === 'failed') continue;
    const landing = landings.get(`${recipe.cookbook}/${recipe.key}`);
    if (landing) byKey.set(recipe.key, landing);
  }
  return resolutions.map((resolution): TaskResolution => {
    const landing = byKey.get(resolution.recipe);
    const artifact =
      resolution.ingredient === undefined
        ? landing?.recipe
        : landing?.ingredients.find(({ ingredient }) => ingredient === resolution.ingredient);
    if (!artifact) return { ...resolution, destinationStatus: 'skipped' };
    return {
      ...resolution,
      destination: artifact.reference,
      destinationStatus: artifact.status,
      pushedBytes: artifact.pushedBytes,
    };
  });
}
