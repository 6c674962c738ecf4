import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Serial } from '../src/base/concurrency.ts';
import { resources } from '../src/base/shares/resources.ts';
import type { ConfigFor } from '../src/config/requirements.ts';
import type { Egress } from '../src/contract/access.ts';
import type { RetrieverRecord } from '../src/contract/recipe.ts';
import type { ChartViews } from '../src/engine/fileset/chart-views.ts';
import type { ServedFilesets } from '../src/engine/fileset/served-model.ts';
import type { FreshnessRecords } from '../src/engine/medium/freshness.ts';
import { sourceHost, toShownSource } from '../src/engine/sync/read-retriever.ts';
import { canonicalHost } from '../src/oci/reference.ts';
import { type Context, selectPrune, toSyncSettings } from '../src/operation/context.ts';
import { toImportTask } from '../src/operation/import-artifact.ts';
import { requireImportSettings } from '../src/operation/import-medium.ts';
import { inspectArtifact } from '../src/operation/inspect-artifact.ts';
import { listRecipes } from '../src/operation/list-recipes.ts';
import { mapRecipe, toClientPlaces } from '../src/operation/map-recipe.ts';
import { packFileset, toFilesetPlace } from '../src/operation/pack-fileset.ts';
import { planSync } from '../src/operation/plan-sync.ts';
import { previewPrune, projectPrune, requireShownPrune } from '../src/operation/prune-preview.ts';
import { publishRecipe } from '../src/operation/recipe/publish-recipe.ts';
import { resetStore } from '../src/operation/reset-store.ts';
import type { StoreScrub } from '../src/operation/scrub-store.ts';
import type { ShownPlan } from '../src/operation/shown-plan.ts';
import type { MediumVerifier } from '../src/operation/verify-medium.ts';
import { type HostUse, reviewHosts } from '../src/remote/transport/review-hosts.ts';
import type { Store } from '../src/store/model.ts';
import { occupancyOf } from '../src/store/occupancy.ts';
import { isPruning } from '../src/task/prune-order.ts';
import type { Tasks } from '../src/task/queue.ts';
import { fr } from '../src/text/language.ts';
import { rule } from '../src/text/rule.ts';
import { createAuthoringOperations } from './authoring-operations.ts';
import { createLayoutOperations } from './layout-operations.ts';
import type { InstanceOperations, MediaOperations } from './operations.ts';
import { Places } from './shares/places.ts';

export interface OperationsParts {
  readonly context: Context<ConfigFor<'serve'>>;
  readonly store: Store;
  readonly verifier: MediumVerifier;
  readonly tasks: Tasks;
  /** Passes the plan that was shown at a trigger to the run. */
  readonly shown: ShownPlan;
  readonly filesets: ServedFilesets;
  readonly views: ChartViews;
  /** The background check of the store. */
  readonly scrub: Pick<StoreScrub, 'view'>;
  /** Absent without a state root. */
  readonly freshness: FreshnessRecords | undefined;
  /** Aborted when the instance stops; ends work that continues after its client has disconnected. */
  readonly signal: AbortSignal;
}

function toRetrieverRecord({ context: { config }, store, scrub }: OperationsParts): RetrieverRecord {
  const { source } = config.retriever;
  const { registry, cookbook } = config.destination;
  return {
    ...(source === undefined ? {} : { source: toShownSource(source) }),
    mode: config.mode,
    ...(config.zone === undefined ? {} : { zone: config.zone }),
    ...(registry === undefined ? {} : { destination: registry, cookbook }),
    substitutions: Object.entries(config.registries.substitutions).map(([host, base]) => ({ host, base })),
    relaxedScopes: config.trust.scopes,
    anonymousFilesets: [...config.files.filesets, ...config.files.views].flatMap(({ name, anonymous }) =>
      anonymous ? [name] : [],
    ),
    prune: isPruning(selectPrune(config, undefined)),
    scrub: scrub.view(),
    ...(store.lastSync === undefined ? {} : { lastSync: store.lastSync }),
  };
}

