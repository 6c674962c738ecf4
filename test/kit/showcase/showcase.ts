import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import type { Task } from '../../../src/contract/task.ts';
import { occupancyOf } from '../../../src/store/occupancy.ts';
import { type SvcError, svcError } from '../../../src/text/error.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { createSigner } from '../content/signer.ts';
import { createOpenGate } from '../instance/open-gate.ts';
import { startTestServer, type TestServer } from '../instance/server.ts';
import { unbrokenRecords, writeAudit } from '../scene/audit-records.ts';
import { mediumReport, type ScriptedMedia, scriptMedia } from '../scene/media-state.ts';
import {
  mediumStates,
  showcaseDelivery,
  showcaseExport,
  showcaseImport,
  showcaseInspection,
  showcasePlan,
  showcasePrune,
  toRetriever,
} from './answers.ts';
import { scriptAuthoring } from './authoring.ts';
import { showcaseArrival } from './delivery.ts';
import { daysAgo, lastSync, runForever, runPartial, writeHistory } from './history.ts';
import { writeLedger } from './ledger.ts';
import { showcaseProof } from './proof.ts';
import { writeReceipts } from './receipts.ts';
import { fingerprint, stock } from './stock.ts';
import { showcaseZoneSettings, showcaseZones } from './zones.ts';

const GiB = 1 << 30;
export const password = 'a good password';
/** A folder whose proof runs until it is cancelled. */
export const slowFolder = '/mnt/slow-disk/delivery';

/** The instance of a zone in the middle of its week, whose state a test may turn. */
export interface Showcase extends AsyncDisposable {
  readonly server: TestServer;
  readonly media: ScriptedMedia;
  /** Identifier of the synchronization that runs, once {@link startSync} was called. */
  readonly running: string | undefined;
  startSync(): Promise<string>;
  /** Identifier of the synchronization that ended last, with a refused recipe. */
  readonly partial: string;
  /** Closes the gate, or opens it again. */
  closed: boolean;
  /** Fails operations that use the network, as when no place is free. */
  failure: SvcError | undefined;
  /** Notices of everything that a notice can be about. */
  alarmed: boolean;
  /** Shows the running task as it is when nothing has moved for two minutes. */
  stalled: boolean;
}

/**
 * Opens an instance with a week of history. It has recipes in several versions, one refused, imports, charts, long names,
 * tasks of each kind, a medium with a partial verdict. Accounts: `alice` (admin), `olga` (operator), `vera` (viewer), all
 * with {@link password}.
 *
 * @param folder of its own, empty
 */
