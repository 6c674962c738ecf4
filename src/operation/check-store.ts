import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { audited } from '../base/audited.ts';
import { toStamp } from '../base/clock.ts';
import type { Digest } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { CheckFinding, StoreCheckReport } from '../contract/store.ts';
import type { Custody } from '../custody/model.ts';
import { startHashThreadsBeside } from '../disk/threads/hash-threads.ts';
import { takeOut } from '../engine/sync/take-out.ts';
import { indexPath } from '../oci/layout.ts';
import { adoptStore } from '../store/adoption/adopt-store.ts';
import { listQuarantine } from '../store/blobs/quarantine-folder.ts';
import { listAffected } from '../store/list-affected.ts';
import type {
  CheckProblem,
  CheckProgress,
  CheckStep,
  ForeignReason,
  OpenStoreOptions,
  Store,
} from '../store/model.ts';
import { openStore, peekStore } from '../store/opening/open-store.ts';
import { checkContent } from '../store/repair/check-content.ts';
import { repairStore, type StoreRepair } from '../store/repair/repair-store.ts';
import { mediumManifestPath } from '../store/rest/media-manifest.ts';
import { vouch } from '../store/vouch.ts';
import { isSvcError, svcError } from '../text/error.ts';
import type { ErrorCode } from '../text/errors/registry.ts';
import { fr } from '../text/language.ts';
import { Rule, rule } from '../text/rule.ts';
import { openCustody } from './custody/open-custody.ts';
import { toStoreOptions } from './to-store-options.ts';

/** Maximum number of findings in a report; the most severe come first. */
const maxFindings = 1000;
/** Maximum number of affected tags listed for one finding. */
const maxAffected = 50;

export interface CheckStoreOptions {
  readonly report: Report;
  readonly version: string;
  /** Actor of the audit records. */
  readonly actor: string;
  /** Moves damaged content to quarantine. */
  readonly quarantine?: boolean;
  /** Rewrites damaged ledgers before the check. */
  readonly repair?: boolean;
  /** Adopts a foreign store. */
  readonly adopt?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: CheckProgress) => void;
}

const codes = {
  damaged: 'SVC-STO-009',
  missing: 'SVC-STO-010',
  record: 'SVC-STO-011',
  stray: 'SVC-STO-012',
  leftover: 'SVC-STO-012',
} as const satisfies Record<CheckProblem['kind'], ErrorCode>;
const severity = Object.keys(codes) as CheckProblem['kind'][];

/** Reasons of a store that another instance wrote, as far as the given state shows. */
const othersReasons: ReadonlySet<ForeignReason> = new Set(['keyed', 'other-key', 'not-remembered']);

/** Texts for a ledger under this instance's key that differs from the memory of the instance. */
const reasons: Readonly<Record<string, Rule>> = {
  older: rule([
    'it ends before the end that this instance remembers',
    fr`il finit avant ce que cette instance en a mémorisé`,
  ]),
  altered: rule([
    'it differs from the state that this instance remembers',
    fr`il n’est pas ce que cette instance en a mémorisé`,
  ]),
};

/**
 * Checks the complete store of a configuration by reading its bytes. Without further options it changes
 * nothing, and runs beside other readers.
 *
 * @throws SVC-STO-001 when there is no store or it cannot be read; SVC-STO-007 when another process writes to
 *   it; SVC-STO-002, SVC-MED-030 when a requested change is not possible; the reason of the signal
 */
