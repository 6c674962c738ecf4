import { isOver } from '../../src/task/model.ts';
import type { Tasks } from '../../src/task/queue.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import { isSvcError } from '../../src/text/error.ts';
import { type Run, toRun } from '../../src/view/runs.ts';
import type { Viewer, ViewParts } from './parts.ts';
import { listTaskSummaries, showTask } from './tasks.ts';

/** Number of runs that are read: enough for the pictures, and few enough to be read again after each change. */
const most = 10;

type Settled = Omit<Run, 'task'>;

interface Known {
  /** Of the tasks when they were listed. */
  readonly revision: number;
  readonly runs: readonly Run[];
}

/** The last answer to each role: administrators read more than others. A finished task never changes. */
const known = new WeakMap<Tasks, Map<Viewer['role'], Known>>();

async function readRun(
  parts: Pick<ViewParts, 'tasks'>,
  viewer: Viewer,
  id: string,
): Promise<Settled | undefined> {
  try {
    return toRun(await showTask(parts, viewer, id));
  } catch (error) {
    // removed meanwhile by the limit of finished tasks
    if (isSvcError(error) && error.code === 'SVC-TSK-001') return undefined;
    throw error;
  }
}

/** Shows the last finished runs, newest first; the same list until another run has finished. */
export async function listRuns(parts: Pick<ViewParts, 'tasks'>, viewer: Viewer): Promise<readonly Run[]> {
  const byRole = known.get(parts.tasks) ?? new Map<Viewer['role'], Known>();
  known.set(parts.tasks, byRole);
  const last = byRole.get(viewer.role);
  const { revision } = parts.tasks;
  if (last?.revision === revision) return last.runs;
  const heads = (['sync', 'media-import'] as const)
    .flatMap((type) => listTaskSummaries(parts, viewer, { type, pageSize: most }).tasks)
    .filter(isOver)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, most);
  const before = last?.runs ?? [];
  const isSame = heads.length === before.length && heads.every(({ id }, i) => before[i]!.task.id === id);
  const runs = isSame ? before : await readRuns(parts, viewer, heads, before);
  byRole.set(viewer.role, { revision, runs });
  return runs;
}

async function readRuns(
  parts: Pick<ViewParts, 'tasks'>,
  viewer: Viewer,
  heads: readonly TaskHead[],
  before: readonly Run[],
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const task of heads) {
    const same = before.find((run) => run.task.id === task.id);
    const settled = same ?? (await readRun(parts, viewer, task.id));
    if (settled !== undefined) runs.push({ ...settled, task });
  }
  return runs;
}
