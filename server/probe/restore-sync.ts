import type { Meter } from '../../src/base/report.ts';
import { setLastOutcome, setRecipes, toSyncResult } from '../../src/engine/sync/gauge-sync.ts';
import type { Tasks } from '../../src/task/queue.ts';
import { isSvcError } from '../../src/text/error.ts';
import { selectRunRecipes } from '../../src/view/runs.ts';

/** Sets the gauges of the last synchronization from the retained tasks, so that a restart does not forget a failure. */
export async function restoreSync(meter: Meter, tasks: Pick<Tasks, 'listHeads' | 'get'>): Promise<void> {
  const newest = (status: 'done' | 'failed') =>
    tasks.listHeads({ type: 'sync', status, pageSize: 1 }).tasks[0];
  const [done, failed] = [newest('done'), newest('failed')];
  if (done?.finishedAt !== undefined)
    meter.set('svc_sync_last_success_timestamp_seconds', Date.parse(done.finishedAt) / 1000);
  const [last] = [done, failed].filter((head) => head !== undefined).sort((a, b) => compare(b, a));
  if (last === undefined) return;
  try {
    const recipes = selectRunRecipes(await tasks.get(last.id));
    const complete = recipes.filter(({ status }) => status === 'done' || status === 'skipped').length;
    if (recipes.length > 0) setRecipes(meter, { complete, failed: recipes.length - complete });
    setLastOutcome(
      meter,
      last === done ? 'success' : toSyncResult(complete, Math.max(1, recipes.length - complete)),
    );
  } catch (error) {
    // a task that cannot be read is reported by the list of tasks; the next run sets the gauges
    if (!isSvcError(error)) throw error;
  }
}

function compare(a: { readonly createdAt: string }, b: { readonly createdAt: string }): number {
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
}