export async function checkStore(
  config: ConfigWith<'storage.root'>,
  options: CheckStoreOptions,
): Promise<StoreCheckReport> {
  const { report, version, signal } = options;
  const startedAt = toStamp();
  // the ledgers are checked, and not the index made of them
  const opening = { ...toStoreOptions(config, version, report), holder: 'svc store check', isThorough: true };
  const repaired = options.repair ? await repairLedgers(opening, options, openCustody(config)) : undefined;
  // a repair that found nothing to repair is a check: a carried medium is not refused
  const mayChange = [options.quarantine, options.adopt, repaired !== undefined].includes(true);
  // this thread hashes too, since the command does nothing else; the other threads start while the store is
  // opened
  await using threads = startHashThreadsBeside();
  await using store = await openToCheck(opening, mayChange);
  const isForeign = store.standing === 'foreign';
  const { reason } = store;
  const held = config.zone !== undefined;
  if (options.adopt && isForeign)
    await audited(report, { actor: options.actor, action: 'store.adopt', target: opening.root }, () =>
      adoptStore(store),
    );
  if (mayChange) requireChangeable(store, config.zone);
  const steps: CheckStep[] = [];
  const whole: Digest[] = [];
  // blobs hashed here are vouched for below, so that they need not be hashed again before use
  const onWhole = options.adopt || repaired ? (digest: Digest) => whole.push(digest) : undefined;
  const { onProgress } = options;
  await store.place.during(async () => {
    for await (const step of checkContent(store, { signal, onProgress, onWhole, threads })) steps.push(step);
    // content of a disk that is gone is not missing
    await store.place.requireInPlace();
  });
  const vouched = await vouch(store, whole);
  const problems = [...toStandingProblems(store), ...steps.flatMap((step) => step.problems)];
  const all = [...problems, ...steps.flatMap(({ notes }) => notes)];
  const moved = options.quarantine ? await takeOutDamage(store, all, options) : new Map<Digest, string>();
  const { findings, omitted } = await toFindings(store, all, moved);
  const kept = await listQuarantine(store.root);
  const read = steps.find(({ name }) => name === 'blobs');
  return {
    verdict: problems.length > 0 ? 'damaged' : 'clean',
    root: store.root,
    mediaId: store.mediaId,
    standing: store.standing,
    reason,
    notices: store.notices.map(String),
    ...(store.notices.length === 0 ? {} : { noticeRules: store.notices }),
    steps: steps.map(({ name, checked, bytes, milliseconds, problems: { length } }) => ({
      name,
      checked,
      bytes,
      milliseconds,
      problems: length,
    })),
    findings,
    omitted,
    quarantine: {
      files: kept.length,
      bytes: kept.reduce((sum, { size }) => sum + size, 0),
      added: moved.size,
    },
    checked: { files: read?.checked ?? 0, bytes: read?.bytes ?? 0 },
    ...(repaired === undefined ? {} : { repair: toShownRepair(repaired) }),
    ...(options.adopt && isForeign ? { adopted: { tags: countTags(store), blobs: vouched, held } } : {}),
    startedAt,
    finishedAt: toStamp(),
  };
}

/** Repairs the ledgers, if necessary. */
async function repairLedgers(
  opening: Omit<OpenStoreOptions, 'access'>,
  options: CheckStoreOptions,
  custody: Custody,
): Promise<StoreRepair | undefined> {
  const { signal, adopt = false, report } = options;
  const { root, stateRoot, zone } = opening;
  const holder = 'svc store check';
  return audited(
    report,
    { actor: options.actor, action: 'store.repair', target: root },
    () =>
      custody.during(
        { type: 'store-repaired', actor: options.actor, details: { folder: root } },
        () => repairStore({ root, stateRoot, zone, adopt, report, holder, signal }),
        (repair) => ({
          details:
            repair === undefined
              ? { unchanged: true }
              : {
                  medium: repair.mediaId,
                  lost: repair.lost.length,
                  tags: repair.tags.length,
                  gone: repair.gone.length,
                },
        }),
        signal,
      ),
    {
      success: (repair) =>
        repair === undefined
          ? { unchanged: true }
          : {
              mediaId: repair.mediaId,
              lost: repair.lost,
              tags: repair.tags.length,
              gone: repair.gone.length,
            },
    },
  );
}

function toShownRepair({
  mediaId: _,
  tags,
  gone,
  ...rest
}: StoreRepair): NonNullable<StoreCheckReport['repair']> {
  const [tagsMore, goneMore] = [tags, gone].map(({ length }) => length - maxFindings) as [number, number];
  return {
    ...rest,
    tags: tags.slice(0, maxFindings),
    ...(tagsMore > 0 ? { tagsMore } : {}),
    gone: gone.slice(0, maxFindings),
    ...(goneMore > 0 ? { goneMore } : {}),
  };
}

function countTags({ index }: Store): number {
  return index.repositories().reduce((sum, name) => sum + index.tags(name).length, 0);
}

