import type { Identity } from '../../src/account/model.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { LoweredRecipe } from '../../src/contract/common.ts';
import type { Identity as Caller } from '../../src/contract/identity.ts';
import { type Notice, notice, type Status } from '../../src/contract/status.ts';
import { selectObstacles } from '../../src/engine/medium/report.ts';
import { showLink } from '../../src/link/show-link.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { listLoweredHere } from '../../src/view/lowered.ts';
import { listRecipes } from '../../src/view/recipes.ts';
import { listBlocked } from './blocked.ts';
import { findVerification, isUnimported, showLastImport, showMediumDelivery } from './media.ts';
import type { Viewer, ViewParts } from './parts.ts';
import { describeOccupancy, describeRetriever } from './retriever.ts';
import { listRuns } from './runs.ts';
import { listTaskSummaries } from './tasks.ts';
import { showVolume } from './volume.ts';
import { listWaitsNow } from './zone/waits.ts';

/** Codes of a refused medium that a status has. */
const mostReasons = 8;

/**
 * Shows the identity behind a request.
 *
 * @param sessionLeft milliseconds for which the session of the request lives on
 */
export function showIdentity(
  { actor, role, via, account }: Identity,
  { sessionLeft, now = systemClock.wall() }: { readonly sessionLeft: number; readonly now?: number },
): Caller {
  return {
    name: actor,
    role,
    via,
    account,
    // whole seconds, so that the answer stays the same while the session does
    ...(via === 'session'
      ? { expiresAt: new Date(Math.round((now + sessionLeft) / 1000) * 1000).toISOString() }
      : {}),
  };
}

type Parts = Pick<ViewParts, 'store' | 'gate' | 'instance' | 'conditions' | 'link' | 'tasks'>;

const publicNotices = ['draining', 'store-away', 'state-away'] as const;

/** Notices for everybody, signed in or not: while one applies, signing in may be impossible. `/readyz` has them too. */
export async function listPublicNotices({
  conditions,
}: Pick<ViewParts, 'conditions'>): Promise<readonly (typeof publicNotices)[number][]> {
  const found = await conditions();
  return publicNotices.filter((name) => found.has(name));
}

/** Lists recipes of which the source offered a lower version at the last run than is here. */
export async function listLowered(parts: Parts, viewer: Viewer): Promise<readonly LoweredRecipe[]> {
  const found = await parts.conditions();
  // a state or a medium that does not answer is not asked: the process would wait for it
  if (found.has('store-away') || found.has('state-away')) return [];
  const run = (await listRuns(parts, viewer)).find(({ recipes }) => recipes.length > 0);
  // the recipes are read for the rare run that found one: each page asks
  if (!run?.recipes.some(({ lowerThan }) => lowerThan !== undefined)) return [];
  return listLoweredHere([run], await listRecipes(parts));
}

/** Lists the notices that apply now, in order of importance. */
export async function listNotices(
  parts: Parts,
  viewer: Viewer & Pick<Identity, 'via'>,
): Promise<readonly Notice[]> {
  const { store, gate, instance, conditions, link } = parts;
  const { config } = instance.context;
  const { anonymousFilesets, relaxedScopes } = describeRetriever(parts);
  const found = await conditions();
  // a medium that does not answer is not asked: the process would wait for it
  const isAway = found.has('store-away');
  const applies: Readonly<Record<Notice, boolean>> = {
    draining: found.has('draining'),
    'store-away': isAway,
    'state-away': found.has('state-away'),
    'store-new': store.earlier !== undefined,
    'authentication-disabled': viewer.via === 'disabled',
    'occupancy-exceeded': describeOccupancy(parts).exceeded,
    'anonymous-filesets': anonymousFilesets.length > 0,
    'relaxed-scopes': relaxedScopes.length > 0,
    'gate-closed': !isAway && gate.refusal() !== undefined,
    'recipes-blocked': !isAway && listBlocked(parts).length > 0,
    'recipes-lowered': (await listLowered(parts, viewer)).length > 0,
    'filesets-unserved': !isAway && instance.filesets.unserved().length > 0,
    'store-foreign': found.has('store-foreign'),
    'store-read-only': store.readOnly !== undefined,
    'link-damaged': link.isDamaged,
    'store-full': found.has('store-full'),
    'state-full': found.has('state-full'),
    'certificate-early': found.has('certificate-early'),
    'certificate-expired': found.has('certificate-expired'),
    'preflight-disabled': config.preflight.disabled,
  };
  return notice.enum.filter((notice) => applies[notice]);
}

