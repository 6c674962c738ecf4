import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { type SvcError, svcError, toSvcError } from '../../base/error.ts';
import type { Report } from '../../base/report.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, ManifestFetcher } from '../../oci/ports.ts';
import { canonicalHost, formatReference, type RepositoryReference } from '../../oci/reference.ts';
import type { Retriever } from '../../recipe/model.ts';
import {
  destinationRecipeRepository,
  destinationRepository,
  recipeRepository,
} from '../../recipe/relocation.ts';
import type { Credentials, RemoteRegistry, Spool, Transport } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { occupancyOf } from '../../store/occupancy.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { selectIdleScopes, toScopePath } from '../../trust/scope.ts';
import { HeldContent } from '../copy/held-content.ts';
import { findLateSignatures } from './find-late-signatures.ts';
import { measureVolumes } from './measure-volumes.ts';
import type { ContentStatus, Plan } from './model.ts';
import { type ContentPlan, type PlannedWork, planContent, planSync } from './plan-sync.ts';
import { type JudgedVolume, judgeVolume, toVolumeCheck } from './preflight.ts';
import { readPresence } from './presence.ts';
import { noPrune, type PrunePlan, planRunPrune } from './prune.ts';
import { type RetrieverSource, readRetriever, toShownSource } from './read-retriever.ts';
import type { VerifiedRecipe } from './resolve-recipe.ts';
import { type Resolution, resolveIngredients, resolveRecipes } from './resolve-retriever.ts';
import { isRoundDue, type SignatureRound, type SignatureRounds } from './signature-rounds.ts';

export interface Destination {
  readonly registry: string;
  readonly basePath?: string | undefined;
  readonly cookbook: string;
}

/** What a synchronization is told. */
export interface SyncSettings {
  /** Absent where a plan is made without a configured mode. */
  readonly mode?: 'passthrough' | 'mirror' | undefined;
  readonly source: RetrieverSource;
  readonly zone?: string | undefined;
  readonly basePrefix?: string | undefined;
  readonly destination?: Destination | undefined;
  /** Concurrent ingredient transfers. */
  readonly parallelism: number;
  readonly retries: number;
  /** Bytes from which a blob is downloaded resumably; 0: never. */
  readonly resumeThreshold: number;
  readonly marginPercent: number;
  /** Refusals of the pre-flight are reported only. */
  readonly preflightDisabled: boolean;
  readonly prune: boolean;
  readonly storeRoot: string;
  readonly stateRoot?: string | undefined;
}

