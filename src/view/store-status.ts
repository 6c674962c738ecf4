import { type Report, silentReport } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { Notice } from '../contract/status.ts';
import { inspectVolume } from '../disk/volume.ts';
import { listUnserved } from '../engine/fileset/list-unserved.ts';
import { readHeaderOf } from '../engine/medium/find-medium.ts';
import { findImport, isStale, openFreshness, selectFreshest } from '../engine/medium/freshness.ts';
import { type Link, openLink } from '../link/link.ts';
import { showLink } from '../link/show-link.ts';
import { occupancyOf } from '../store/occupancy.ts';
import { peekTasks } from '../task/peek-tasks.ts';
import { createSchedule } from '../task/schedule.ts';
import { isSvcError } from '../text/error.ts';
import { listLoweredHere } from './lowered.ts';
import { openView } from './open-view.ts';
import { readRuns } from './read-runs.ts';
import { findMediumDelivery, listReceived } from './received-deliveries.ts';
import { listRecipes } from './recipes.ts';
import type { Run } from './runs.ts';
import { findOwnImport } from './zone/own-import.ts';
import { listWaits, type Waits } from './zone/waits.ts';
import type { StatusFacts } from './zone-status.ts';

type Shown = Pick<StatusFacts, 'volume' | 'nextSync'>;

/**
 * Reads the status of a store and its state without an instance. Takes no lock and changes nothing, so that it works beside one.
 *
 * @param options.version version of the program
 * @throws SVC-STO-001 when there is no store or the state cannot be read, SVC-STO-008
 */
export async function readStoreFacts(
  config: ConfigWith<'storage.root'>,
  options: { readonly report: Report; readonly version: string },
): Promise<StatusFacts> {
  await using view = await openView(config, options);
  const { store, gate } = view;
  const stateRoot = config.state.root;
  const tasks = stateRoot === undefined ? undefined : await peekTasks(stateRoot);
  const refusal = gate.refusal();
  const { bytes } = occupancyOf(store);
  const thresholdBytes = config.storage.occupancyThreshold;
  const exceeded = thresholdBytes !== undefined && bytes > thresholdBytes;
  const link = await readLink(config);
  const recipes = await listRecipes(view);
  const received = refusal === undefined ? {} : await readImport(config, store);
  const runs = await listRuns(config, store.mediaId, { tasks, lastImport: received.lastImport });
  const { files, storage } = config;
  const unserved = await listUnserved(store, gate, files.filesets, storage.basePrefix);
  return {
    version: options.version,
    mode: config.mode,
    zone: config.zone,
    store: { root: store.root, mediaId: store.mediaId, standing: store.standing },
    gate: {
      guarded: gate.guarded,
      serving: refusal === undefined ? 'open' : 'closed',
      code: refusal?.code,
    },
    occupancy: {
      bytes,
      thresholdBytes,
      monitored: thresholdBytes !== undefined,
      exceeded,
    },
    ...(await readVolume(store.root)),
    ...(await readNextSync(config, link)),
    link: showLink(link.record),
    pending: tasks?.unfinished ?? 0,
    unimported: false,
    notices: listNotices(config, {
      exceeded,
      isClosed: refusal !== undefined,
      isLinkDamaged: link.isDamaged,
      isLowered: listLoweredHere(runs, recipes).length > 0,
      isUnserved: unserved.length > 0,
    }),
    ...(unserved.length === 0
      ? {}
      : { unservedFilesets: unserved.map(({ name, error: { code } }) => ({ name, code })) }),
    ...received,
    waits: await readWaits(config, tasks),
    recipes,
    runs,
    refused: [],
  };
}

/**
 * Finished runs, newest first: of the queue of an instance, and imports of this medium by the command, which
 * have no queue. After its import, one that failed was of a bad copy, or pushed nothing that is not here.
 */
async function listRuns(
  { state }: ConfigWith<'storage.root'>,
  mediaId: string,
  {
    tasks,
    lastImport,
  }: Pick<StatusFacts, 'lastImport'> & {
    readonly tasks: Awaited<ReturnType<typeof peekTasks>> | undefined;
  },
): Promise<readonly Run[]> {
  if (state.root === undefined || tasks === undefined) return [];
  const heads = tasks.finished.filter(
    ({ type, command, reference, status, createdAt }) =>
      command === undefined ||
      type !== 'media-import' ||
      (reference === mediaId &&
        (status === 'done' || lastImport === undefined || createdAt <= lastImport.importedAt)),
  );
  return readRuns(heads, tasks.read);
}

