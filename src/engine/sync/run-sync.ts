import { systemClock } from '../../base/clock.ts';
import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import { actors, type Report } from '../../base/report.ts';
import { settleAll } from '../../base/settle-all.ts';
import { SharedWork } from '../../base/shared-work.ts';
import type { RecipeRecord, SyncRecord } from '../../catalog/model.ts';
import type { TaskResolution } from '../../contract/task.ts';
import { noCustody } from '../../custody/custody.ts';
import type { CustodySubject, OpenIntent } from '../../custody/model.ts';
import { adoptStore } from '../../store/adoption/adopt-store.ts';
import { collectGarbage } from '../../store/collect.ts';
import { toTagKey } from '../../store/judge-put.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { releaseHeld } from '../../store/put-tags.ts';
import { recordSync } from '../../store/record-sync.ts';
import { writeRest } from '../../store/rest/write-rest.ts';
import type { TaskJournal } from '../../task/model.ts';
import { whyNoPrune } from '../../task/prune-order.ts';
import { isSvcError, type SvcError, svcError, toErrorRecord, toSvcError } from '../../text/error.ts';
import type { PromotedRecipe } from '../promotion/model.ts';
import { openPromotion } from '../promotion/promote.ts';
import { countErrors } from './count-errors.ts';
import { setLastOutcome, setRecipes, toSyncResult } from './gauge-sync.ts';
import { findLoss, isSettledIn } from './held-tags.ts';
import { listOwnedTags } from './ownership.ts';
import { listLowered } from './plan-sync.ts';
import { passPreflight } from './preflight/pass-preflight.ts';
import { type PreparedSync, prepareSync, type SyncCollaborators, type SyncSettings } from './prepare-sync.ts';
import { projectTags } from './project-tags.ts';
import { fingerprintPrune, noPrune, type PrunePlan, planRunPrune, runPrune, toKeptRecipes } from './prune.ts';
import { selectRecords, toRecipeRecord } from './recipe-records.ts';
import { toContentKey } from './resolve-retriever.ts';
import { type NamedWork, nameWorks, toItems, toResolutions } from './sync-items.ts';
import { takeOut } from './take-out.ts';
import { createRecipeTransfer } from './transfer-recipe.ts';

interface SyncRun {
  readonly runId: string;
  /** Identity in audit records. */
  readonly actor: string;
  readonly journal: TaskJournal;
  readonly store: Store;
  /** A plan just made for this store and these settings; absent: the run makes one. */
  readonly prepared?: PreparedSync | undefined;
  /** Of the preview of the prune that was confirmed: anything else is not pruned. */
  readonly pruneFingerprint?: string | undefined;
}

export interface SyncOutcome {
  readonly recipes: { readonly complete: number; readonly failed: number };
  readonly movedBytes: number;
  readonly promotedBytes: number;
  readonly pruned: number;
  /** Bytes that the prune freed. */
  readonly prunedBytes: number;
}

// average number of blobs of one ingredient that move at the same time
const blobsAtOnce = 4;

/**
 * Runs one sync: Retriever, plan, pre-flight, ingredients, recipes with their signatures, promotion, prune, ledger. A
 * failed recipe fails only its own items; the run then prunes nothing. A run after an interruption transfers only
 * missing content.
 *
 * @throws errors that concern the run as a whole: the Retriever, pre-flight, the store. Failed items are in
 *   the journal
 */
export async function runSync(
  settings: SyncSettings,
  collaborators: SyncCollaborators,
  run: SyncRun,
): Promise<SyncOutcome> {
  const { meter } = collaborators.report;
  const started = performance.now();
  const { custody = noCustody, signal } = collaborators;
  const { actor, runId } = run;
  let intent: OpenIntent | undefined;
  const begin = async (zone: string, subjects: readonly CustodySubject[]): Promise<void> => {
    intent = await custody.begin({ type: 'fetched', actor, subjects, details: { run: runId, zone } });
  };
  let outcome: 'success' | 'partial' | 'failure' | 'interrupted' = 'failure';
  try {
    const { fetched, ...result } = await synchronize(settings, collaborators, run, begin);
    outcome = toSyncResult(result.recipes.complete, result.recipes.failed);
    await intent?.end({
      subjects: fetched,
      details: { ...result.recipes, bytes: result.movedBytes, promotedBytes: result.promotedBytes },
      result: result.recipes.failed === 0 ? 'success' : 'failure',
    });
    if (outcome === 'success')
      meter.set('svc_sync_last_success_timestamp_seconds', (collaborators.now ?? systemClock.wall)() / 1000);
    return result;
  } catch (error) {
    await intent?.fail(error, signal);
    if (signal?.aborted) outcome = 'interrupted';
    else if (isSvcError(error)) countErrors([error], collaborators.report);
    throw error;
  } finally {
    meter.add('svc_sync_runs_total', 1, { outcome });
    if (outcome !== 'interrupted') setLastOutcome(meter, outcome);
    meter.add('svc_sync_duration_seconds', (performance.now() - started) / 1000);
  }
}

