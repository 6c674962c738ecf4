import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorCode, ParamValue } from '../base/catalogue.ts';
import type { Digest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import type { Config } from '../config/model.ts';
import type {
  AffectedContent,
  CheckProblem,
  CheckProgress,
  CheckStep,
  OpenStoreOptions,
  Standing,
  Store,
} from '../store/model.ts';
import { openStore, peekStore } from '../store/open-store.ts';
import { listQuarantine } from '../store/quarantine-folder.ts';

/** Findings in a report, severe ones first. */
const maxFindings = 1000;
/** Tags named with one finding. */
const maxAffected = 50;

export interface CheckFinding {
  readonly code: ErrorCode;
  readonly path: string;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly digest?: Digest;
  /** What does not work because of it. */
  readonly affects: readonly AffectedContent[];
  /** How many more of them there are. */
  readonly affectsMore?: number;
  /** Where the file was moved, relative to the root. */
  readonly quarantined?: string;
}

/** What a check of a whole store found. */
export interface StoreCheckReport {
  /** `damaged`: content or records of the store suffer. */
  readonly verdict: 'clean' | 'damaged';
  readonly root: string;
  readonly mediaId?: string;
  readonly standing?: Standing;
  readonly notices: readonly string[];
  readonly steps: readonly {
    readonly name: CheckStep['name'];
    readonly checked: number;
    readonly bytes: number;
    readonly milliseconds: number;
    readonly problems: number;
  }[];
  readonly findings: readonly CheckFinding[];
  /** Findings beyond the first thousand. */
  readonly omitted: number;
  /** What lies in quarantine, by now; bytes. */
  readonly quarantine: { readonly files: number; readonly bytes: number; readonly added: number };
  readonly checked: { readonly files: number; readonly bytes: number };
  /** RFC 3339 UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

export interface CheckStoreOptions {
  readonly report: Report;
  readonly version: string;
  /** Who asks, for the audit. */
  readonly actor: string;
  /** Takes damaged content out of service. */
  readonly quarantine?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: CheckProgress) => void;
}

const codes = {
  damaged: 'SVC-STO-009',
  missing: 'SVC-STO-010',
  record: 'SVC-STO-011',
  stray: 'SVC-STO-012',
} as const satisfies Record<CheckProblem['kind'], ErrorCode>;
const severity = Object.keys(codes) as CheckProblem['kind'][];

/** What a ledger is told by when it is not what this instance remembers although its key is ours. */
const reasons: Readonly<Record<string, string>> = {
  older: 'it ends before what this instance remembers of it',
  altered: 'it is not what this instance remembers of it',
};

/**
 * Checks the store of a configuration, whole and from its bytes. Without being asked for more it changes nothing, and
 * works beside other readers.
 *
 * @throws SVC-STO-001 when there is no store or it cannot be read; SVC-STO-007 when another process writes to it;
 *   SVC-STO-002, SVC-MED-030 when a change was asked for that is not possible; the signal's reason
 */
export async function checkStore(config: Config, options: CheckStoreOptions): Promise<StoreCheckReport> {
  const { report, version, signal } = options;
  const startedAt = new Date().toISOString();
  const opening: Omit<OpenStoreOptions, 'access'> = {
    root: config.storage.root!,
    stateRoot: config.state.root,
    zone: config.zone,
    mode: config.mode,
    producer: { version },
    report,
    holder: 'svc store check',
  };
  await requireStore(opening);
  const mayChange = options.quarantine === true;
  await using store = await openStore({ ...opening, access: mayChange ? 'write' : 'read' });
  if (mayChange) requireChangeable(store, config.zone);
  const steps: CheckStep[] = [];
  for await (const step of store.check({ signal, onProgress: options.onProgress })) steps.push(step);
  const problems = [...toStandingProblems(store), ...steps.flatMap((step) => step.problems)];
  const all = [...problems, ...steps.flatMap(({ notes }) => notes)];
  const moved = options.quarantine ? await takeOut(store, all, options) : new Map<Digest, string>();
  const { findings, omitted } = await toFindings(store, all, moved);
  const held = await listQuarantine(store.root);
  const read = steps.find(({ name }) => name === 'blobs');
  return {
    verdict: problems.length > 0 ? 'damaged' : 'clean',
    root: store.root,
    mediaId: store.mediaId,
    standing: store.standing,
    notices: store.notices,
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
      files: held.length,
      bytes: held.reduce((sum, { size }) => sum + size, 0),
      added: moved.size,
    },
    checked: { files: read?.checked ?? 0, bytes: read?.bytes ?? 0 },
    startedAt,
    finishedAt: new Date().toISOString(),
  };
}

/** Looks before anything is locked: opening to write would make a store. @throws SVC-STO-001 */
async function requireStore(opening: Omit<OpenStoreOptions, 'access'>): Promise<void> {
  const store = await peekStore(opening);
  if (store !== undefined) return store[Symbol.asyncDispose]();
  const { root } = opening;
  const names = await readdir(join(root, 'blobs', 'sha256')).catch(() => []);
  const detail =
    names.length === 0
      ? 'there is no store'
      : 'there are blobs and no ledger that can be read; svc store check --repair makes one';
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

/** Takes out of service what is damaged, needed or not. @returns where each file is now */
async function takeOut(
  store: Store,
  problems: readonly CheckProblem[],
  { report, actor }: CheckStoreOptions,
): Promise<ReadonlyMap<Digest, string>> {
  const suspects = problems.flatMap(({ digest, outcome }) =>
    digest === undefined || outcome === undefined ? [] : [{ digest, outcome }],
  );
  const moved = await store.quarantine(suspects);
  const { mediaId } = store;
  for (const { digest, path, problem } of moved)
    report.audit({
      actor,
      action: 'store.quarantine',
      target: digest,
      outcome: 'success',
      details: { mediaId, path, problem },
    });
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
  const affected = await store.affected(shown.flatMap(({ digest }) => digest ?? []));
  const findings = shown.map(({ kind, path, problem, digest }): CheckFinding => {
    const affects = (digest && affected.get(digest)) ?? [];
    const place = digest && moved.get(digest);
    return {
      code: codes[kind],
      path,
      params: { path, detail: problem },
      ...(digest === undefined ? {} : { digest }),
      affects: affects.slice(0, maxAffected),
      ...(affects.length > maxAffected ? { affectsMore: affects.length - maxAffected } : {}),
      ...(place === undefined ? {} : { quarantined: place }),
    };
  });
  return { findings, omitted: problems.length - shown.length };
}