/** The import of the medium as it is written now, and its delivery, when this state records one. */
async function readImport(
  { state, zone }: ConfigWith<'storage.root'>,
  { root, mediaId }: { readonly root: string; readonly mediaId: string },
): Promise<Pick<StatusFacts, 'imported' | 'newer' | 'lastImport' | 'delivery'>> {
  if (state.root === undefined || zone === undefined) return {};
  try {
    const header = await readHeaderOf(root);
    const { resolvedAt } = header;
    const delivery = await findMediumDelivery(state.root, { mediaId, delivery: header.delivery });
    const known = delivery === undefined ? {} : { delivery };
    const record = await openFreshness(state.root).get(zone);
    const own = await findOwnImport({ stateRoot: state.root, zone, record }, { mediaId, resolvedAt });
    if (own === undefined) return known;
    const { importedAt, runId } = own;
    const lastImport = { mediaId, importedAt, runId };
    // a part is not all that its delivery brings: the record of the delivery says how far that is
    const found = findImport(record, { mediaId, resolvedAt });
    if (found === undefined) return { ...known, lastImport };
    const freshest = selectFreshest(record, found.peer);
    const newer = isStale(found.resolvedAt, freshest) ? freshest?.mediaId : undefined;
    return { ...known, newer, imported: true, lastImport };
  } catch (error) {
    // a medium or a record that cannot be read is reported by the verification
    if (isSvcError(error)) return {};
    throw error;
  }
}

/** What the zone waits for by the records of this state; undefined without a zone, and where a record cannot be read. */
async function readWaits(
  { state, zone, retriever }: ConfigWith<'storage.root'>,
  tasks: Awaited<ReturnType<typeof peekTasks>> | undefined,
): Promise<Waits | undefined> {
  if (state.root === undefined || zone === undefined) return undefined;
  try {
    const runs = tasks === undefined ? [] : await readRuns(tasks.finished, tasks.read, { isAll: true });
    const received = await listReceived(state.root);
    const freshest = (await openFreshness(state.root).get(zone))?.runId;
    return listWaits({ received, runs, freshest, hasSource: retriever.source !== undefined });
  } catch (error) {
    if (isSvcError(error)) return undefined;
    throw error;
  }
}

async function readVolume(root: string): Promise<Pick<Shown, 'volume'>> {
  try {
    const { freeBytes, totalBytes } = await inspectVolume(root);
    return { volume: { freeBytes, totalBytes } };
  } catch (error) {
    if (isSvcError(error)) return {};
    throw error;
  }
}

/** The cap and the windows that an instance with this state would use. */
async function readLink({ network, sync, state }: ConfigWith<'storage.root'>): Promise<Link> {
  const link = await openLink({
    stateRoot: state.root,
    configured: { rateLimit: network.rateLimit, ...sync },
    report: silentReport,
  });
  link.stop();
  return link;
}

/** When an instance with this state would start the next synchronization. */
async function readNextSync(
  { mode, sync, state }: ConfigWith<'storage.root'>,
  { toOpen }: Pick<Link, 'toOpen'>,
): Promise<Pick<Shown, 'nextSync'>> {
  if (mode !== 'passthrough') return {};
  const { next } = await createSchedule({
    stateRoot: state.root,
    configured: sync.interval,
    report: silentReport,
    isPending: () => true,
    toOpen,
    trigger: async () => {},
  });
  return next === undefined ? {} : { nextSync: next };
}

/** Notices from the configuration and the store; those that only a running instance knows are absent. */
function listNotices(
  { auth, files, trust, preflight }: ConfigWith<'storage.root'>,
  {
    exceeded,
    isClosed,
    isLinkDamaged,
    isLowered,
    isUnserved,
  }: {
    readonly exceeded: boolean;
    readonly isClosed: boolean;
    readonly isLinkDamaged: boolean;
    readonly isLowered: boolean;
    readonly isUnserved: boolean;
  },
): readonly Notice[] {
  const found: readonly (Notice | false)[] = [
    auth.disabled && 'authentication-disabled',
    exceeded && 'occupancy-exceeded',
    [...files.filesets, ...files.views].some(({ anonymous }) => anonymous) && 'anonymous-filesets',
    trust.scopes.length > 0 && 'relaxed-scopes',
    isClosed && 'gate-closed',
    isLowered && 'recipes-lowered',
    isUnserved && 'filesets-unserved',
    isLinkDamaged && 'link-damaged',
    preflight.disabled && 'preflight-disabled',
  ];
  return found.filter((notice) => notice !== false);
}
