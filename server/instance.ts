import type { Authenticator } from '../src/account/authenticate.ts';
import type { Identity } from '../src/account/model.ts';
import type { Report } from '../src/base/report.ts';
import type { Bounds } from '../src/base/shares/shares.ts';
import type { ListenerCertificate } from '../src/certificate/listener-certificate.ts';
import type { ConfiguredPath } from '../src/config/list-paths.ts';
import type { ListenAddress } from '../src/config/listen-address.ts';
import { createApi } from './api/api.ts';
import type { ApiParts } from './api/api-route.ts';
import { openRecords } from './api/open-records.ts';
import { apiRoutes } from './api/routes.ts';
import { type App, createApp } from './app.ts';
import { createClientAddress, createClientScheme, createIsProxy } from './client-address.ts';
import { createConceal } from './conceal.ts';
import { createFiles } from './files/files.ts';
import { createIdentify } from './identity.ts';
import { type Listener, listen } from './listen.ts';
import { createConditions } from './probe/conditions.ts';
import type { Metrics } from './probe/metrics.ts';
import { createProbes } from './probe/probes.ts';
import { createReadiness } from './probe/readiness.ts';
import { sampleState } from './probe/state.ts';
import type { VolumeLook } from './probe/volume-look.ts';
import { createZoneGauges } from './probe/zone-gauges.ts';
import { RefusalLog } from './refusal-log.ts';
import { BlobHomes } from './registry/blob-homes.ts';
import { createRegistry } from './registry/registry.ts';
import { UploadRoom } from './registry/upload-room.ts';
import { UploadSessions } from './registry/upload-sessions.ts';
import { BodyRoom } from './shares/body-room.ts';
import { planDescriptors } from './shares/plan-descriptors.ts';
import { Turns } from './shares/turns.ts';
import { loadAssets } from './ui/load-assets.ts';
import { uiRoutes } from './ui/routes.ts';
import { createUi } from './ui/ui.ts';
import type { UiSettings } from './ui/ui-route.ts';
import { showMediumDelivery } from './views/media.ts';

interface InstanceParts
  extends Omit<ApiParts, 'store' | 'tasks' | 'names' | 'conceal' | 'conditions' | 'authenticator'> {
  /** Undefined: authentication is disabled. The failures that it audits are counted with the others. */
  readonly openAuthenticator: ((report: Report) => Authenticator) | undefined;
  /** Settings of the web interface. Default: those of a configuration that sets none of them. */
  readonly ui?: Partial<UiSettings>;
  /** Paths of the machine that only administrators may see. */
  readonly privatePaths: readonly ConfiguredPath[];
  readonly address: ListenAddress;
  /**
   * Names by which the instance may be addressed while authentication is disabled, in addition to its
   * address.
   */
  readonly hosts: readonly string[];
  /** Audit records of refusals, failures and sign-ins in a minute. Default: those of an instance. */
  readonly auditRecords?: Bounds;
  /** Trusted proxies (addresses, CIDR blocks), whose forwarding headers are used. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Limit of open files of the process, connections included. Undefined: no limit. */
  readonly openFiles?: number | undefined;
  readonly metrics: Metrics;
  /** Free bytes on the store's volume. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes of that volume that uploads leave free. Default: 0. */
  readonly reserve?: number | undefined;
  /** Looks at the folders of the store and of the state. */
  readonly volumes: { readonly store: VolumeLook; readonly state?: VolumeLook | undefined };
  /** Number of recipes of the medium withdrawn since their verification. Default: none. */
  readonly withdrawn?: () => number;
}

export interface RunningInstance {
  readonly url: string;
  readonly app: App;
  /**
   * Stops the instance: `/readyz` answers 503, requests under way get the grace period, then every socket is
   * closed.
   *
   * @param grace milliseconds
   */
  stop(grace: number): Promise<void>;
}

/** Lists the names of this instance in order of preference. An address of all interfaces is no name. */
function toNames({ hosts, address: { host } }: InstanceParts): readonly string[] {
  const isEverywhere = host === undefined || host === '0.0.0.0' || host === '::';
  return isEverywhere ? hosts : [...hosts, host];
}

function watchCertificate(certificate: ListenerCertificate | undefined, listener: Listener): () => void {
  return certificate?.watch((pair) => listener.setPair(pair)) ?? (() => {});
}

const uiDefaults: UiSettings = {
  secureCookies: false,
  showUpcoming: false,
  build: { commit: 'unknown', date: 'unknown' },
};

/** Minimum time between two records about closed connections, in milliseconds. */
const fullInterval = 60_000;

/** Makes the function that logs connections closed for others, at most once a minute. */
function warnOfFullness(report: Report, { total, share }: Bounds): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let closed = 0;
  return () => {
    closed += 1;
    if (performance.now() - last < fullInterval) return;
    report.log('warn', 'closing connections: their limit, or the share of an origin, is reached', {
      limit: total,
      share: share.origin,
      closed,
    });
    last = performance.now();
    closed = 0;
  };
}

