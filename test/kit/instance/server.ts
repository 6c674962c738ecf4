import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gate } from '../../../server/gate.ts';
import { type RunningInstance, startInstance } from '../../../server/instance.ts';
import { type Operations, operations } from '../../../server/operations.ts';
import { createMetrics } from '../../../server/probe/metrics.ts';
import { openVolumeLook, type VolumeLook } from '../../../server/probe/volume-look.ts';
import type { UiSettings } from '../../../server/ui/ui-route.ts';
import { type Accounts, openAccounts } from '../../../src/account/accounts.ts';
import { createAuthenticator } from '../../../src/account/authenticate.ts';
import { Sessions } from '../../../src/account/sessions.ts';
import { Throttle } from '../../../src/account/throttle.ts';
import type { Report } from '../../../src/base/report.ts';
import type { Bounds } from '../../../src/base/shares/shares.ts';
import type { ListenerCertificate } from '../../../src/certificate/listener-certificate.ts';
import type { RegistryBase } from '../../../src/client/node-mirrors.ts';
import {
  type ChartViews,
  createChartViews,
  type ViewSetting,
} from '../../../src/engine/fileset/chart-views.ts';
import type { FilesetSetting } from '../../../src/engine/fileset/select-fileset.ts';
import { type LinkSettings, openLink } from '../../../src/link/link.ts';
import { createServedFilesets } from '../../../src/operation/filesets.ts';
import type { Store } from '../../../src/store/model.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';
import { openTasks, type TaskRunner, type Tasks } from '../../../src/task/queue.ts';
import { createSchedule } from '../../../src/task/schedule.ts';
import { requireDocumented } from '../result/documented.ts';
import type { ScriptedMedia } from '../scene/media-state.ts';
import { createOpenGate } from './open-gate.ts';
import { createRecordingReport, type RecordingReport } from './recording-report.ts';
import { openTestInstance, type TestSettings } from './test-instance.ts';

export interface TestServerOptions extends TestSettings {
  /** A folder of its own: `store` and `state` go below it. */
  readonly folder: string;
  readonly zone?: string;
  readonly authDisabled?: boolean;
  readonly hosts?: readonly string[];
  /** Audit records of refusals in a minute. Default: more than a test makes. */
  readonly auditRecords?: Bounds;
  readonly gate?: (store: Store) => Gate;
  /** Settings of the transfers with other hosts. Default: none. */
  readonly link?: Partial<LinkSettings>;
  readonly filesets?: readonly FilesetSetting[];
  readonly views?: readonly ViewSetting[];
  readonly media?: ScriptedMedia;
  /** Answers in the place of operations. Default: the operations themselves. */
  readonly operations?: Partial<Operations>;
  readonly certificate?: ListenerCertificate;
  readonly freeBytes?: () => Promise<number>;
  /** The look at the volumes of the store and the state. Default: those of the folder, whose free space changes. */
  readonly volume?: VolumeLook;
  readonly trustedProxies?: readonly string[];
  readonly publicBase?: RegistryBase;
  /** The clock of sessions and throttle, in milliseconds. Default: that of the process. */
  readonly now?: () => number;
  /** The work of tasks. Default: nothing. */
  readonly run?: TaskRunner;
  readonly ui?: Partial<UiSettings>;
}

