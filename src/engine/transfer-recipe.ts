import { Semaphore } from '../base/concurrency.ts';
import type { Digest } from '../base/digest.ts';
import { type SvcError, toErrorRecord } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Manifest } from '../oci/manifest.ts';
import type { CallOptions, ManifestContent } from '../oci/ports.ts';
import type { RemoteRegistry } from '../remote/model.ts';
import type { Store } from '../store/model.ts';
import type { TaskBlob, TaskJournal } from '../task/model.ts';
import { collectSignatures, type FoundSignatures } from '../trust/discover.ts';
import { judgeSignatures } from '../trust/judge.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { toScopePath } from '../trust/scope.ts';
import { carrySignatures } from './carry-signatures.ts';
import { checkChart } from './check-chart.ts';
import { copyGraph } from './copy-graph.ts';
import { type HeldContent, withHeld } from './held-content.ts';
import { localFirst } from './local-source.ts';
import { Once } from './once.ts';
import { listOwnedTags, toOwner } from './ownership.ts';
import type { PlannedRecipeWork, PlannedWork } from './plan-sync.ts';
import { readManifest } from './read-manifest.ts';
import { holdSignatures, toSignatureError, type VerifiedRecipe } from './resolve-recipe.ts';
import { toWorkKey } from './resolve-retriever.ts';
import { toAliasTag } from './select-tags.ts';
import { settleAll } from './settle-all.ts';
import type { NamedWork } from './sync-items.ts';
import { toTransferError } from './to-transfer-error.ts';
import { createTransfer } from './transfer-blob.ts';

export interface RecipeTransferOptions {
  readonly registry: RemoteRegistry;
  readonly policy: TrustPolicy;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
  readonly store: Store;
  readonly held: HeldContent;
  /** Ingredients that come at once. */
  readonly parallelism: number;
  /** Bounds the blobs under way. */
  readonly lanes: Semaphore;
  readonly arriving: Once<string, void>;
  /** Large blobs go past the page cache: nothing reads them soon. */
  readonly direct: boolean;
  readonly journal: TaskJournal;
  readonly runId: string;
}

/** Brings recipes into the store. */
export interface RecipeTransfer {
  /** Whether content or tags of the store were changed. */
  readonly changed: boolean;
  readonly movedBytes: number;
  /** Keeps what recipes of earlier runs have under tags that are about to be pointed elsewhere. */
  keepReplaced(works: readonly PlannedRecipeWork[]): Promise<void>;
  /**
   * Brings the ingredients, then the signatures, then the recipe, and settles their items. Never throws but for an
   * aborted signal.
   *
   * @returns why the recipe is not complete
   */
  bring(named: NamedWork): Promise<SvcError | undefined>;
}

const updateEveryMs = 250;

