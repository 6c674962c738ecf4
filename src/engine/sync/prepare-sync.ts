import { systemClock } from '../../base/clock.ts';
import type { ContentStatus } from '../../contract/common.ts';
import type { Plan } from '../../contract/plan.ts';
import type { Custody } from '../../custody/model.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { Retriever } from '../../recipe/model.ts';
import { recipeRepository } from '../../recipe/relocation.ts';
import type { RemoteAccess, Spool } from '../../remote/model.ts';
import { viewAsAdopted } from '../../store/adoption/view-as-adopted.ts';
import type { Store } from '../../store/model.ts';
import { occupancyOf } from '../../store/occupancy.ts';
import { type PruneOrder, whyNoPrune } from '../../task/prune-order.ts';
import type { SvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import { selectIdleScopes, toScopePath } from '../../trust/scope.ts';
import { HeldContent } from '../copy/held-content.ts';
import type { Destination } from '../promotion/model.ts';
import { findLateSignatures } from './find-late-signatures.ts';
import { type ContentPlan, listLowered, type PlannedWork, planSync } from './plan-sync.ts';
import { fitContent } from './preflight/fit-content.ts';
import { type JudgedVolume, toVolumeCheck, toWarnings } from './preflight/judge-volume.ts';
import { measurePush } from './preflight/measure-push.ts';
import { readPresence } from './presence.ts';
import { noPrune, type PrunePlan, planRunPrune } from './prune.ts';
import { type DestinationState, readDestination } from './read-destination.ts';
import { type RetrieverSource, readRetriever, sourceHost, toShownSource } from './read-retriever.ts';
import { listRecipeRepositories, toRecipePlaces } from './recipe-places.ts';
import { type Resolution, resolveIngredients, resolveRecipes } from './resolve-retriever.ts';
import type { SettledTags } from './settled-tags.ts';
import type { SignatureRound, SignatureRounds } from './signature-rounds.ts';

export interface SyncSettings {
  /** Absent when a plan is made without a configured mode. */
  readonly mode?: 'passthrough' | 'mirror' | undefined;
  readonly source: RetrieverSource;
  readonly zone?: string | undefined;
  readonly basePrefix?: string | undefined;
  readonly destination?: Destination | undefined;
  /** Whether a run promotes, and this plan does not ask the destination. */
  readonly isDestinationSkipped?: boolean | undefined;
  /** Concurrent ingredient transfers. */
  readonly parallelism: number;
  readonly retries: number;
  /** Bytes. Larger blobs are downloaded resumably; 0: none. */
  readonly resumeThreshold: number;
  readonly marginPercent: number;
  /** Whether refusals of the pre-flight are only reported. */
  readonly preflightDisabled: boolean;
  readonly prune: PruneOrder;
  readonly storeRoot: string;
  readonly stateRoot?: string | undefined;
}

export interface SyncCollaborators extends RemoteAccess {
  readonly policy: TrustPolicy;
  readonly spool?: Spool | undefined;
  /** Time of the last signature query. Without it every run queries all sources. */
  readonly rounds?: SignatureRounds | undefined;
  /** Recipe tags that need no request in every run. */
  readonly tags?: SettledTags | undefined;
  /** The ledger of fetched and pruned content. Default: none. */
  readonly custody?: Custody | undefined;
  /** Current time in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

export interface PreparedSync {
  readonly retriever: Retriever;
  /** Time at which the Retriever was resolved, RFC 3339 in UTC. */
  readonly resolvedAt: string;
  readonly content: ContentPlan;
  readonly destinations: ReadonlyMap<PlannedWork, ContentStatus>;
  readonly volumes: readonly JudgedVolume[];
  readonly prune: PrunePlan;
  readonly plan: Plan;
  readonly exitCode: number;
  readonly held: HeldContent;
  /** Recorded by the run after it has transferred the new signatures. */
  readonly round?: SignatureRound | undefined;
}

/** All content that resolutions name. */
function* listContents(resolutions: readonly Resolution[]): Generator<Descriptor> {
  for (const { recipe, ingredients } of resolutions) {
    if (recipe.outcome === 'verified') yield* [recipe.descriptor, recipe.config, recipe.layer];
    for (const { graph } of ingredients) if (graph) yield* [...graph.manifests, ...graph.blobs];
  }
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
  const source = sourceHost(settings.source, registry);
  if (source !== undefined) add(source.host, 'retriever');
  for (const { cookbook } of retriever.recipes) add(registry.effective(cookbook).host, 'cookbook');
  for (const { ingredients } of resolutions)
    for (const { nominal } of ingredients) add(registry.effective(nominal).host, 'ingredient');
  if (settings.destination) add(settings.destination.registry, 'destination');
  return { allowlistDeclared: transport.allowlistDeclared, hosts: [...hosts.values()] };
}

/** Errors known before the transfer that prevent recipes from being carried. */
export function listErrors(resolutions: readonly Resolution[]): readonly SvcError[] {
  return resolutions.flatMap(({ recipe, ingredients }) => [
    ...(recipe.outcome === 'failed' ? [recipe.error] : []),
    ...ingredients.flatMap(({ error }) => (error ? [error] : [])),
  ]);
}

/**
 * Makes all decisions of a run before the first byte moves: Retriever, resolution, status of each digest,
 * volumes, prune. Writes nothing. A run executes the plan returned here.
 *
 * @param given absent when it does not exist yet
 * @throws when the Retriever cannot be read; errors of single recipes are part of the result
 */
export async function prepareSync(
  settings: SyncSettings,
  collaborators: SyncCollaborators,
  given: Store | undefined,
): Promise<PreparedSync> {
  // a run adopts a foreign store first
  const store = given && viewAsAdopted(given);
  const { registry, transport, policy, report, signal, now = systemClock.wall } = collaborators;
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
    tags: collaborators.tags,
    now,
    signal,
    report,
  };
  const recipes = await resolveRecipes(retriever, options);
  const resolved = await resolveIngredients(recipes, options);
  const presence = await readPresence(store, listContents(resolved));
  const { late, round } = await findLateSignatures(resolved, {
    registry,
    store,
    round: lastRound,
    now: now(),
    report,
    signal,
  });
  const { destination } = settings;
  const cooked = listRecipeRepositories(retriever, settings.basePrefix);
  const isOfRecipe = (repository: string) => cooked.has(repository) || presence.hasRecipes(repository);
  const { content, volumes, resolutions } = await fitContent(resolved, presence, late, {
    ...settings,
    registry,
    isInCookbook: toRecipePlaces(isOfRecipe, destination),
    signal,
  });
  for (const { cookbook, name, resolved, here } of listLowered(content.recipes))
    report.log('warn', 'The version at the source is lower than the version that is here', {
      recipe: `${cookbook}/${name}`,
      resolved,
      here,
    });
  const state: DestinationState = destination
    ? await readDestination(content, destination, collaborators)
    : { statuses: new Map(), recipes: new Map(), problems: [] };
  const unpruned = whyNoPrune(settings.prune, listErrors(resolutions).length);
  const mayPrune = unpruned === undefined;
  const prune = mayPrune && store ? await planRunPrune(store, content.recipes, settings.prune) : noPrune;
  // only a medium is used where its source is not reachable for the remaining platforms
  const carriesSparse =
    settings.mode === 'mirror' &&
    resolutions.some(({ ingredients }) => ingredients.some(({ graph }) => graph?.isSparse));
  const checks = volumes.map(toVolumeCheck).map((check) =>
    carriesSparse && check.target === 'store'
      ? {
          ...check,
          ...toWarnings([
            ...(check.warningRules ?? []),
            rule([
              'some images are carried for some of their platforms only: a destination that refuses such an index cannot take them from a medium',
              fr`certaines images ne sont transportées que pour une partie de leurs plateformes ; une destination qui refuse un tel index ne peut pas les recevoir d’un support`,
            ]),
          ]),
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
    promotion: destination || settings.isDestinationSkipped ? measurePush(content, state) : undefined,
    storeBytes: store === undefined ? 0 : occupancyOf(store).bytes,
    policy: {
      ...listHosts(settings, retriever, resolutions, { ...collaborators, transport }),
      ...(unmatchedScopes.length > 0 ? { unmatchedScopes } : {}),
    },
    prune: {
      evaluated: mayPrune,
      ...(unpruned === undefined ? {} : { reason: unpruned }),
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