/** The surfaces over a real store, real accounts and a real queue, on a free port of 127.0.0.1; no process. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly instance: RunningInstance;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly tasks: Tasks;
  readonly views: ChartViews;
  readonly report: RecordingReport;
  /** `Authorization` of a token with this role. */
  readonly as: Readonly<Record<'viewer' | 'operator' | 'admin', string>>;
  /** A request as the administrator unless `authorization` says otherwise. Rejects for an answer of the API that is not documented. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const stateRoot = join(options.folder, 'state');
  const report = createRecordingReport();
  const store = await openStore({
    root: join(options.folder, 'store'),
    stateRoot,
    zone: options.zone,
    access: 'serve',
    producer: { version: '0.0.0-test' },
    report,
  });
  const accounts = openAccounts({
    stateRoot,
    report,
    hashing: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
  });
  if (await accounts.isEmpty()) await accounts.create({ name: 'admin', password: 'admin password' });
  const now = options.now ?? (() => performance.now());
  const openAuthenticator = (counted: Report) =>
    createAuthenticator({
      accounts,
      sessions: new Sessions({ ttl: 3_600_000, now }),
      throttle: new Throttle({ now }),
      report: counted,
      now,
    });
  const token = async (role: string): Promise<string> => {
    const name = `${role}-${performance.now().toString().replace('.', '-')}`;
    return `Bearer ${(await accounts.tokens.create({ name, role })).secret}`;
  };
  const as = {
    viewer: await token('viewer'),
    operator: await token('operator'),
    admin: await token('admin'),
  };
  const tasks = await openTasks({ stateRoot, keepFinished: 0, report, run: options.run ?? (async () => {}) });
  tasks.start();
  const schedule = await createSchedule({
    stateRoot,
    configured: 900_000,
    report,
    isPending: () => tasks.pending('sync') > 0,
    trigger: async () => {},
  });
  const link = await openLink({ stateRoot, configured: { timeZone: 'UTC', ...options.link }, report });
  const gate = options.gate?.(store) ?? createOpenGate({ rehash: false });
  const stopping = new AbortController();
  const source = options.retriever?.().source;
  const config = {
    files: { packRoots: [], filesets: options.filesets ?? [], views: options.views ?? [] },
    storage: { root: store.root },
    state: { root: stateRoot },
    preflight: { safetyMarginPercent: 10, disabled: false },
  };
  const views = createChartViews({ config, store, gate, report });
  const filesets = createServedFilesets({
    config,
    store,
    gate,
    report,
    signal: stopping.signal,
  });
  const instance = await openTestInstance({
    settings: options,
    ...{ store, tasks, filesets, views, report, stateRoot },
    zone: options.zone,
    media: options.media,
    signal: stopping.signal,
  });
  const running = await startInstance({
    privatePaths: [
      { setting: 'storage.root', path: store.root },
      { setting: 'state.root', path: stateRoot },
      ...(source?.startsWith('/') ? [{ setting: 'retriever.source', path: source }] : []),
    ],
    version: '0.0.0-test',
    gate,
    instance,
    operations: { ...operations, ...options.media?.operations, ...options.operations },
    schedule,
    link,
    accounts,
    openAuthenticator: options.authDisabled ? undefined : openAuthenticator,
    certificate: options.certificate,
    report,
    address: { host: '127.0.0.1', port: 0 },
    hosts: options.hosts ?? [],
    // a test refuses more in a second than people do in a minute
    auditRecords: options.auditRecords ?? {
      total: 100_000,
      reserve: 0,
      share: { origin: 100_000, account: 100_000, admin: 100_000 },
    },
    publicBase: options.publicBase,
    trustedProxies: options.trustedProxies ?? [],
    ui: options.ui ?? {},
    metrics: createMetrics({ version: '0.0.0-test', commit: 'none' }),
    freeBytes:
      options.freeBytes ??
      (async () => {
        const { bavail, bsize } = await statfs(store.root);
        return bavail * bsize;
      }),
    volumes: {
      store: options.volume ?? (await openVolumeLook(store.root)),
      state: options.volume ?? (await openVolumeLook(stateRoot)),
    },
  });
  return {
    url: running.url,
    instance: running,
    store,
    accounts,
    tasks,
    views,
    report,
    as,
    fetch: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has('authorization') && !options.authDisabled) headers.set('authorization', as.admin);
      const response = await fetch(`${running.url}${path}`, { redirect: 'manual', ...init, headers });
      await requireDocumented(init.method ?? 'GET', path, response);
      return response;
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop(0);
      await schedule.stop();
      link.stop();
      stopping.abort(new Error('the test is over'));
      await filesets[Symbol.asyncDispose]();
      await views[Symbol.asyncDispose]();
      await tasks.drain(0);
      await tasks[Symbol.asyncDispose]();
      await instance.context[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await accounts[Symbol.asyncDispose]();
    },
  };
}