/** @param begin says that the run is about to bring recipes into the store or the destination */
async function synchronize(
  settings: SyncSettings,
  collaborators: SyncCollaborators,
  { runId, actor, journal, store, prepared: given, pruneFingerprint }: SyncRun,
  begin: (zone: string, recipes: readonly CustodySubject[]) => Promise<void>,
): Promise<SyncOutcome & { readonly fetched: readonly CustodySubject[] }> {
  const { signal, registry } = collaborators;
  const report = collaborators.report.child({ runId });
  const { meter } = report;
  if (store.standing === 'foreign') {
    report.log('warn', 'The store was made by another instance: this synchronization adopts it', {
      mediaId: store.mediaId,
    });
    await collaborators.custody?.open();
    await adoptStore(store);
    report.audit({ actor, action: 'store.adopt', target: store.mediaId, outcome: 'success' });
  }

  const prepared = given ?? (await prepareSync(settings, { ...collaborators, report }, store));
  if (given)
    report.log('info', 'Using the plan shown when the synchronization was triggered', {
      resolvedAt: given.resolvedAt,
    });
  const { content, resolvedAt, retriever } = prepared;
  if (
    settings.zone !== undefined &&
    settings.mode === 'passthrough' &&
    settings.zone !== retriever.metadata.name
  )
    report.log('warn', 'The Retriever is for another zone', {
      zone: settings.zone,
      retriever: retriever.metadata.name,
    });
  passPreflight(prepared.volumes, settings.preflightDisabled, report, actor);
  const sync: SyncRecord = { zone: retriever.metadata.name, runId, resolvedAt };

  const works = nameWorks(content.recipes);
  const isSettled = isSettledIn(store);
  const items = toItems(works, isSettled, journal.task.items);
  let resolutions = toResolutions(works);
  const isNew = new Set(items.flatMap(({ name, status }) => (status === 'pending' ? [name] : [])));
  const toFetched = (some: readonly NamedWork[]): readonly CustodySubject[] =>
    some.flatMap(({ work: { resolution }, name }) => {
      const { digest } = resolution.recipe;
      return isNew.has(name) && digest !== undefined ? [{ name, digest }] : [];
    });
  // a run that finds nothing to do leaves no line
  if (isNew.size > 0 || (prepared.plan.promotion?.bytes ?? 0) > 0)
    await begin(retriever.metadata.name, toFetched(works));
  journal.setItems(items.map((item) => (item.status === 'pending' ? item : { ...item, status: 'pending' })));
  // not synced to disk: a run after a crash plans these items again
  const planned = items.filter(({ status }) => status !== 'pending');
  await journal.settleItems(planned, { durable: false });
  journal.setResolutions(resolutions);
  journal.setTotalBytes(content.transferBytes + (prepared.plan.promotion?.bytes ?? 0));
  journal.line(
    `resolved ${works.length} recipes: ${prepared.plan.totals.new} new, ${prepared.plan.totals.outdated} outdated, ${prepared.plan.totals.upToDate} up to date; ${content.transferBytes} bytes to transfer`,
  );
  for (const status of ['new', 'outdated', 'up-to-date'] as const) {
    const count = prepared.plan.totals[status === 'up-to-date' ? 'upToDate' : status];
    if (count > 0) meter.add('svc_ingredients_total', count, { status });
  }

  // ── ingredients and recipes ──
  const limiter = new Semaphore(Math.max(1, settings.parallelism) * blobsAtOnce);
  const transfer = createRecipeTransfer({
    ...collaborators,
    report,
    actor,
    store,
    held: prepared.held,
    parallelism: settings.parallelism,
    limiter,
    arriving: new SharedWork(),
    // content for a destination is read again soon, so it stays in the page cache
    direct: settings.destination === undefined,
    journal,
    runId,
  });
  const projected = projectTags(
    content.recipes.flatMap((work) => listOwnedTags(work, store.index)),
    store.index,
  );
  for (const { repository, tag, digest } of projected.kept)
    report.log('info', 'A tag will be re-pointed; its current content is kept under another tag', {
      repository,
      tag,
      digest,
    });
  const isComplete = new Map<NamedWork, boolean>();
  const failures: SvcError[] = [];
  const bring = async (named: NamedWork, inOrder: boolean) => {
    const item = items.find(({ name }) => name === named.name)!;
    if (item.status !== 'pending') {
      isComplete.set(named, item.status === 'done');
      return;
    }
    const error = await transfer.bring(named, { inOrder });
    if (error) failures.push(error);
    isComplete.set(named, error === undefined);
  };
  // aliases get the names that a preview of this run says
  const ordered = works.filter(({ work }) =>
    listOwnedTags(work, store.index).some((one) => projected.inOrder.has(toTagKey(one))),
  );
  const others = works.filter((named) => !ordered.includes(named));
  await settleAll([
    ...others.map((named) => bring(named, false)),
    forEachBounded(ordered, 1, (named) => bring(named, true)),
  ]);
  signal?.throwIfAborted();
  for (const { work } of works) {
    const { recipe, ingredients } = work.resolution;
    if (recipe.outcome === 'failed') {
      failures.push(recipe.error);
      const { cookbook, entry, version = entry.version, error } = recipe;
      report.log('error', 'A recipe cannot be resolved', {
        recipe: `${cookbook}/${entry.name}:${version}`,
        error,
      });
      journal.line(`${entry.name}@${version}: ${error.code}`);
    }
    for (const { error } of ingredients) if (error) failures.push(error);
  }
  const brought = works.filter((named) => isComplete.get(named));
  const reached = brought.flatMap(({ work }) => listOwnedTags(work, store.index));
  const held = reached.filter(({ repository, tag }) => store.index.tag(repository, tag)?.held);
  if (held.length > 0)
    await releaseHeld(
      store,
      held.map(({ repository, tag }) => ({ repository, tag })),
    );
  for (const named of brought) {
    const loss = findLoss(named.work, store.index);
    if (loss === undefined) continue;
    isComplete.set(named, false);
    failures.push(loss);
    report.log('error', 'A recipe is not complete in the store', { recipe: named.name, error: loss });
    await journal.updateItem(named.name, { status: 'failed', error: toErrorRecord(loss) });
  }
  const complete = brought.filter((named) => isComplete.get(named));
  const records = complete.flatMap(({ work }) => toRecipeRecord(work, sync) ?? []);

  // ── promotion ──
  let promotedBytes = 0;
  let unpromoted = 0;
  if (settings.destination) {
    const promotion = openPromotion({
      registry,
      destination: settings.destination,
      policy: collaborators.policy,
      report,
      signal,
      parallelism: settings.parallelism,
      limiter,
      source: (repository) => openRepository(store, repository, { owner: { provenance: 'recipe' } }),
      upstream: (nominal) => registry.repository(nominal),
      onBytes: (count) => journal.addBytes(count),
    });
    const landings = new Map<string, PromotedRecipe>();
    await settleAll(
      complete.map(async ({ work, name }) => {
        const record = toRecipeRecord(work, sync);
        if (!record) return;
        const tags = work.ingredients.map(
          ({ ingredient, tag }) => [ingredient.ingredient.name, tag] as const,
        );
        const landing = await promotion.promote(record, new Map(tags));
        landings.set(name, landing);
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
    resolutions = withDestinations(resolutions, landings);
    journal.setResolutions(resolutions);
  }
  signal?.throwIfAborted();
  countErrors(failures, report);

  if (prepared.round) {
    const missed = works
      .filter((named) => !isComplete.get(named))
      .flatMap(({ ingredients }) => ingredients.filter(({ work }) => work.hasNewSignatures))
      .map(({ work }) => toContentKey(work.ingredient));
    const round = { ...prepared.round, left: [...prepared.round.left, ...missed] };
    // if the round is not recorded, the next run queries again
    await collaborators.rounds?.write(round).catch((error: unknown) => {
      report.log('warn', 'The time of the last signature query could not be recorded', {
        error: toSvcError(error),
      });
    });
  }

  // ── ledger, prune, rest ──
  const failed = works.length - complete.length + unpromoted;
  const unpruned = whyNoPrune(settings.prune, failed);
  const mayPrune = unpruned === undefined;
  if (unpruned === 'recipe-failed') {
    report.log('warn', 'Prune skipped: a recipe failed', { failed });
    journal.line('nothing is pruned: a recipe failed');
  }
  if (unpruned === 'unseen') {
    report.log('warn', 'Prune skipped: its list could not be shown before the run', {});
    journal.line('nothing is pruned: the list could not be shown before the run');
  }
  for (const { name, resolved, here } of listLowered(content.recipes)) {
    const kept = mayPrune && settings.prune !== 'asked' ? '; nothing of that recipe is pruned' : '';
    journal.line(`${name}@${resolved} is lower than the version that is here, ${here}${kept}`);
  }
  const isKept = toKeptRecipes(content.recipes, settings.prune);
  const live: readonly RecipeRecord[] = selectRecords(
    records,
    store.index.recipes(),
    store.index,
    (record) => mayPrune && !isKept(record),
  );
  setRecipes(meter, { complete: works.length - failed, failed });
  const outcome = toSyncResult(works.length - failed, failed);
  await recordSync(store, { ...sync, outcome }, live);
  const wanted = mayPrune ? await planRunPrune(store, content.recipes, settings.prune) : noPrune;
  const isAnother = mayPrune && !isConfirmed(wanted, pruneFingerprint);
  if (isAnother) {
    report.log('warn', 'Prune skipped: it would remove other tags than were confirmed', {
      tags: wanted.items.length,
    });
    journal.line('nothing is pruned: other tags would go than were confirmed');
  }
  const prune = isAnother ? noPrune : wanted;
  const custody = (prune.releases.length > 0 && collaborators.custody) || noCustody;
  const { items: pruned, bytes: prunedBytes } = await custody.during(
    { type: 'pruned', actor, subjects: prune.items.map(toPruned), details: { run: runId } },
    () => runPrune(store, prune, { report, actor }),
    ({ items: gone, bytes }) => ({ subjects: gone.map(toPruned), details: { bytes } }),
    signal,
  );
  const pacer = new Pacer();
  for (const { repository, tag, digest, recipe, restored } of pruned) {
    if (pacer.isDue()) await pacer.rest();
    const again = restored === undefined ? '' : `; it names ${restored} again`;
    journal.line(`pruned ${repository}:${tag} ${digest} of ${recipe}${again}`);
  }
  if (pruned.length > 0) {
    journal.line(`pruned ${pruned.length} tags: ${prunedBytes} bytes freed`);
    journal.setPruned(pruned.map(({ sizeBytes: _, ...item }) => item));
  }
  if (failed === 0 && (transfer.changed || prune.releases.length > 0)) {
    const { blobs, bytes } = await collectGarbage(store);
    if (blobs > 0) report.log('info', 'Unreachable content was collected', { blobs, bytes });
  }
  // the next run resumes the downloads of a failed recipe
  const unfinished = failed === 0 ? [] : content.missing.map(({ digest }) => digest);
  await collaborators.spool?.removeAbandoned(new Set(unfinished));
  await writeRest(store);
  if (failed === 0) journal.setTotalBytes(journal.task.progress.bytesDone);
  report.log(failed === 0 ? 'info' : 'warn', 'Synchronization ended', {
    recipes: works.length,
    failed,
    movedBytes: transfer.movedBytes,
    promotedBytes,
    pruned: pruned.length,
    prunedBytes,
  });
  if (isAnother) throw svcError('SVC-SRV-007', { subject: 'prune' });
  return {
    recipes: { complete: works.length - failed, failed },
    movedBytes: transfer.movedBytes,
    promotedBytes,
    pruned: pruned.length,
    prunedBytes,
    fetched: toFetched(complete),
  };
}

const toPruned = ({ repository, tag, digest }: PrunePlan['items'][number]): CustodySubject => ({
  name: `${repository}:${tag}`,
  digest,
});

/** Whether a prune removes exactly the confirmed tags, or none; without a confirmation the configuration decides. */
function isConfirmed({ items }: PrunePlan, fingerprint: string | undefined): boolean {
  return fingerprint === undefined || items.length === 0 || fingerprintPrune(items) === fingerprint;
}

function withDestinations(
  resolutions: readonly TaskResolution[],
  landings: ReadonlyMap<string, PromotedRecipe>,
): readonly TaskResolution[] {
  return resolutions.map((resolution): TaskResolution => {
    const landing = landings.get(resolution.recipe);
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

/** Codes of errors that can be caused by altered bytes on this disk. */
const suspicions: ReadonlySet<string> = new Set(['SVC-SIG-002', 'SVC-STO-001']);

/**
 * Checks all content that a recipe reaches after a promotion reported altered bytes, and quarantines damaged content.
 * The next run then transfers it again; otherwise every later promotion would fail.
 *
 * @param errors errors of the promotion
 */
async function takeOutAltered(
  store: Store,
  recipe: Pick<RecipeRecord, 'digest' | 'ingredients'>,
  errors: readonly (SvcError | undefined)[],
  report: Report,
): Promise<void> {
  if (!errors.some((error) => error !== undefined && suspicions.has(error.code))) return;
  const reached = new Set<Digest>();
  for (const { digest } of [recipe, ...recipe.ingredients])
    for (const one of store.index.reach(digest)) reached.add(one);
  try {
    const suspects = [...reached].map((digest) => ({ digest }));
    await takeOut(store, suspects, { report, actor: actors.system });
  } catch (error) {
    // the run has failed already, with the error of the promotion
    report.log('warn', 'Damaged content could not be quarantined', { error });
  }
}
