import { isOver } from '../../src/task/model.ts';
import type { Tasks } from '../../src/task/queue.ts';
import { isSvcError } from '../../src/text/error.ts';
import { type Run, toRun } from '../../src/view/runs.ts';
import type { Viewer, ViewParts } from './parts.ts';
import { listTaskSummaries, showTask } from './tasks.ts';

/** Number of runs that are read: enough for the pictures, and few enough to be read again after each change. */
const most = 10;

type Settled = Omit<Run, 'task'>;

/** The last answer to each role: what an administrator reads differs from what others read. A finished task never changes. */
const known = new WeakMap<Tasks, Map<Viewer['role'], readonly Run[]>>();

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
  const heads = (['sync', 'media-import'] as const)
    .flatMap((type) => listTaskSummaries(parts, viewer, { type, pageSize: most }).tasks)
    .filter(isOver)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, most);
  const byRole = known.get(parts.tasks) ?? new Map<Viewer['role'], readonly Run[]>();
  known.set(parts.tasks, byRole);
  const before = byRole.get(viewer.role) ?? [];
  if (heads.length === before.length && heads.every(({ id }, i) => before[i]!.task.id === id)) return before;
  const runs: Run[] = [];
  for (const task of heads) {
    const same = before.find((run) => run.task.id === task.id);
    const settled = same ?? (await readRun(parts, viewer, task.id));
    if (settled !== undefined) runs.push({ ...settled, task });
  }
  byRole.set(viewer.role, runs);
  return runs;
}
