import type { TaskType } from '../contract/common.ts';
import type { Task } from '../contract/task.ts';
import type { TaskHead } from '../task/storage.ts';
import { isSvcError } from '../text/error.ts';
import { type Run, toRun } from './runs.ts';

/** Types of tasks that resolve recipes. */
export const runTypes = ['sync', 'media-import'] as const satisfies readonly TaskType[];

/** Most runs that are looked at for one that brought a recipe. */
const most = 10;

/**
 * Reads the last run, and those before it up to the first that brought a recipe.
 *
 * @param heads finished tasks, newest first
 * @param read reads a whole task
 * @param options.isAll whether runs before that one are read too
 */
export async function readRuns(
  heads: readonly TaskHead[],
  read: (id: string) => Promise<Task>,
  { isAll = false }: { readonly isAll?: boolean } = {},
): Promise<readonly Run[]> {
  const runs: Run[] = [];
  const candidates = heads.filter(({ type }) => runTypes.some((each) => each === type)).slice(0, most);
  for (const task of candidates) {
    const run = await read(task.id).then(toRun, (error: unknown) => {
      // removed meanwhile by the limit of finished tasks
      if (isSvcError(error, 'SVC-TSK-001') || isSvcError(error, 'SVC-STO-001')) return undefined;
      throw error;
    });
    if (run === undefined) continue;
    runs.push({ ...run, task });
    if (run.recipes.some(({ status }) => status === 'done') && !isAll) break;
  }
  return runs;
}
