import { forEachBounded } from '../base/concurrency.ts';
import { type SvcError, svcError, toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { canonicalHost, formatReference, type RepositoryReference } from '../oci/reference.ts';
import type { Retriever } from '../recipe/model.ts';
import { destinationRecipeRepository, destinationRepository } from '../recipe/relocation.ts';
import type { Credentials, RemoteRegistry, Spool, Transport } from '../remote/model.ts';
import type { Store } from '../store/model.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { HeldContent } from './held-content.ts';
import { measureVolumes } from './measure-volumes.ts';
import type { ContentStatus, Plan } from './model.ts';
import { toOwnership } from './ownership.ts';
import { type ContentPlan, type PlannedWork, planContent, planSync } from './plan-sync.ts';
import { type JudgedVolume, judgeVolume, toVolumeCheck } from './preflight.ts';
import { readPresence } from './presence.ts';
import { type PrunePlan, planPrune } from './prune.ts';
import { type RetrieverSource, readRetriever, toShownSource } from './read-retriever.ts';
import { type Resolution, resolveIngredients, resolveRecipes } from './resolve-retriever.ts';

export interface Destination {
  readonly registry: string;
  readonly basePath?: string | undefined;
  readonly cookbook: string;
}

/** What a synchronization is told. */
export interface SyncSettings {
  readonly mode: 'passthrough' | 'mirror';
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
export function* listContents(resolutions: readonly Resolution[]): Generator<Descriptor> {
  for (const { recipe, ingredients } of resolutions) {
    if (recipe.outcome === 'verified') yield* [recipe.descriptor, recipe.config, recipe.layer];
    for (const { graph } of ingredients) if (graph) yield* [...graph.manifests, ...graph.blobs];
  }
}

interface DestinationState {
  readonly statuses: Map<PlannedWork, ContentStatus>;
  readonly problems: { readonly subject: string; readonly error: SvcError }[];
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
      statuses.set(work, there ? (there.digest === ingredient.digest ? 'up-to-date' : 'outdated') : 'new');
    } catch (error) {
      note(reference, error);
    }
  });
  await forEachBounded(content.recipes, 8, async ({ resolution: { recipe } }) => {
    if (recipe.outcome === 'failed') return;
    try {
      const place = toRecipeDestination(destination, recipe.entry.name);
      const repository = registry.repository(place, { access: 'push' });
      const there = await repository.resolve(recipe.version, call);
      if (!there || there.digest === recipe.digest) return;
      const standing = await repository.fetchManifest(there.digest, call);
      if (standing?.bytes.includes(recipe.layer.digest)) return;
      const reference = `${formatReference(place)}:${recipe.version}`;
      throw svcError('SVC-POL-004', { reference, published: there.digest, candidate: recipe.digest });
    } catch (error) {
      note(recipe.reference, error);
    }
  });
  return { statuses, problems };
}

function listHosts(
  settings: SyncSettings,
  retriever: Retriever,
  resolutions: readonly Resolution[],
  { registry, transport }: SyncCollaborators,
): Plan['policy'] {
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

/** Whether every recipe can be carried, as far as is known before anything moves. */
export function isUnbroken(resolutions: readonly Resolution[]): boolean {
  return resolutions.every(
    ({ recipe, ingredients }) => recipe.outcome === 'verified' && ingredients.every(({ error }) => !error),
  );
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
  const held = new HeldContent();
  const options = { registry, policy, store, basePrefix: settings.basePrefix, held, signal, report };
  const recipes = await resolveRecipes(retriever, options);
  const resolutions = await resolveIngredients(recipes, options);
  const presence = await readPresence(store, listContents(resolutions));
  const content = planContent(resolutions, presence);
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
  const isWhole = isUnbroken(resolutions);
  const mayPrune = settings.prune && isWhole;
  const prune: PrunePlan =
    mayPrune && store
      ? await planPrune(store.index, toOwnership(content.recipes, store.index))
      : { items: [], releases: [], totalBytes: 0 };
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
    storeBytes: store?.occupancy().bytes ?? 0,
    policy: listHosts(settings, retriever, resolutions, { ...collaborators, transport }),
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
  };
}
