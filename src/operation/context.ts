import { join } from 'node:path';
import { svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import type { Destination, SyncSettings } from '../engine/prepare-sync.ts';
import { loadCertificates } from '../remote/certificates.ts';
import { loadCredentials } from '../remote/credentials.ts';
import { fetchDocument } from '../remote/fetch-document.ts';
import type { Credentials, RemoteRegistry, Spool, Transport } from '../remote/model.ts';
import { createRegistry } from '../remote/registry.ts';
import { createSpool } from '../remote/spool.ts';
import { createTransport } from '../remote/transport.ts';
import { createKeyCache } from '../trust/key-cache.ts';
import type { TrustPolicy } from '../trust/model.ts';
import { loadPolicy } from './load-policy.ts';

export interface ContextOptions {
  readonly report: Report;
  /** Of the program, for its user agent and for what it writes on a medium. */
  readonly version: string;
  /** Asks the URLs of trust roots, as an instance does at each start. Otherwise only their copies count. */
  readonly fetchKeys?: boolean;
  /** Keeps large downloads under the state root, as the one process may that holds its lock. */
  readonly spool?: boolean;
  /** For tests: milliseconds without a byte after which a peer counts as frozen. */
  readonly stallTimeout?: number;
}

/** What every operation that reaches out stands on, made from the configuration. */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  readonly report: Report;
  readonly version: string;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly registry: RemoteRegistry;
  readonly policy: TrustPolicy;
  readonly spool: Spool | undefined;
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
      throw svcError('SVC-CFG-001', { setting: 'state.root', detail: 'a trust root by URL is kept there' });
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
export async function openContext(config: Config, options: ContextOptions): Promise<Context> {
  const { report, version } = options;
  const { registries, network, sync, transfer, state } = config;
  const { proxy, tls } = network;
  const credentials = await loadCredentials(registries.credentialsFile, report);
  const transport = createTransport({
    allowlist: registries.allowlist,
    insecure: registries.insecure,
    proxy,
    tls: { ca: await loadCertificates(tls), exclusiveTrust: tls.exclusiveTrust },
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
      report,
      version,
      transport,
      credentials,
      registry,
      policy,
      spool,
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
  const source = choice.source ?? config.retriever.source;
  if (config.mode === undefined)
    throw svcError('SVC-CFG-001', { setting: 'mode', detail: 'is required and not set' });
  if (source === undefined)
    throw svcError('SVC-CFG-001', { setting: 'retriever.source', detail: 'is required and not set' });
  if (config.storage.root === undefined)
    throw svcError('SVC-CFG-001', { setting: 'storage.root', detail: 'is required and not set' });
  return {
    mode: config.mode,
    source,
    zone: config.zone,
    basePrefix: config.storage.basePrefix,
    destination: choice.skipDestination ? undefined : toDestinationSetting(config),
    parallelism: config.sync.parallelism,
    retries: config.sync.retries,
    resumeThreshold: config.state.root === undefined ? 0 : config.transfer.resumeThreshold,
    // zero stands for the default
    marginPercent: config.preflight.safetyMarginPercent || 10,
    preflightDisabled: config.preflight.disabled,
    prune: selectPrune(config, choice.prune),
    storeRoot: config.storage.root,
    stateRoot: config.state.root,
  };
}
