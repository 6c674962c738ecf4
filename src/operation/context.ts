import { join } from 'node:path';
import { svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { Config } from '../config/model.ts';
import type { Destination, SyncSettings } from '../engine/sync/prepare-sync.ts';
import { openSignatureRounds, type SignatureRounds } from '../engine/sync/signature-rounds.ts';
import { fetchDocument } from '../remote/fetch-document.ts';
import type { Credentials, RemoteRegistry, Spool, Transport } from '../remote/model.ts';
import { loadCredentials } from '../remote/registry/credentials.ts';
import { createRegistry } from '../remote/registry/registry.ts';
import { createSpool } from '../remote/spool/spool.ts';
import { loadCertificates } from '../remote/transport/certificates.ts';
import { toEnvironment } from '../remote/transport/environment.ts';
import { loadSystemRoots } from '../remote/transport/system-roots.ts';
import { createTransport } from '../remote/transport/transport.ts';
import { createKeyCache } from '../trust/key-cache.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { loadPolicy } from './load-policy.ts';

interface ContextOptions {
  readonly report: Report;
  /** Where the document of the configuration is, or would be. */
  readonly configPath?: string | undefined;
  /** Of the program, for its user agent and for what it writes on a medium. */
  readonly version: string;
  /** The variables of the process: they name the public root store, and what is not used is named in errors. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Asks the URLs of trust roots, as an instance does at each start. Otherwise only their copies count. */
  readonly fetchKeys?: boolean;
  /** Keeps large downloads under the state root, as the one process may that holds its lock. */
  readonly spool?: boolean;
  /** For tests: milliseconds without a byte after which a peer counts as frozen. */
  readonly stallTimeout?: number;
}

/** What every operation that reaches out stands on, made from the configuration. */
export interface Context<C extends Config = Config> extends AsyncDisposable {
  readonly config: C;
  /** Where the document of the configuration is, or would be. */
  readonly configPath: string | undefined;
  readonly report: Report;
  readonly version: string;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly registry: RemoteRegistry;
  readonly policy: TrustPolicy;
  readonly spool: Spool | undefined;
  /** Certificates trusted besides the public roots. */
  readonly extraRoots: number;
  readonly rounds: SignatureRounds;
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
        detail: 'is not set, and trust roots by URL are cached there',
      });
    for (const root of remote)
      await cache.refresh(root, (url) =>
        fetchDocument(transport, {
          url,
          limit: keyLimit,
          purpose: 'trust key',
          credentials,
          retries: config.sync.retries,
        }),
      );
  }
  return loadPolicy(config, report);
}

/**
 * Opens the collaborators of a configuration. The store is opened apart, by who needs it.
 *
 * @throws SVC-NET-002, SVC-CFG-001 and what reading credentials and keys throws
 */
export async function openContext<C extends Config>(config: C, options: ContextOptions): Promise<Context<C>> {
  const { report, version } = options;
  const { registries, network, sync, transfer, state } = config;
  const { proxy, tls } = network;
  const credentials = await loadCredentials(registries.credentialsFile, report);
  const environment = toEnvironment(options.env ?? {});
  const ca = await loadCertificates(tls);
  const transport = createTransport({
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
    ...(options.stallTimeout === undefined ? {} : { stallTimeout: options.stallTimeout }),
  });
  try {
    const policy = await openTrust(config, transport, credentials, options);
    const spool =
      options.spool && state.root !== undefined && transfer.resumeThreshold > 0
        ? createSpool({ root: join(state.root, 'downloads'), threshold: transfer.resumeThreshold, report })
        : undefined;
    const registry = createRegistry({
      transport,
      credentials,
      substitutions: registries.substitutions,
      retries: sync.retries,
      report,
      spool,
    });
    return {
      config,
      configPath: options.configPath,
      report,
      version,
      transport,
      credentials,
      registry,
      policy,
      spool,
      extraRoots: ca.length,
      rounds: openSignatureRounds(state.root),
      [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
    };
  } catch (error) {
    await transport[Symbol.asyncDispose]();
    throw error;
  }
}

/** The destination of a configuration, where one is set. */
export function toDestinationSetting({ destination }: Config): Destination | undefined {
  const { registry, basePath, cookbook } = destination;
  return registry === undefined ? undefined : { registry, basePath, cookbook };
}

/** Whether a run prunes: as it was told, else as the mode has it. */
export function selectPrune(config: Config, told: boolean | undefined): boolean {
  return told ?? (config.mode === 'mirror' ? true : config.sync.prune);
}

/**
 * What a configuration tells a synchronization.
 *
 * @throws SVC-CFG-001 naming what is missing
 */
export function toSyncSettings(
  config: Config,
  choice: {
    readonly prune?: boolean | undefined;
    /** Instead of the configured source. */
    readonly source?: SyncSettings['source'] | undefined;
    readonly skipDestination?: boolean | undefined;
  } = {},
): SyncSettings {
  return {
    mode: config.mode,
    source: requireSetting('retriever.source', choice.source ?? config.retriever.source),
    zone: config.zone,
    basePrefix: config.storage.basePrefix,
    destination: choice.skipDestination ? undefined : toDestinationSetting(config),
    parallelism: config.sync.parallelism,
    retries: config.sync.retries,
    resumeThreshold: config.state.root === undefined ? 0 : config.transfer.resumeThreshold,
    marginPercent: config.preflight.safetyMarginPercent,
    preflightDisabled: config.preflight.disabled,
    prune: selectPrune(config, choice.prune),
    storeRoot: requireSetting('storage.root', config.storage.root),
    stateRoot: config.state.root,
  };
}
