import { join } from 'node:path';
import type { TransferGate } from '../base/link/gate.ts';
import { RateLimiter } from '../base/link/rate-limiter.ts';
import { Waits } from '../base/link/waits.ts';
import type { Report } from '../base/report.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { Config } from '../config/model.ts';
import type { Destination } from '../engine/promotion/model.ts';
import type { SyncSettings } from '../engine/sync/prepare-sync.ts';
import { SettledTags } from '../engine/sync/settled-tags.ts';
import { openSignatureRounds, type SignatureRounds } from '../engine/sync/signature-rounds.ts';
import { fetchDocument } from '../remote/fetch-document.ts';
import type { Credentials, RemoteRegistry, Spool, Transport } from '../remote/model.ts';
import { loadCredentials } from '../remote/registry/credentials.ts';
import { createRegistry } from '../remote/registry/registry.ts';
import { createSpool } from '../remote/spool/spool.ts';
import { loadCertificates } from '../remote/transport/certificates.ts';
import { toEnvironment } from '../remote/transport/environment.ts';
import { gateTransport } from '../remote/transport/gate-transport.ts';
import { promptWait } from '../remote/transport/prompt-transport.ts';
import { loadSystemRoots } from '../remote/transport/system-roots.ts';
import { createTransport } from '../remote/transport/transport.ts';
import { orderPrune, type PruneOrder } from '../task/prune-order.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { createKeyCache } from '../trust/key-cache.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { loadPolicy } from './load-policy.ts';

interface ContextOptions {
  readonly report: Report;
  /** Path of the configuration document, which need not exist. */
  readonly configPath?: string | undefined;
  /** Version of the program, for the user agent and the files of a medium. */
  readonly version: string;
  /**
   * Environment variables of the process. They name the store of public root certificates; unused ones are
   * named in errors.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Fetches trust keys from their URLs, as an instance does at each start. Default: only cached copies are
   * used.
   */
  readonly fetchKeys?: boolean;
  /**
   * Spools large downloads under the state root. Only the process that holds the lock of the state root may
   * do so.
   */
  readonly spool?: boolean;
  /** The cap on outgoing connections; default: one of this process alone, with `network.rateLimit`. */
  readonly limiter?: RateLimiter;
  /** The gate that the transfers of tasks wait at; default: none. */
  readonly gate?: TransferGate;
  /** Those of requests that belong to no task, also at the start. */
  readonly waits?: Waits;
  /** For tests: milliseconds without a byte after which a transfer is aborted. */
  readonly stallTimeout?: number;
}

/** Dependencies of the operations that contact registries, made from the configuration. */
export interface Context<C extends Config = Config> extends AsyncDisposable {
  readonly config: C;
  /** Path of the configuration document, which need not exist. */
  readonly configPath: string | undefined;
  readonly report: Report;
  readonly version: string;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly registry: RemoteRegistry;
  /** Those of the tasks, whose requests wait while no window is open. */
  readonly transfers: {
    readonly transport: Transport;
    readonly registry: RemoteRegistry;
    /** Those of the tasks for their peers. */
    readonly waits?: Waits;
  };
  readonly policy: TrustPolicy;
  readonly spool: Spool | undefined;
  /** Number of certificates trusted in addition to the public roots. */
  readonly extraRoots: number;
  readonly rounds: SignatureRounds;
  readonly tags: SettledTags;
}

const keyLimit = 64 << 10;

async function openTrust(
  config: Config,
  transport: Transport,
  credentials: Credentials,
  { report, fetchKeys }: ContextOptions,
): Promise<TrustPolicy> {
  const { roots } = config.trust;
  const stateRoot = config.state.root;
  const remote = roots.flatMap(({ name, keyURL }) => (keyURL === undefined ? [] : [{ name, keyURL }]));
  const cache = stateRoot === undefined ? undefined : createKeyCache({ stateRoot, report });
  if (remote.length > 0 && fetchKeys) {
    if (!cache)
      throw svcError('SVC-CFG-001', {
        setting: 'state.root',
        detail: rule([
          'is not set, and trust roots by URL are cached there',
          fr`n’est pas défini, alors que les racines de confiance par URL y sont conservées`,
        ]),
      });
    // the start waits for them
    const prompt = { ...transport, longestWait: promptWait };
    for (const root of remote)
      await cache.refresh(root, (url) =>
        fetchDocument(prompt, {
          url,
          limit: keyLimit,
          purpose: rule(['trust key', fr`clé de confiance`]),
          credentials,
          retries: config.sync.retries,
        }),
      );
  }
  return loadPolicy(config, report);
}