export function createRecipeTransfer(options: RecipeTransferOptions): RecipeTransfer {
  const { registry, policy, report, signal, store, held, lanes, arriving, direct, journal } = options;
  const { meter } = report;
  const call: CallOptions = signal ? { signal } : {};
  const ingredientLanes = new Semaphore(Math.max(1, options.parallelism));
  const copies = new Once<string, void>();
  const checkedCharts = new Set<string>();
  let changed = false;
  let movedBytes = 0;
  let inFlight = 0;

  const onBytes = (count: number) => {
    movedBytes += count;
    changed = true;
    meter.add('svc_sync_transferred_bytes_total', count);
  };

  /** What is shown on the way need not be kept, and must not end the work. */
  const tell = (name: string, change: Parameters<TaskJournal['updateItem']>[1]) => {
    journal.updateItem(name, change).catch(() => {});
  };

  const releaseHeld = async (repository: string, tag: string, digest: Digest) => {
    const known = store.index.tag(repository, tag);
    if (known?.held && known.digest === digest) await store.releaseHeld([{ repository, tag }]);
  };

  const reportIngredientSignatures = (
    found: FoundSignatures,
    { ingredient, nominal }: PlannedWork['ingredient'],
  ) => {
    if (found.evidence.length === 0) return;
    const verdict = judgeSignatures(ingredient.digest, found.evidence, policy, toScopePath(nominal));
    if (verdict.outcome === 'verified') return;
    report.log('warn', 'A signature of an ingredient does not verify; it is carried as it is', {
      ingredient: ingredient.name,
      digest: ingredient.digest,
      reason: verdict.outcome === 'refused' ? verdict.reason : verdict.outcome,
    });
  };

  const copyIngredient = async (
    work: PlannedWork,
    recipe: VerifiedRecipe,
    count: (bytes: number) => void,
    onBlob: (blob: TaskBlob) => void,
  ): Promise<void> => {
    const { ingredient, nominal, reference, repository, graph } = work.ingredient;
    const remote = registry.repository(nominal);
    const source = withHeld(localFirst(store, remote), held);
    const target = store.repository(repository, { owner: toOwner(recipe), kind: ingredient.kind, direct });
    const check = async (content: ManifestContent, manifest: Manifest) => {
      await checkChart(store, content, manifest, ingredient, recipe.document);
      checkedCharts.add(`${recipe.reference} ${ingredient.name}`);
    };
    const { moved } = await copyGraph(source, target, graph!.root, {
      ...call,
      reference: `${reference}@${ingredient.digest}`,
      platforms: ingredient.platforms,
      tag: work.tag,
      lanes,
      onBytes: count,
      moveBlob: createTransfer(store, remote, source, target, { arriving, onBlob, ...call }),
      ...(ingredient.kind === 'HelmChart' ? { check } : {}),
      beforeRoot: async () => {
        await releaseHeld(repository, work.tag, ingredient.digest);
        const found = await collectSignatures(remote, ingredient.digest, call);
        reportIngredientSignatures(found, work.ingredient);
        await carrySignatures(found, remote, target, ingredient.digest, {
          ...call,
          reference,
          lanes,
          onBytes,
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
    let told = performance.now();
    const count = (bytes: number) => {
      carried += bytes;
      onBytes(bytes);
      journal.addBytes(bytes);
      if (performance.now() - told < updateEveryMs) return;
      told = performance.now();
      tell(name, progress());
    };
    try {
      await copies.run(`${toWorkKey(work.ingredient)} ${work.tag}`, () =>
        ingredientLanes.run(async () => {
          signal?.throwIfAborted();
          tell(name, { status: 'running' });
          inFlight += 1;
          meter.set('svc_sync_transfers_inflight', inFlight);
          try {
            await copyIngredient(work, recipe, count, (blob) => blobs.set(blob.digest, blob));
          } finally {
            inFlight -= 1;
            meter.set('svc_sync_transfers_inflight', inFlight);
          }
        }),
      );
      await journal.updateItem(name, { status: 'done', ...progress() });
      journal.line(`${name}: brought, ${carried} bytes`);
      report.log('info', 'Ingredient brought', {
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
      report.log('error', 'An ingredient could not be brought', {
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

  /** A chart that came with another recipe, or earlier, must be whole with this one too. */
  const checkCharts = async (recipe: VerifiedRecipe, { ingredients }: NamedWork): Promise<void> => {
    for (const { work } of ingredients) {
      const { ingredient, reference } = work.ingredient;
      if (ingredient.kind !== 'HelmChart' || checkedCharts.has(`${recipe.reference} ${ingredient.name}`))
        continue;
      const { content, manifest } = await readManifest(
        { fetchManifest: () => store.readManifest(ingredient.digest) },
        { mediaType: '', digest: ingredient.digest, size: 0 },
        reference,
      );
      await checkChart(store, content, manifest, ingredient, recipe.document);
    }
  };

  /** The accepted signatures; judged again when they were too large to be kept. */
  const findSignatures = async (recipe: VerifiedRecipe): Promise<FoundSignatures> => {
    if (recipe.signatures) return recipe.signatures;
    const found = await collectSignatures(registry.repository(recipe.nominal), recipe.digest, call);
    const verdict = judgeSignatures(
      recipe.digest,
      found.evidence,
      policy,
      toScopePath(recipe.entry.cookbook),
    );
    if (verdict.outcome === 'refused') throw toSignatureError(verdict, recipe.reference);
    holdSignatures(held, found);
    return found;
  };

  const bringRecipe = async (recipe: VerifiedRecipe, named: NamedWork, count: (bytes: number) => void) => {
    const { reference, nominal, repository, digest, version } = recipe;
    const source = withHeld(localFirst(store, registry.repository(nominal)), held);
    const target = store.repository(repository, { owner: toOwner(recipe), kind: 'Recipe' });
    // what this recipe shares with others is its own as well before it is exposed
    const owned = listOwnedTags(named.work, store.index).filter(
      ({ repository: at, tag }) => at !== repository || tag !== version,
    );
    await store.putTags(owned);
    const { moved } = await copyGraph(source, target, recipe.descriptor, {
      ...call,
      reference,
      tag: version,
      lanes,
      onBytes: count,
      beforeRoot: async () => {
        await releaseHeld(repository, version, digest);
        if (recipe.signaturesFrom === 'store' && store.index.areSignaturesWhole(repository, digest)) return;
        const found = await findSignatures(recipe);
        await carrySignatures(found, source, target, digest, { ...call, reference, lanes, onBytes });
      },
    });
    // signatures that have just come, and a tag that was there under other owners
    await store.putTags(listOwnedTags(named.work, store.index));
    if (moved.count > 0) changed = true;
  };

  return {
    get changed() {
      return changed;
    },
    get movedBytes() {
      return movedBytes;
    },

    async keepReplaced(works) {
      const kept = works.flatMap(({ ingredients }) =>
        ingredients.flatMap(({ ingredient: { repository, ingredient }, tag }) => {
          const known = store.index.tag(repository, tag);
          if (!known || known.held || known.digest === ingredient.digest) return [];
          return known.owners
            .filter(({ provenance }) => provenance === 'recipe')
            .map((owner) => ({
              repository,
              tag: toAliasTag(tag, known.digest),
              digest: known.digest,
              kind: known.kind,
              owner,
            }));
        }),
      );
      if (kept.length === 0) return;
      for (const { repository, tag, digest } of kept)
        report.log('info', 'A tag is about to be re-pointed; what it named is kept under another', {
          repository,
          tag,
          digest,
        });
      await store.putTags(kept);
    },

    async bring(named) {
      const { recipe } = named.work.resolution;
      if (recipe.outcome === 'failed') return recipe.error;
      const log = report.child({ recipe: recipe.key });
      const results = await settleAll(named.ingredients.map((one) => bringIngredient(one, recipe)));
      const broken = results.find((error) => error !== undefined);
      if (broken) {
        await journal.updateItem(named.name, { status: 'failed', error: toErrorRecord(broken) });
        return broken;
      }
      let carried = 0;
      try {
        signal?.throwIfAborted();
        tell(named.name, { status: 'running' });
        await checkCharts(recipe, named);
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
        log.log('error', 'A recipe could not be brought', { digest: recipe.digest, error: coded });
        await journal.updateItem(named.name, { status: 'failed', error: toErrorRecord(coded) });
        return coded;
      }
    },
  };
}