/** @throws SVC-STO-001 with a hint how to repair the store */
async function openToCheck(opening: Omit<OpenStoreOptions, 'access'>, mayChange: boolean): Promise<Store> {
  if (mayChange) {
    await requireStore(opening);
    return openStore({ ...opening, access: 'write' });
  }
  try {
    return await openStore({ ...opening, access: 'read' });
  } catch (error) {
    if (isSvcError(error, 'SVC-STO-001')) await requireStore(opening);
    throw error;
  }
}

/**
 * Checks that a store exists, without taking a lock: opening for writing would create one. @throws
 * SVC-STO-001
 */
async function requireStore(opening: Omit<OpenStoreOptions, 'access'>): Promise<void> {
  const store = await peekStore(opening);
  if (store !== undefined) return store[Symbol.asyncDispose]();
  const { root } = opening;
  const names = await readdir(join(root, 'blobs', 'sha256')).catch(() => []);
  if (names.length === 0)
    throw svcError('SVC-STO-001', {
      path: root,
      detail: rule(['there is no store', fr`il n’y a pas de stockage`]),
      problem: 'unmade',
    });
  const detail = rule([
    'there are blobs and no ledger that can be read; svc store check --repair makes one',
    fr`il y a des blobs et aucun journal du stockage lisible ; svc store check --repair en crée un`,
  ]);
  throw svcError('SVC-STO-001', { path: root, detail });
}

function requireChangeable({ readOnly, standing, root, mediaId }: Store, zone: string | undefined): void {
  if (readOnly !== undefined) throw svcError('SVC-STO-002', { path: root, detail: readOnly });
  if (standing === 'foreign' && zone !== undefined) throw svcError('SVC-MED-030', { mediaId });
}

function toStandingProblems({ reason }: Store): CheckProblem[] {
  const problem = reasons[reason ?? ''];
  return problem === undefined ? [] : [{ kind: 'record', path: 'ledger', problem }];
}

/**
 * Parameter of SVC-STO-011: the remedy for a record that a repair of the ledgers does not mend. It is a new copy, or a
 * synchronization, which writes `index.json` and `media.jsonl`.
 */
function toMended({ reason }: Store, path: string): { readonly mended?: 'copy' | 'sync' } {
  if (path === indexPath || path === mediumManifestPath) return { mended: 'sync' };
  return reason !== undefined && othersReasons.has(reason) ? { mended: 'copy' } : {};
}

/**
 * Moves damaged content to quarantine, whether or not a tag reaches it. @returns the new path of each file
 */
async function takeOutDamage(
  store: Store,
  problems: readonly CheckProblem[],
  { report, actor }: CheckStoreOptions,
): Promise<ReadonlyMap<Digest, string>> {
  const suspects = problems.flatMap(({ digest, outcome }) =>
    digest === undefined || outcome === undefined ? [] : [{ digest, outcome }],
  );
  const moved = await takeOut(store, suspects, { report, actor });
  return new Map(moved.flatMap(({ digest, path }) => (path === undefined ? [] : [[digest, path] as const])));
}

async function toFindings(
  store: Store,
  problems: readonly CheckProblem[],
  moved: ReadonlyMap<Digest, string>,
): Promise<{ readonly findings: readonly CheckFinding[]; readonly omitted: number }> {
  const shown = problems
    .toSorted((a, b) => severity.indexOf(a.kind) - severity.indexOf(b.kind))
    .slice(0, maxFindings);
  const affected = await listAffected(
    store,
    shown.flatMap(({ digest }) => digest ?? []),
  );
  const findings = shown.map((one): CheckFinding => {
    const { kind, path, problem, digest, leftovers } = one;
    const affects = (digest && affected.get(digest)) ?? [];
    const place = digest && moved.get(digest);
    return {
      code: codes[kind],
      path,
      params: {
        path,
        detail: String(problem),
        ...(leftovers ? { leftovers: leftovers.files, bytes: leftovers.bytes } : {}),
        ...(kind === 'record' ? toMended(store, path) : {}),
      },
      ...(problem instanceof Rule ? { rules: { detail: problem } } : {}),
      digest,
      affects: affects.slice(0, maxAffected),
      ...(affects.length > maxAffected ? { affectsMore: affects.length - maxAffected } : {}),
      quarantined: place,
    };
  });
  return { findings, omitted: problems.length - shown.length };
}