function toEgress({ config: { network }, extraRoots }: Context): Egress {
  const { proxy, tls } = network;
  return {
    ...(proxy.url === undefined ? {} : { proxy: new URL(proxy.url).host }),
    proxyAuthenticated: proxy.username !== undefined,
    extraRoots,
    exclusiveTrust: tls.exclusiveTrust,
  };
}

/** Hosts that the configuration itself needs, and those requested since the start. */
function* listHostUses({ config, registry, transport }: Context): Generator<HostUse> {
  const { retriever, destination, registries, trust } = config;
  const source = retriever.source === undefined ? undefined : sourceHost(retriever.source, registry);
  if (source !== undefined) yield { ...source, role: 'retriever' };
  if (destination.registry !== undefined) yield { host: destination.registry, role: 'destination' };
  for (const [nominal, base] of Object.entries(registries.substitutions))
    yield { host: canonicalHost(base.split('/', 1)[0]!), role: 'substitution', nominal };
  for (const { keyURL } of trust.roots)
    if (keyURL !== undefined && URL.canParse(keyURL)) yield { host: new URL(keyURL).host, role: 'trust-key' };
  for (const host of transport.requested) yield { host: canonicalHost(host), role: 'requested' };
}

function toMediaOperations(parts: OperationsParts, zone: string): MediaOperations {
  const { context, store, verifier, tasks, signal } = parts;
  /** The gate may let through something else now. */
  const reassess = (): void => {
    parts.filesets.assess();
    parts.views.review();
  };
  return {
    state: async () => {
      const last = await parts.freshness?.get(zone);
      return {
        zone,
        root: store.root,
        mediaId: store.mediaId,
        ...(last === undefined
          ? {}
          : {
              lastImport: {
                mediaId: last.mediaId,
                resolvedAt: last.resolvedAt,
                importedAt: last.importedAt,
                runId: last.runId,
              },
            }),
      };
    },
    verification: () => verifier.state(),
    beginVerification: ({ allowZoneMismatch, allowStale, actor, origin }) => {
      verifier.begin({ allowZoneMismatch, allowStale }, actor, signal, origin);
      void verifier.idle().then(reassess);
    },
    verify: async ({ allowZoneMismatch, allowStale, actor, origin }) => {
      const { report } = await verifier.verify({ allowZoneMismatch, allowStale }, actor, signal, origin);
      reassess();
      return report;
    },
    submitImport: async ({ allowZoneMismatch, allowStale, actor, rank, origin, requestId }) => {
      requireImportSettings(context);
      return tasks.submit(
        {
          type: 'media-import',
          reference: store.mediaId,
          actor,
          origin,
          requestId,
          parameters: { allowZoneMismatch, allowStale },
        },
        rank,
      );
    },
  };
}

/** What places are for, in refusals. */
export const planNames = {
  busy: rule(['other plans are being made', fr`d’autres plans sont en cours d’établissement`]),
  one: rule(['the plan', fr`le plan`]),
} as const;
export const inspectionNames = {
  busy: rule(['other artifacts are being inspected', fr`d’autres artefacts sont en cours d’examen`]),
  one: rule(['the inspection', fr`l’examen`]),
} as const;

/** Maximum time that a request waits for FileSets that are read for the first time, in milliseconds. */
const indexPatience = 20_000;

