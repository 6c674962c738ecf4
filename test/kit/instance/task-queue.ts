import { once } from 'node:events';
import { join } from 'node:path';
import { openTasks, type TaskRunner, type Tasks, type TasksOptions } from '../../../src/task/queue.ts';
import type { ImportRequest, SyncRequest } from '../../../src/task/request.ts';
import { createRecordingReport } from './recording-report.ts';
import { openTempFolder } from './temp-folder.ts';

export const request: SyncRequest = { type: 'sync', reference: 'zone-a', actor: 'ana' };
export const importRequest: ImportRequest = {
  type: 'import',
  reference: 'zone-a',
  actor: 'ana',
  parameters: { platforms: [], vendorDependencies: true },
};
/** Runners: one that has nothing to do, and one that never ends by itself. */
export const nothing: TaskRunner = async () => {};
export const untilAborted = (signal: AbortSignal) =>
  signal.aborted
    ? Promise.reject(signal.reason)
    : once(signal, 'abort').then(() => Promise.reject(signal.reason));

/** A queue in a folder of its own, which can be opened again as its next process would. */
export async function openQueue(run: TaskRunner, options: Partial<TasksOptions> = {}) {
  const folder = await openTempFolder();
  const report = createRecordingReport();
  const opened: Tasks[] = [];
  const open = async (runner = run) => {
    const tasks = await openTasks({
      stateRoot: folder.path,
      keepFinished: 500,
      report,
      run: runner,
      ...options,
    });
    opened.push(tasks);
    return tasks;
  };
  return {
    folder: join(folder.path, 'tasks'),
    report,
    open,
    tasks: await open(),
    [Symbol.asyncDispose]: async () => {
      for (const tasks of opened) await tasks[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
