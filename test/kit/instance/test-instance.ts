import type { Role } from '../../../src/account/model.ts';
import { Serial } from '../../../src/base/concurrency.ts';
import { type InstancePlaces, openPlaces } from '../../../src/base/shares/places.ts';
import type { Config } from '../../../src/config/model.ts';
import type { ConfigFor } from '../../../src/config/requirements.ts';
import type { RetrieverRecord } from '../../../src/contract/recipe.ts';
import type { FreshnessRecords } from '../../../src/engine/medium/freshness.ts';
import { openLandings } from '../../../src/engine/medium/landed/landings.ts';
import { type Context, openContext } from '../../../src/operation/context.ts';
import type { Instance } from '../../../src/operation/instance/instance.ts';
import { ProofRecord } from '../../../src/operation/instance/proof-record.ts';
import { createScrub } from '../../../src/operation/scrub-store.ts';
import { ShownPlan } from '../../../src/operation/shown-plan.ts';
import { createMediumVerifier } from '../../../src/operation/verify-medium.ts';
import type { TrustRoot } from '../../../src/trust/model.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import type { ScriptedMedia } from '../scene/media-state.ts';

/** Settings of the instance of a test. Functions are called at each look. */
export interface TestSettings {
  /** Gives the configuration, the last run and the check of the store their values. */
  readonly retriever?: () => RetrieverRecord;
  readonly roots?: readonly TrustRoot[];
  readonly peers?: Config['peers'];
  readonly zones?: Config['zones'];
  /** Whether the configuration has no state folder. */
  readonly isStateless?: boolean;
  readonly basePrefix?: string;
  readonly allowlist?: () => readonly string[] | undefined;
  /** Hosts that were requested since the start. */
  readonly requested?: readonly string[];
  readonly places?: Partial<InstancePlaces>;
  readonly packRoots?: readonly string[];
  readonly preflightDisabled?: boolean;
  /** The site of the custody ledger. Without it the instance keeps none. */
  readonly custodySite?: string;
  readonly configPath?: string;
  /** Default: `admin`. */
  readonly historyRole?: Role;
  readonly proxyURL?: string;
  readonly occupancyThreshold?: () => number | undefined;
}

interface Parts extends Pick<Instance, 'store' | 'tasks' | 'filesets' | 'views' | 'signal'> {
  readonly settings: TestSettings;
  readonly report: Context['report'];
  readonly stateRoot: string;
  readonly zone: string | undefined;
  readonly media: ScriptedMedia | undefined;
}

/** The Retriever of an instance that promotes. */
export const passthroughRetriever: RetrieverRecord = {
  mode: 'passthrough',
  source: 'https://registry.example/zone.yaml',
  substitutions: [],
  relaxedScopes: [],
  anonymousFilesets: [],
  prune: false,
};

const unconfigured: RetrieverRecord = { ...passthroughRetriever, source: '/retriever.yaml' };

function toConfig({ settings, store, stateRoot, zone, media, views }: Parts): ConfigFor<'serve'> {
  const record = settings.retriever ?? (() => unconfigured);
  const configured = {
    get mode() {
      return record().mode;
    },
    get zone() {
      return record().zone ?? zone ?? media?.record.zone;
    },
    storage: {
      root: store.root,
      basePrefix: settings.basePrefix,
      get occupancyThreshold() {
        return settings.occupancyThreshold?.();
      },
    },
    state: settings.isStateless ? {} : { root: stateRoot },
    audit: { keep: 64 << 20 },
    custody: { enabled: settings.custodySite !== undefined, site: settings.custodySite },
    server: { tls: {} },
    auth: { historyRole: settings.historyRole ?? 'admin' },
    signing: {},
    ui: {},
    network: {
      proxy: { url: settings.proxyURL, noProxy: [] },
      tls: { caFiles: [], exclusiveTrust: false },
    },
    registries: {
      insecure: [],
      get allowlist() {
        return settings.allowlist?.();
      },
      get substitutions() {
        return Object.fromEntries(record().substitutions.map(({ host, base }) => [host, base]));
      },
    },
    retriever: {
      get source() {
        return record().source;
      },
    },
    destination: {
      get registry() {
        return record().destination;
      },
      get cookbook() {
        return record().cookbook ?? 'cookbook';
      },
    },
    sync: {
      ...{ parallelism: 1, retries: 0, interval: 0, timeZone: 'UTC' },
      get prune() {
        return record().prune;
      },
    },
    peers: settings.peers ?? [],
    zones: settings.zones ?? [],
    import: { inspectTimeout: 1000 },
    transfer: { resumeThreshold: 0 },
    preflight: { safetyMarginPercent: 10, disabled: settings.preflightDisabled === true },
    trust: {
      roots: [],
      get scopes() {
        return record().relaxedScopes;
      },
    },
    files: {
      packRoots: settings.packRoots ?? [],
      get filesets() {
        return record().anonymousFilesets.map((name) => ({ name, ref: name, anonymous: true }));
      },
      views: [...views.settings.values()],
    },
  } satisfies Partial<Record<keyof Config, unknown>>;
  return configured as unknown as ConfigFor<'serve'>;
}

/** Makes the record of an instance over a real store and a real queue, with the settings of a test. */
export async function openTestInstance(parts: Parts): Promise<Instance> {
  const { settings, store, tasks, filesets, views, signal, report, stateRoot, media } = parts;
  const config = toConfig(parts);
  const { configPath } = settings;
  // scopes may name roots that no policy knows
  const opened = await openContext(
    { ...config, trust: { roots: [], scopes: [] } },
    { report, version: '0.0.0-test', configPath },
  );
  const context = {
    ...opened,
    config,
    policy: { ...opened.policy, roots: settings.roots ?? [] },
    transport:
      settings.requested === undefined
        ? opened.transport
        : { ...opened.transport, requested: new Set(settings.requested) },
  };
  const lastSync = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(store), 'lastSync')!;
  Object.defineProperty(store, 'lastSync', {
    get: () => settings.retriever?.().lastSync ?? lastSync.get!.call(store),
  });
  const scrub = createScrub({ store, stateRoot, report, isBusy: () => true });
  const { policy } = context;
  const zone = config.zone ?? parts.zone;
  const verifier = createMediumVerifier({ store, zone, policy, freshness: undefined, report });
  return {
    context,
    store,
    tasks,
    filesets,
    views,
    signal,
    verifier: media === undefined ? verifier : Object.assign(verifier, { state: () => media.current }),
    freshness:
      media &&
      ({
        get: async () => media.record.lastImport,
        arrivals: openArrivals(stateRoot),
        landings: openLandings(stateRoot),
      } as unknown as FreshnessRecords),
    shown: new ShownPlan(),
    scrub: { view: () => settings.retriever?.().scrub ?? scrub.view() },
    places: { ...openPlaces(), ...settings.places },
    proofs: new ProofRecord(),
    packs: new Serial(),
  };
}
