import { forEachBounded, Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import type { Report } from '../../base/report.ts';
import type { SharedWork } from '../../base/shared-work.ts';
import { selectChartLayer } from '../../chart/chart-artifact.ts';
import type { TaskBlob } from '../../contract/task.ts';
import type { CallOptions } from '../../oci/ports.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { putTags } from '../../store/put-tags.ts';
import type { TaskJournal } from '../../task/model.ts';
import { type SvcError, selectPrincipal, toErrorRecord } from '../../text/error.ts';
import { collectSignatures, type FoundSignatures } from '../../trust/discover.ts';
import { judgeSignatures } from '../../trust/judge.ts';
import { judgeFound } from '../../trust/judge-found.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { toScopePath } from '../../trust/scope.ts';
import { carryAllSignatures } from '../copy/carry-all-signatures.ts';
import { carrySignatures } from '../copy/carry-signatures.ts';
import { copyGraph } from '../copy/copy-graph.ts';
import { type HeldContent, holdSignatures } from '../copy/held-content.ts';
import { localFirstSigned, localSigned, toRelister } from '../copy/local-source.ts';
import { nearSource } from '../copy/near-source.ts';
import { releaseHeldTag } from '../copy/release-held-tag.ts';
import { reportIncomplete, reportUnread } from '../copy/report-incomplete.ts';
import { createRetagAudit } from '../copy/retag-audit.ts';
import { toTransferError } from '../copy/to-transfer-error.ts';
import { createTransfer } from '../copy/transfer-blob.ts';
import { warnOfNames } from '../copy/warn-of-names.ts';
import { checkChart } from './check-chart.ts';
import { createArrivalJudge } from './judge-arrival.ts';
import { listOwnedTags, toOwner } from './ownership.ts';
import type { PlannedWork } from './plan-sync.ts';
import { toSignatureError, type VerifiedRecipe } from './resolve-recipe.ts';
import { toContentKey } from './resolve-retriever.ts';
import type { NamedWork } from './sync-items.ts';

interface RecipeTransferOptions {
  readonly registry: RemoteRegistry;
  readonly policy: TrustPolicy;
  readonly report: Report;
  /** Identity in audit records. */
  readonly actor: string;
  readonly signal?: AbortSignal | undefined;
  readonly store: Store;
  readonly held: HeldContent;
  /** Number of ingredients transferred at the same time. */
  readonly parallelism: number;
  /** Limits the number of blobs that move at the same time. */
  readonly limiter: Semaphore;
  /** Transfers of blobs that are under way, by digest. */
  readonly arriving: SharedWork<string>;
  /** Whether large blobs bypass the page cache, since nothing reads them soon. */
  readonly direct: boolean;
  readonly journal: TaskJournal;
  readonly runId: string;
}

/** Transfers recipes into the store. */
interface RecipeTransfer {
  /** Whether content or tags of the store were changed. */
  readonly changed: boolean;
  readonly movedBytes: number;
  /**
   * Transfers the ingredients, then the signatures, then the recipe, and updates their items. Throws only
   * when the signal is aborted.
   *
   * @param order `inOrder`: whether the ingredients get their tags one after the other, as `projectTags` does
   * @returns why the recipe is not complete; undefined when it is
   */
  bring(named: NamedWork, order: { readonly inOrder: boolean }): Promise<SvcError | undefined>;
}

const updateEveryMs = 250;

/** Creates the transfer of recipes into the store, for one run. */
export function createRecipeTransfer(options: RecipeTransferOptions): RecipeTransfer {
  const { registry, policy, report, actor, signal, store, held, limiter, arriving, direct, journal } =
    options;
  const { meter } = report;
  const call: CallOptions = { signal };
  const ingredientLimiter = new Semaphore(Math.max(1, options.parallelism));
  const copies = new Once<string, void>();
  const judgeArrival = createArrivalJudge({ store, report, journal, signal });
  let changed = false;
  let movedBytes = 0;
  let inFlight = 0;

  const onBytes = (count: number) => {
    movedBytes += count;
    changed = true;
    meter.add('svc_sync_transferred_bytes_total', count);
  };

  /** Reports without waiting. A failure is ignored: progress is not needed to complete the transfer. */
  const reportProgress = (name: string, change: Parameters<TaskJournal['updateItem']>[1]) => {
    journal.updateItem(name, change).catch(() => {});
  };

  const reportIngredientSignatures = async (
    subject: Digest,
    found: FoundSignatures,
    { ingredient, nominal }: PlannedWork['ingredient'],
  ) => {
    if (found.evidence.length === 0) return;
    const verdict = await judgeSignatures(subject, found.evidence, policy, toScopePath(nominal));
    if (verdict.outcome === 'verified') return;
    report.log('warn', 'A signature of an ingredient does not verify; it is copied unchanged', {
      ingredient: ingredient.name,
      digest: subject,
      reason: verdict.outcome === 'refused' ? verdict.reason : verdict.outcome,
    });
  };

  const retagAudit = (recipe: VerifiedRecipe) => createRetagAudit(report, actor, { recipe: recipe.key });

  const reportBroken = (reference: string, signature: Digest, error: SvcError) =>
    reportIncomplete(report, { source: reference, digest: signature, error });

  const reportLeftOut = (target: string, count: number) =>
    report.log('warn', 'Signatures that do not verify are left out: not all signatures fit', {
      target,
      count,
    });

  /** Requires that the stored signatures suffice without the source. @throws SVC-SIG-001 */
  const requireVerified = async ({ repository, digest, nominal, reference }: VerifiedRecipe) => {
    const found = await collectSignatures(localSigned(store, repository), digest, call);
    const verdict = await judgeFound(digest, found, policy, toScopePath(nominal), { allowUnsigned: false });
    if (verdict.outcome === 'refused') throw toSignatureError(verdict, `${reference} in the store`);
  };

  const openRoute = (work: PlannedWork, recipe: VerifiedRecipe, onBlob: (blob: TaskBlob) => void) => {
    const { ingredient, nominal, repository } = work.ingredient;
    const remote = registry.repository(nominal);
    const source = nearSource(held, store, remote);
    const target = openRepository(store, repository, {
      owner: toOwner(recipe),
      kind: ingredient.kind,
      direct,
      onRePointed: retagAudit(recipe),
    });
    const moveBlob = createTransfer(store, remote, source, target, { arriving, onBlob, ...call });
    return { remote, source, target, moveBlob };
  };

  /** Stores the archive of a chart and checks it for this recipe, before exposure. @throws SVC-CHT-001 */
  const requireWholeChart = async (
    work: PlannedWork,
    recipe: VerifiedRecipe,
    count: (bytes: number) => void,
    onBlob: (blob: TaskBlob) => void,
  ): Promise<void> => {
    const { ingredient, reference, graph } = work.ingredient;
    const layer = selectChartLayer(graph!.root, graph!.manifest, reference);
    const { target, moveBlob } = openRoute(work, recipe, onBlob);
    if (!(await target.hasBlob(layer, call))) await limiter.run(() => moveBlob(layer, { onBytes: count }));
    const contents = await checkChart(store, layer.digest, ingredient, recipe.document);
    warnOfNames(contents, reference, { report, journal });
  };

  const copyIngredient = async (
    work: PlannedWork,
    recipe: VerifiedRecipe,
    count: (bytes: number) => void,
    onBlob: (blob: TaskBlob) => void,
  ): Promise<void> => {
    const { ingredient, reference, repository, graph } = work.ingredient;
    const { remote, source, target, moveBlob } = openRoute(work, recipe, onBlob);
    const { moved } = await copyGraph(source, target, graph!.root, {
      ...call,
      absentLayers: graph!.absentLayers,
      reference: `${reference}@${ingredient.digest}`,
      platforms: ingredient.platforms,
      tag: work.tag,
      limiter,
      onBytes: count,
      moveBlob,
      beforeRoot: async (carried) => {
        await releaseHeldTag(store, repository, work.tag, ingredient.digest);
        const onBroken = (signature: Digest, error: SvcError) => reportBroken(reference, signature, error);
        const trust = { policy, scopePath: toScopePath(work.ingredient.nominal) };
        const onLeftOut = (tag: string, count: number) => reportLeftOut(`${repository}:${tag}`, count);
        const carrying = { ...call, reference, trust, limiter, onBytes, onBroken, onLeftOut };
        // the registry lists the signatures; those in the store are not fetched again
        await carryAllSignatures(carried, localFirstSigned(store, remote), toRelister(remote), target, {
          ...carrying,
          held,
          onFound: (subject, found) => reportIngredientSignatures(subject, found, work.ingredient),
          onUnread: (digest, error) => reportUnread(report, { source: reference, digest, error }),
        });
      },
    });
    if (moved.count > 0) changed = true;
  };

  const bringIngredient = async (
    { work, name }: NamedWork['ingredients'][number],
    recipe: VerifiedRecipe,
  ): Promise<SvcError | undefined> => {
    if (work.status === 'up-to-date') return undefined;
    let carried = 0;
    const blobs = new Map<Digest, TaskBlob>();
    const progress = () => ({
      transferredBytes: carried,
      ...(blobs.size > 0 ? { blobs: [...blobs.values()] } : {}),
    });
    let reportedAt = performance.now();
    const count = (bytes: number) => {
      carried += bytes;
      onBytes(bytes);
      journal.addBytes(bytes);
      if (performance.now() - reportedAt < updateEveryMs) return;
      reportedAt = performance.now();
      reportProgress(name, progress());
    };
    const onBlob = (blob: TaskBlob) => blobs.set(blob.digest, blob);
    const run = (transfer: typeof copyIngredient) =>
      ingredientLimiter.run(async () => {
        signal?.throwIfAborted();
        reportProgress(name, { status: 'running' });
        inFlight += 1;
        meter.set('svc_sync_transfers_inflight', inFlight);
        try {
          await transfer(work, recipe, count, onBlob);
        } finally {
          inFlight -= 1;
          meter.set('svc_sync_transfers_inflight', inFlight);
        }
      });
    try {
      // the check is made for each recipe, the copy once for all
      if (work.ingredient.ingredient.kind === 'HelmChart') await run(requireWholeChart);
      await copies.run(`${toContentKey(work.ingredient)} ${work.tag}`, () => run(copyIngredient));
      const warning = await judgeArrival(work.ingredient, { item: name, recipe: recipe.key });
      await journal.updateItem(name, {
        status: 'done',
        ...progress(),
        ...(warning ? { warning: toErrorRecord(warning) } : {}),
      });
      journal.line(`${name}: transferred, ${carried} bytes`);
      for (const layer of work.ingredient.graph?.absentLayers ?? [])
        journal.line(
          `${name}: without layer ${layer}, which need not be distributed: it is not at the registry`,
        );
      report.log('info', 'Ingredient transferred', {
        recipe: recipe.key,
        ingredient: work.ingredient.ingredient.name,
        digest: work.ingredient.ingredient.digest,
        source: work.ingredient.reference,
        effective: work.ingredient.effective,
        bytes: carried,
      });
      return undefined;
    } catch (error) {
      signal?.throwIfAborted();
      const coded = toTransferError(error, work.ingredient.reference);
      journal.line(`${name}: ${coded.code}`);
      report.log('error', 'An ingredient could not be transferred', {
        recipe: recipe.key,
        ingredient: work.ingredient.ingredient.name,
        digest: work.ingredient.ingredient.digest,
        error: coded,
      });
      await journal.updateItem(name, {
        status: 'failed',
        ...progress(),
        error: toErrorRecord(coded),
      });
      return coded;
    }
  };

  /** Checks charts that were stored earlier or with another recipe for this recipe too. */
  const requireWholeCharts = async (recipe: VerifiedRecipe, { ingredients }: NamedWork): Promise<void> => {
    for (const { work } of ingredients)
      if (work.status === 'up-to-date' && work.ingredient.ingredient.kind === 'HelmChart')
        await requireWholeChart(
          work,
          recipe,
          () => {},
          () => {},
        );
  };

  /** Signatures to carry. Those too large to be kept are collected, and verified, again. */
  const findSignatures = async (recipe: VerifiedRecipe): Promise<FoundSignatures> => {
    if (recipe.signatures) return recipe.signatures;
    const found = await collectSignatures(registry.repository(recipe.nominal), recipe.digest, call);
    holdSignatures(held, found);
    if (recipe.judgedAt === 'store') return found;
    const verdict = await judgeFound(recipe.digest, found, policy, toScopePath(recipe.nominal));
    if (verdict.outcome === 'refused') throw toSignatureError(verdict, recipe.reference);
    return found;
  };

  const bringRecipe = async (recipe: VerifiedRecipe, named: NamedWork, count: (bytes: number) => void) => {
    const { reference, nominal, repository, digest, version, verdict, judgedAt } = recipe;
    const source = nearSource(held, store, registry.repository(nominal));
    const onRePointed = retagAudit(recipe);
    const target = openRepository(store, repository, { owner: toOwner(recipe), kind: 'Recipe', onRePointed });
    // shared content gets this recipe as owner before the recipe is exposed
    const owned = listOwnedTags(named.work, store.index).filter(
      ({ repository: at, tag }) => at !== repository || tag !== version,
    );
    await putTags(store, owned, onRePointed);
    const { moved } = await copyGraph(source, target, recipe.descriptor, {
      ...call,
      reference,
      tag: version,
      limiter,
      onBytes: count,
      beforeRoot: async () => {
        await releaseHeldTag(store, repository, version, digest);
        if (recipe.signaturesFrom === 'store' && store.index.areSignaturesWhole(repository, digest)) return;
        const found = await findSignatures(recipe);
        const onBroken = (signature: Digest, error: SvcError, isReduced: boolean) => {
          // the recipe was accepted because of this signature; of a reduced artifact the stored part is verified below
          const isAccepted = verdict.outcome === 'verified' && signature === verdict.signature;
          if (judgedAt === 'source' && isAccepted && !isReduced) throw error;
          reportBroken(reference, signature, error);
        };
        const trust = { policy, scopePath: toScopePath(nominal) };
        const onLeftOut = (tag: string, count: number) => reportLeftOut(`${repository}:${tag}`, count);
        const carrying = { ...call, reference, trust, limiter, onBytes, onBroken, onLeftOut };
        const { moved: signed } = await carrySignatures(found, source, target, digest, carrying);
        if (signed.count > 0) changed = true;
        if (verdict.outcome === 'verified') await requireVerified(recipe);
      },
    });
    // adds the owner to new signatures, and to a tag that other owners had already
    await putTags(store, listOwnedTags(named.work, store.index), onRePointed);
    if (moved.count > 0) changed = true;
  };

  return {
    get changed() {
      return changed;
    },
    get movedBytes() {
      return movedBytes;
    },

    async bring(named, { inOrder }) {
      const { recipe } = named.work.resolution;
      if (recipe.outcome === 'failed') return recipe.error;
      const log = report.child({ recipe: recipe.key });
      const results: (SvcError | undefined)[] = [];
      const atOnce = inOrder ? 1 : named.ingredients.length;
      await forEachBounded(named.ingredients, atOnce, async (one, i) => {
        results[i] = await bringIngredient(one, recipe);
      });
      const broken = selectPrincipal(results.filter((error) => error !== undefined));
      if (broken) {
        await journal.updateItem(named.name, { status: 'failed', error: toErrorRecord(broken) });
        return broken;
      }
      let carried = 0;
      try {
        signal?.throwIfAborted();
        reportProgress(named.name, { status: 'running' });
        await requireWholeCharts(recipe, named);
        await bringRecipe(recipe, named, (bytes) => {
          carried += bytes;
          onBytes(bytes);
          journal.addBytes(bytes);
        });
        await journal.updateItem(named.name, { status: 'done', transferredBytes: carried });
        journal.line(`${named.name}: complete`);
        log.log('info', 'Recipe complete', { source: recipe.reference, digest: recipe.digest });
        return undefined;
      } catch (error) {
        signal?.throwIfAborted();
        const coded = toTransferError(error, recipe.reference);
        journal.line(`${named.name}: ${coded.code}`);
        log.log('error', 'A recipe could not be transferred', { digest: recipe.digest, error: coded });
        await journal.updateItem(named.name, { status: 'failed', error: toErrorRecord(coded) });
        return coded;
      }
    },
  };
}