/** Whom a synchronization works with. */
export interface SyncCollaborators {
  readonly registry: RemoteRegistry;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly policy: TrustPolicy;
  readonly report: Report;
  readonly spool?: Spool | undefined;
  /** When ingredients were last asked for new signatures; without it they are asked each time. */
  readonly rounds?: SignatureRounds | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

export interface PreparedSync {
  readonly retriever: Retriever;
  /** RFC 3339 UTC: when the Retriever was resolved. */
  readonly resolvedAt: string;
  readonly content: ContentPlan;
  readonly destinations: ReadonlyMap<PlannedWork, ContentStatus>;
  readonly volumes: readonly JudgedVolume[];
  readonly prune: PrunePlan;
  readonly plan: Plan;
  readonly exitCode: number;
  readonly held: HeldContent;
  /** What a run records once its new signatures have landed. */
  readonly round?: SignatureRound | undefined;
}

/** Where an ingredient goes at the destination. @throws SVC-DST-001 */
export function toDestination(destination: Destination, nominal: RepositoryReference): RepositoryReference {
  return { host: destination.registry, repository: destinationRepository(destination, nominal) };
}

/** Where a recipe goes at the destination. @throws SVC-DST-001 */
export function toRecipeDestination(destination: Destination, name: string): RepositoryReference {
  return { host: destination.registry, repository: destinationRecipeRepository(destination.cookbook, name) };
}

/** Everything a resolution names, for the store to be asked about. */
function* listContents(resolutions: readonly Resolution[]): Generator<Descriptor> {
  for (const { recipe, ingredients } of resolutions) {
    if (recipe.outcome === 'verified') yield* [recipe.descriptor, recipe.config, recipe.layer];
    for (const { graph } of ingredients) if (graph) yield* [...graph.manifests, ...graph.blobs];
  }
}

interface DestinationState {
  readonly statuses: Map<PlannedWork, ContentStatus>;
  readonly problems: { readonly subject: string; readonly error: SvcError }[];
}

/**
 * Whether a tag leads to what is pinned. A registry that names by another algorithm what it got under a tag must have the
 * same bytes under the pin too.
 */
async function isPinned(
  repository: ManifestFetcher,
  there: Descriptor,
  pin: Digest,
  call: CallOptions,
): Promise<boolean> {
  if (there.digest === pin || digestAlgorithm(there.digest) === digestAlgorithm(pin))
    return there.digest === pin;
  const pinned = await repository.fetchManifest(pin, call);
  return pinned !== undefined && hashBytes(pinned.bytes, digestAlgorithm(there.digest)) === there.digest;
}

/** Asks the destination which tags it holds. What it holds below them shows when content moves. */
async function readDestination(
  content: ContentPlan,
  destination: Destination,
  { registry, signal }: SyncCollaborators,
): Promise<DestinationState> {
  const statuses = new Map<PlannedWork, ContentStatus>();
  const problems: DestinationState['problems'] = [];
  const call = signal ? { signal } : {};
  const note = (subject: string, error: unknown) => {
    signal?.throwIfAborted();
    const coded = toSvcError(error);
    // one sentence about a destination that cannot be reached is enough
    const isKnown = problems.some(
      (other) =>
        other.error.code === coded.code &&
        coded.params.host !== undefined &&
        other.error.params.host === coded.params.host,
    );
    if (!isKnown) problems.push({ subject, error: coded });
  };
  const works = content.recipes
    .flatMap(({ ingredients }) => ingredients)
    .filter(({ ingredient }) => ingredient.graph);
  await forEachBounded(works, 8, async (work) => {
    const { nominal, ingredient, reference } = work.ingredient;
    try {
      const repository = registry.repository(toDestination(destination, nominal), { access: 'push' });
      const there = await repository.resolve(work.tag, call);
      const isSame = there !== undefined && (await isPinned(repository, there, ingredient.digest, call));
      statuses.set(work, isSame ? 'up-to-date' : there ? 'outdated' : 'new');
    } catch (error) {
      note(reference, error);
    }
  });
  /** Recipes whose tag leads nowhere yet. */
  const free = new Set<VerifiedRecipe>();
  await forEachBounded(content.recipes, 8, async ({ resolution: { recipe } }) => {
    if (recipe.outcome === 'failed') return;
    try {
      const place = toRecipeDestination(destination, recipe.entry.name);
      const repository = registry.repository(place, { access: 'push' });
      const there = await repository.resolve(recipe.version, call);
      if (!there) free.add(recipe);
      if (!there || there.digest === recipe.digest) return;
      const standing = await repository.fetchManifest(there.digest, call);
      if (standing?.bytes.includes(recipe.layer.digest)) return;
      const reference = `${formatReference(place)}:${recipe.version}`;
      throw svcError('SVC-POL-004', { reference, published: there.digest, candidate: recipe.digest });
    } catch (error) {
      note(recipe.reference, error);
    }
  });
  const first = new Map<string, VerifiedRecipe>();
  for (const { resolution } of content.recipes) {
    const { recipe } = resolution;
    if (recipe.outcome === 'failed' || !free.has(recipe)) continue;
    const place = toRecipeDestination(destination, recipe.entry.name);
    const reference = `${formatReference(place)}:${recipe.version}`;
    const taken = first.get(reference) ?? recipe;
    first.set(reference, taken);
    if (taken.layer.digest !== recipe.layer.digest)
      note(
        recipe.reference,
        svcError('SVC-POL-004', { reference, published: taken.digest, candidate: recipe.digest }),
      );
  }
  return { statuses, problems };
}

function listHosts(
  settings: SyncSettings,
  retriever: Retriever,
  resolutions: readonly Resolution[],
  { registry, transport }: SyncCollaborators,
): Pick<Plan['policy'], 'allowlistDeclared' | 'hosts'> {
  const hosts = new Map<string, { host: string; role: string; allowed: boolean }>();
  const add = (host: string, role: string) =>
    hosts.set(`${role} ${host}`, { host, role, allowed: transport.isAllowed(host) });
  const { source } = settings;
  if (typeof source === 'string') {
    if (source.startsWith('oci://')) {
      const host = source.slice(6).split('/')[0]!;
      add(registry.effective({ host: canonicalHost(host), repository: 'x' }).host, 'retriever');
    } else if (URL.canParse(source) && source.startsWith('https://')) add(new URL(source).host, 'retriever');
  }
  for (const { cookbook } of retriever.recipes) add(registry.effective(cookbook).host, 'cookbook');
  for (const { ingredients } of resolutions)
    for (const { nominal } of ingredients) add(registry.effective(nominal).host, 'ingredient');
  if (settings.destination) add(settings.destination.registry, 'destination');
  return { allowlistDeclared: transport.allowlistDeclared, hosts: [...hosts.values()] };
}

/** Why recipes cannot be carried, as far as is known before anything moves. */
export function listErrors(resolutions: readonly Resolution[]): readonly SvcError[] {
  return resolutions.flatMap(({ recipe, ingredients }) => [
    ...(recipe.outcome === 'failed' ? [recipe.error] : []),
    ...ingredients.flatMap(({ error }) => (error ? [error] : [])),
  ]);
}

/**
 * Everything that is decided before the first byte moves: Retriever, resolution, status of each digest, volumes, prune.
 * Nothing is written, in the store or elsewhere. The plan is what a run would do; a run does it.
 *
 * @param store absent when there is none yet
 * @throws when the Retriever cannot be read; a recipe that cannot be carried is part of the answer
 */
export async function prepareSync(
  settings: SyncSettings,
  collaborators: SyncCollaborators,
  store: Store | undefined,
): Promise<PreparedSync> {
  const { registry, transport, policy, report, signal, now = Date.now } = collaborators;
  const retriever = await readRetriever(settings.source, { ...collaborators, retries: settings.retries });
  const resolvedAt = new Date(now()).toISOString();
  const unmatchedScopes = selectIdleScopes(
    policy,
    retriever.recipes.map(({ cookbook, name }) => toScopePath(recipeRepository(cookbook, name))),
  );
  for (const trustScope of unmatchedScopes)
    report.log('warn', 'A trust scope matches no recipe of the Retriever', { trustScope });
  const held = new HeldContent();
  const lastRound = await collaborators.rounds?.read();
  const options = {
    registry,
    policy,
    store,
    basePrefix: settings.basePrefix,
    held,
    recalls: !isRoundDue(lastRound, now()),
    signal,
    report,
  };
  const recipes = await resolveRecipes(retriever, options);
  const resolutions = await resolveIngredients(recipes, options);
  const presence = await readPresence(store, listContents(resolutions));
  const { late, round } = await findLateSignatures(resolutions, {
    registry,
    store,
    round: lastRound,
    now: now(),
    report,
    signal,
  });
  const content = planContent(resolutions, presence, late);
  const { destination } = settings;
  const state: DestinationState = destination
    ? await readDestination(content, destination, collaborators)
    : { statuses: new Map(), problems: [] };

  const demands = await measureVolumes({
    storeRoot: settings.storeRoot,
    stateRoot: settings.stateRoot,
    missing: content.missing,
    resumeThreshold: settings.resumeThreshold,
    parallelism: settings.parallelism,
  });
  const volumes = demands.map((demand) => judgeVolume(demand, settings.marginPercent));
  const isWhole = listErrors(resolutions).length === 0;
  const mayPrune = settings.prune && isWhole;
  const prune = mayPrune && store ? await planRunPrune(store, content.recipes) : noPrune;
  const reason = !settings.prune ? 'not asked for' : 'a recipe cannot be carried';
  // only a medium goes where its source cannot be asked for the rest
  const carriesSparse =
    settings.mode === 'mirror' &&
    resolutions.some(({ ingredients }) => ingredients.some(({ graph }) => graph?.isSparse));
  const checks = volumes.map(toVolumeCheck).map((check) =>
    carriesSparse && check.target === 'store'
      ? {
          ...check,
          warnings: [
            ...check.warnings,
            'some images are carried for some of their platforms only: a destination that refuses such an index cannot take them from a medium',
          ],
        }
      : check,
  );
  const { plan, exitCode } = planSync({
    mode: settings.mode,
    source: toShownSource(settings.source),
    zone: retriever.metadata.name,
    generatedAt: resolvedAt,
    destination: destination?.registry,
    content,
    destinationStatus: (work) => state.statuses.get(work),
    destinationProblems: state.problems,
    storeBytes: store === undefined ? 0 : occupancyOf(store).bytes,
    policy: {
      ...listHosts(settings, retriever, resolutions, { ...collaborators, transport }),
      ...(unmatchedScopes.length > 0 ? { unmatchedScopes } : {}),
    },
    prune: {
      evaluated: mayPrune,
      ...(mayPrune ? {} : { reason }),
      items: prune.items,
      totalBytes: prune.totalBytes,
    },
    checks,
    refusals: settings.preflightDisabled ? [] : volumes.flatMap(({ refusal }) => (refusal ? [refusal] : [])),
  });
  return {
    retriever,
    resolvedAt,
    content,
    destinations: state.statuses,
    volumes,
    prune,
    plan,
    exitCode,
    held,
    round,
  };
}