/** Makes the operations of one instance, which the surfaces call. */
export function createOperations(parts: OperationsParts): InstanceOperations {
  const { context, store, tasks } = parts;
  const { config } = context;
  // each may hold an index of 32 MiB or more in memory
  const inspections = new Places(resources.inspections, inspectionNames);
  // each keeps its document and all resolved content in memory
  const plans = new Places(resources.plans, planNames);
  // one at a time: each checks the free space before it writes
  const packs = new Serial();
  return {
    submitSync: async ({
      actor,
      rank,
      origin,
      requestId,
      prune,
      projection,
      patience = 0,
      signal,
      ...shown
    }) => {
      const { source } = toSyncSettings(config);
      const projected = projection && 'fingerprint' in projection ? projection.fingerprint : undefined;
      const fingerprint = shown.fingerprint ?? projected;
      const order = selectPrune(config, prune, fingerprint === undefined ? 'unknown' : 'shown');
      const prunes = isPruning(order);
      if (prunes && shown.fingerprint !== undefined)
        await requireShownPrune(context, store, parts.shown, shown.fingerprint, patience);
      signal?.throwIfAborted();
      return tasks.submit(
        {
          type: 'sync',
          reference: toShownSource(source),
          actor,
          origin,
          requestId,
          prune: prunes,
          order,
          ...(prunes && fingerprint !== undefined ? { fingerprint } : {}),
        },
        rank,
      );
    },
    inspect: ({ reference, holder, signal: gone }) =>
      inspections.run(holder, gone, (signal) => inspectArtifact(context, { store, reference, signal })),
    submitImport: async (request) => tasks.submit(toImportTask(context, store, request), request.rank),
    publish: ({ hosts, ...request }) =>
      publishRecipe(context, { ...request, file: 'document', own: { store, hosts } }),
    prunePreview: () => previewPrune(context, store),
    projectPrune: async (patience) =>
      isPruning(selectPrune(config, undefined))
        ? projectPrune(context, store, parts.shown, patience)
        : undefined,
    plan: ({ document, skipDestination, holder, signal: gone }) =>
      plans.run(holder, gone, (signal) =>
        planSync(context, {
          store,
          signal,
          document: document === undefined ? undefined : Buffer.from(document),
          skipDestination,
        }),
      ),
    roots: context.policy.roots,
    recipes: () => listRecipes(config, store),
    mapRecipe: (records, request) => mapRecipe(config, records, request),
    clientPlaces: (records, request) => toClientPlaces(config, records, request),
    zone: config.zone,
    chartViews: config.files.views,
    views: parts.views,
    indexedFilesets: () => parts.filesets.listIndexes(indexPatience),
    retriever: () => toRetrieverRecord(parts),
    occupancy: () => {
      const { bytes, sampledAt } = occupancyOf(store);
      const thresholdBytes = config.storage.occupancyThreshold;
      return {
        bytes,
        ...(thresholdBytes === undefined ? {} : { thresholdBytes }),
        monitored: thresholdBytes !== undefined,
        exceeded: thresholdBytes !== undefined && bytes > thresholdBytes,
        sampledAt,
      };
    },
    egress: () => toEgress(context),
    reviewHosts: ({ named, planned }) =>
      reviewHosts(
        [
          ...listHostUses(context),
          ...named.map(({ host, role }) => {
            const { host: contacted } = context.registry.effective({ host, repository: 'x' });
            return { host: contacted, role, nominal: host };
          }),
          ...planned,
        ],
        config.registries.allowlist,
      ),
    filesets: parts.filesets,
    packEnabled: config.files.packRoots.length > 0,
    preflightDisabled: config.preflight.disabled,
    layout: createLayoutOperations(parts),
    authoring: createAuthoringOperations(context),
    resetStore: (request) =>
      resetStore({ store, tasks, verifier: parts.verifier, report: context.report }, request),
    filesetPlace: (fileset) => toFilesetPlace(config, fileset),
    packFileset: (request) =>
      packs.run(async () => {
        request.signal.throwIfAborted();
        const within = config.files.packRoots;
        const packed = await packFileset(context, { ...request, store: async () => store, within });
        parts.filesets.review(request.actor, request.origin);
        return packed.fileset;
      }),
    // the path is the default one too where there is no document
    configPath:
      context.configPath !== undefined && existsSync(context.configPath)
        ? resolve(context.configPath)
        : undefined,
    media: config.zone === undefined ? undefined : toMediaOperations(parts, config.zone),
  };
}