export async function openShowcase(folder: string): Promise<Showcase> {
  await writeHistory(join(folder, 'state'));
  await openArrivals(join(folder, 'state')).update(showcaseArrival, () => showcaseArrival);
  await writeAudit(join(folder, 'state'), unbrokenRecords);
  await writeLedger(join(folder, 'state'));
  const peers = await writeReceipts(folder);
  const media = scriptMedia(() => Promise.reject(new Error('this medium is not imported')));
  media.current = mediumStates.partial!;
  const state = { closed: false, failure: undefined as SvcError | undefined, alarmed: false, stalled: false };
  const asked = async <T>(value: T): Promise<T> => {
    if (state.failure !== undefined) throw state.failure;
    return value;
  };
  let records: readonly RecipeRecord[] = [];
  let isSettled = false;
  let minutesAgo: number = lastSync.began;
  let opened: TestServer | undefined;
  const open = createOpenGate({ rehash: false });
  const server = await startTestServer({
    folder,
    zone: 'zone-b',
    custodySite: 'zone-b',
    peers,
    zones: showcaseZoneSettings,
    media,
    hosts: ['registry.zone-b.example'],
    roots: [{ name: 'release', key: createSigner().publicKey, fingerprint }],
    gate: ({ mediaId }) =>
      new Proxy(open, {
        get: (gate, name) => {
          if (!state.closed) return Reflect.get(gate, name);
          if (name === 'guarded') return true;
          if (name === 'refusal') return () => svcError('SVC-MED-030', { mediaId });
          return Reflect.get(gate, name);
        },
      }),
    filesets: [
      { name: 'manuals', ref: 'localhost/filesets/manuals', anonymous: true },
      { name: 'packages', ref: 'registry.example/mirror/packages', anonymous: false },
    ],
    run: (_task, _request, journal, signal) => {
      if (isSettled) return runForever(journal, signal);
      minutesAgo = lastSync.ended;
      return runPartial(journal, records);
    },
    retriever: () => ({
      ...toRetriever(),
      ...(state.alarmed ? { anonymousFilesets: ['manuals'] } : { relaxedScopes: [], anonymousFilesets: [] }),
    }),
    occupancyThreshold: () =>
      state.alarmed && opened !== undefined ? occupancyOf(opened.store).bytes / 2 : 16 * GiB,
    proxyURL: 'http://proxy.zone-b.example:3128',
    packRoots: ['/srv'],
    operations: {
      beginProof: async ({ proofs }, { folders = [] }) => {
        const proof = await asked(showcaseProof);
        proofs.begin({ folders }, async (onProgress, signal) => {
          onProgress({ step: 'media', files: 418, bytes: 2 * GiB, totalBytes: 5 * GiB });
          if (folders.includes(slowFolder)) await once(signal, 'abort');
          return proof;
        });
      },
      readZoneBoards: async (_context, { zones }) =>
        asked(showcaseZones.filter((board) => zones.some(({ name }) => name === board.name))),
      planMediaWrite: (_instance, { zone }) =>
        asked({ ...showcaseDelivery, delivery: { ...showcaseDelivery.delivery, zone } }),
      planSync: () => asked({ plan: showcasePlan, exit_code: 4 }),
      previewPrune: () => asked(showcasePrune),
      inspectArtifact: () => asked(showcaseInspection),
      ...scriptAuthoring(asked),
      previewLayoutExport: () => asked(showcaseExport),
      previewLayoutImport: () => asked(showcaseImport),
    },
  });
  opened = server;
  records = await stock(server.store);
  const source = 'https://registry.example/zone-b.yaml';
  // the run of the past has the times of the past
  systemClock.wall = () => Date.now() - minutesAgo * 60_000;
  const last = await server.tasks.submit({ type: 'sync', reference: source, actor: 'schedule' });
  await server.tasks.settled(last.id);
  systemClock.wall = () => Date.now();
  isSettled = true;
  for (const [name, role] of [
    ['alice', 'admin'],
    ['olga', 'operator'],
    ['vera', 'viewer'],
  ] as const)
    await server.accounts.create({ name, role, password });
  await server.accounts.tokens.create({ name: 'nodes', role: 'viewer' });
  media.record = {
    zone: 'zone-b',
    root: '/media/disk',
    mediaId: server.store.mediaId,
    lastImport: {
      mediaId: 'med_11aa22bb33cc44dd',
      resolvedAt: mediumReport().freshness!.recordedAt!,
      importedAt: daysAgo(3),
      runId: 'run_5f00c0ffee00',
    },
  };
  const { tasks } = server;
  const stall = <T extends Pick<Task, 'status' | 'progress'>>(task: T): T =>
    state.stalled && task.status === 'running'
      ? { ...task, progress: { ...task.progress, bytesPerSecond: 0, stalledSeconds: 130 } }
      : task;
  const [get, list, listHeads] = [tasks.get, tasks.list, tasks.listHeads].map((one) => one.bind(tasks)) as [
    typeof tasks.get,
    typeof tasks.list,
    typeof tasks.listHeads,
  ];
  Object.assign(tasks, {
    get: async (id: string) => stall(await get(id)),
    list: async (query: Parameters<typeof list>[0]) => {
      const page = await list(query);
      return { ...page, tasks: page.tasks.map(stall) };
    },
    listHeads: (query: Parameters<typeof listHeads>[0]) => {
      const page = listHeads(query);
      return { ...page, tasks: page.tasks.map(stall) };
    },
  });
  let running: string | undefined;
  return {
    server,
    media,
    partial: last.id,
    get running() {
      return running;
    },
    startSync: async () => {
      const task = await server.tasks.submit({ type: 'sync', reference: source, actor: 'alice' });
      running = task.id;
      return running;
    },
    get closed() {
      return state.closed;
    },
    set closed(value) {
      state.closed = value;
    },
    get failure() {
      return state.failure;
    },
    set failure(value) {
      state.failure = value;
    },
    get stalled() {
      return state.stalled;
    },
    set stalled(value) {
      state.stalled = value;
    },
    get alarmed() {
      return state.alarmed;
    },
    set alarmed(value) {
      state.alarmed = value;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