/**
 * Builds the surfaces and opens the listener.
 *
 * @throws SVC-CFG-001 when the address is not available, SVC-NET-003 when the certificate is unusable
 */
export async function startInstance(parts: InstanceParts): Promise<RunningInstance> {
  const { address, metrics, gate, certificate, accounts } = parts;
  const { context, store, tasks, filesets, views } = parts.instance;
  const refusals = new RefusalLog(parts.report, {
    auditRecords: parts.auditRecords,
    isAdmin: (actor) => accounts?.roleOf(actor) === 'admin',
  });
  const { report } = refusals;
  const authenticator = parts.openAuthenticator?.(report);
  const identify = createIdentify({
    authenticator,
    hosts: [
      ...parts.hosts,
      ...(address.host === undefined ? [] : [address.host]),
      ...(parts.publicBase === undefined ? [] : [parts.publicBase.host.replace(/:\d+$/, '')]),
    ].map((host) => host.toLowerCase()),
    report,
  });
  const conceal = createConceal(parts.privatePaths);
  const isCurrent = (identity: Identity): boolean => accounts?.isCurrent(identity) ?? true;
  const descriptors = planDescriptors(parts.openFiles);
  const uploads = new UploadSessions({ bounds: descriptors.uploads }, isCurrent);
  accounts?.onChange(() => uploads.endOutdated());
  const room = new UploadRoom({
    path: store.root,
    reserve: parts.reserve ?? 0,
    freeBytes: parts.freeBytes,
    pending: () => uploads.pending,
  });
  const bodies = new BodyRoom();
  const turns = new Turns();
  const readiness = createReadiness({
    isDraining: () => app.draining,
    refusal: () => gate.refusal(),
    withdrawn: parts.withdrawn ?? (() => 0),
    delivery: () => showMediumDelivery(parts),
    store,
    zone: context.config.zone,
    volumes: parts.volumes,
    certificate,
    isStoreFull: () => room.isFull(),
  });
  const conditions = createConditions(readiness);
  const apiParts: ApiParts = {
    ...parts,
    store,
    tasks,
    authenticator,
    report,
    names: toNames(parts),
    conceal,
    conditions,
  };
  const { historyRole } = context.config.auth;
  const opened = openRecords(apiRoutes, historyRole);
  const ui = createUi(
    {
      ...apiParts,
      settings: { ...uiDefaults, ...parts.ui },
      identify,
      bodies,
      turns,
      assets: await loadAssets(),
    },
    openRecords(uiRoutes, historyRole),
    opened,
  );
  metrics.onSample(async (meter) =>
    sampleState(meter, { ...apiParts, active: app.active, readiness: await readiness() }),
  );
  metrics.onSample(createZoneGauges(apiParts));
  const app = createApp({
    report,
    refusals,
    toClientAddress: createClientAddress(parts.trustedProxies ?? []),
    toClientScheme: createClientScheme(parts.trustedProxies ?? []),
    registry: createRegistry({
      identify,
      conceal,
      store,
      gate,
      uploads,
      homes: new BlobHomes(),
      report,
      room,
      bodies,
      turns,
      isCurrent,
      onChange: (actor, origin) => {
        filesets.review(actor, origin);
        views.review();
      },
    }),
    api: createApi({ ...apiParts, identify, bodies, turns }, opened),
    ui: (exchange) => ui.handle(exchange),
    failUi: (error, exchange) => ui.fail(error, exchange),
    files: createFiles({ conceal, filesets, views, gate, identify, report }),
    probes: createProbes({
      metrics,
      report,
      readiness,
      turns,
    }),
    turns,
    observe: ({ req, surface }, status, milliseconds) =>
      metrics.observeRequest(surface, req.method ?? '', status, milliseconds / 1000),
  });
  let listener: Listener;
  try {
    listener = await listen({
      address,
      handler: app.handler,
      tls: certificate?.pair,
      places: {
        bounds: descriptors.connections,
        isProxy: createIsProxy(parts.trustedProxies ?? []),
        onFull: warnOfFullness(report, descriptors.connections),
      },
    });
  } catch (error) {
    refusals[Symbol.dispose]();
    await uploads[Symbol.asyncDispose]();
    throw error;
  }
  const unwatch = watchCertificate(certificate, listener);
  let counted = 0;
  metrics.onSample((meter) => {
    const { sentBytes } = listener;
    meter.add('svc_http_sent_bytes_total', sentBytes - counted);
    counted = sentBytes;
  });
  return {
    url: listener.url,
    app,
    stop: async (grace) => {
      app.drain();
      unwatch();
      if (!(await app.settled(grace))) {
        report.log('warn', 'requests were still open when the grace period ended');
      }
      await listener.close();
      refusals[Symbol.dispose]();
      await uploads[Symbol.asyncDispose]();
    },
  };
}