/**
 * Makes the dependencies of a configuration. The store is opened separately by the operations that need it.
 *
 * @throws SVC-NET-002, SVC-CFG-001 and the errors of reading credentials and keys
 */
export async function openContext<C extends Config>(config: C, options: ContextOptions): Promise<Context<C>> {
  const { report, version } = options;
  const { registries, network, sync, transfer, state } = config;
  const { proxy, tls } = network;
  const credentials = await loadCredentials(registries.credentialsFile, report);
  const environment = toEnvironment(options.env ?? {});
  const ca = await loadCertificates(tls);
  const transport = createTransport({
    waits: options.waits,
    allowlist: registries.allowlist,
    insecure: registries.insecure,
    proxy,
    tls: {
      ca,
      exclusiveTrust: tls.exclusiveTrust,
      ...(tls.exclusiveTrust ? {} : { roots: await loadSystemRoots(environment) }),
    },
    environment,
    report,
    userAgent: `svc/${version}`,
    limiter: options.limiter ?? new RateLimiter(network.rateLimit),
    stallTimeout: options.stallTimeout,
  });
  try {
    const policy = await openTrust(config, transport, credentials, options);
    const spool =
      options.spool && state.root !== undefined && transfer.resumeThreshold > 0
        ? createSpool({ root: join(state.root, 'downloads'), threshold: transfer.resumeThreshold, report })
        : undefined;
    const toRegistry = (over: Transport): RemoteRegistry =>
      createRegistry({
        transport: over,
        credentials,
        substitutions: registries.substitutions,
        retries: sync.retries,
        report,
        spool,
      });
    const registry = toRegistry(transport);
    // a task is stopped as a whole, and its waits end with it
    const waits = new Waits();
    const gated =
      options.gate === undefined ? undefined : gateTransport({ ...transport, waits }, options.gate);
    const transfers =
      gated === undefined
        ? { transport, registry }
        : { transport: gated, registry: toRegistry(gated), waits };
    return {
      config,
      configPath: options.configPath,
      report,
      version,
      transport,
      credentials,
      registry,
      transfers,
      policy,
      spool,
      extraRoots: ca.length,
      rounds: openSignatureRounds(state.root),
      tags: new SettledTags(),
      [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
    };
  } catch (error) {
    await transport[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns the destination of a configuration, undefined when none is set. */
export function toDestinationSetting({ destination }: Config): Destination | undefined {
  const { registry, basePath, cookbook } = destination;
  return registry === undefined ? undefined : { registry, basePath, cookbook };
}

/**
 * Decides how a run prunes.
 *
 * @param choice for this run; undefined: the default of the mode
 * @param preview of a trigger: whether the list was shown
 */
export function selectPrune(
  { mode, sync }: Config,
  choice: boolean | undefined,
  preview?: 'shown' | 'unknown',
): PruneOrder {
  return orderPrune({ mode, configured: sync.prune, choice, preview });
}

/**
 * Converts a configuration to the settings of a sync.
 *
 * @throws SVC-CFG-001 naming the missing setting
 */
export function toSyncSettings(
  config: Config,
  choice: {
    readonly prune?: PruneOrder | undefined;
    /** Replaces the configured source. */
    readonly source?: SyncSettings['source'] | undefined;
    readonly skipDestination?: boolean | undefined;
  } = {},
): SyncSettings {
  const destination = toDestinationSetting(config);
  return {
    mode: config.mode,
    source: requireSetting('retriever.source', choice.source ?? config.retriever.source),
    zone: config.zone,
    basePrefix: config.storage.basePrefix,
    destination: choice.skipDestination ? undefined : destination,
    isDestinationSkipped: choice.skipDestination === true && destination !== undefined,
    parallelism: config.sync.parallelism,
    retries: config.sync.retries,
    resumeThreshold: config.state.root === undefined ? 0 : config.transfer.resumeThreshold,
    marginPercent: config.preflight.safetyMarginPercent,
    preflightDisabled: config.preflight.disabled,
    prune: choice.prune ?? selectPrune(config, undefined),
    storeRoot: requireSetting('storage.root', config.storage.root),
    stateRoot: config.state.root,
  };
}