/** The codes for which the last verification refused the medium, each once. */
export function listReasons(parts: Pick<ViewParts, 'instance'>): readonly ErrorCode[] {
  const report = findVerification(parts)?.report;
  const codes = report === undefined ? [] : selectObstacles(report).map(({ code }) => code);
  return [...new Set(codes)].slice(0, mostReasons);
}

/** The part of the status that changes while tasks run. */
export async function showProgress(
  parts: Parts,
  viewer: Viewer,
): Promise<Pick<Status, 'running' | 'pending' | 'link' | 'lastImport'>> {
  const { conditions, tasks, link } = parts;
  const found = await conditions();
  // a state that does not answer is not asked
  const isAway = found.has('store-away') || found.has('state-away');
  const lastImport = isAway ? undefined : await showLastImport(parts);
  const [running] = listTaskSummaries(parts, viewer, { status: 'running', pageSize: 1 }).tasks;
  return {
    lastImport,
    running,
    link: showLink(link.record),
    pending: tasks.pending(),
  };
}

/** Shows the state of the instance. Nothing in it is a secret of the configuration. */
export async function showStatus(
  parts: Parts & Pick<ViewParts, 'version' | 'schedule' | 'volumes'>,
  viewer: Pick<Identity, 'role' | 'via'>,
): Promise<Status> {
  const { version, gate, instance, schedule } = parts;
  const isDisabled = viewer.via === 'disabled';
  const { mode, zone, lastSync } = describeRetriever(parts);
  const { sampledAt: _, ...occupancy } = describeOccupancy(parts);
  const refusal = gate.refusal();
  const volume = await showVolume(parts);
  const shown = await listNotices(parts, viewer);
  const isAway = shown.includes('store-away') || shown.includes('state-away');
  const lowered = await listLowered(parts, viewer);
  const delivery = isAway ? undefined : await showMediumDelivery(parts);
  const waits = isAway ? undefined : await listWaitsNow(parts, viewer);
  const nextSync = schedule?.next;
  const { lastImport, running, pending, link } = await showProgress(parts, viewer);
  const ended = (['done', 'failed', 'cancelled'] as const).flatMap(
    (status) => listTaskSummaries(parts, viewer, { status, pageSize: 1 }).tasks,
  );
  const [lastTask] = ended.sort((a, b) => ((a.finishedAt ?? '') < (b.finishedAt ?? '') ? 1 : -1));
  return {
    version,
    mode,
    zone,
    authentication: { disabled: isDisabled },
    gate: {
      guarded: gate.guarded,
      serving: refusal === undefined ? 'open' : 'closed',
      code: refusal?.code,
      ...(refusal?.code === 'SVC-MED-032'
        ? refusal.awaits
          ? { awaits: refusal.awaits }
          : { reasons: listReasons(parts) }
        : {}),
    },
    occupancy,
    volume,
    ...(lastSync === undefined
      ? {}
      : {
          lastSync: {
            runId: lastSync.runId,
            resolvedAt: lastSync.resolvedAt,
            outcome: lastSync.outcome,
          },
        }),
    lastImport,
    nextSync,
    link,
    lastTask,
    running,
    pending,
    verifying: findVerification(parts)?.running !== undefined,
    unimported: !isAway && (await isUnimported(parts)),
    ...(delivery === undefined ? {} : { delivery }),
    ...(waits === undefined
      ? {}
      : {
          owed: waits.owed.map(({ error: _, ...each }) => each),
          landed: [...waits.landed],
          arrived: [...waits.arrived],
        }),
    ...(lowered.length === 0 ? {} : { lowered }),
    notices: shown,
    ...(shown.includes('filesets-unserved')
      ? {
          unservedFilesets: instance.filesets.unserved().map(({ name, error: { code } }) => ({ name, code })),
        }
      : {}),
  };
}
