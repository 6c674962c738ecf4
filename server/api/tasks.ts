import { hasRole, type Role } from '../../src/account/model.ts';
import type { TaskType } from '../../src/contract/common.ts';
import * as api from '../../src/contract/operations/tasks.ts';
import type { CancelledTasks, Task } from '../../src/contract/task.ts';
import { svcError, toSvcError } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { listTaskSummaries, listTasks, openTaskLog, readTaskLog, showTask } from '../views/tasks.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
import { audited } from './audited.ts';

/** Role that starts, and therefore cancels, a task of each type. */
export const taskFloors: Readonly<Record<TaskType, Role>> = {
  sync: 'operator',
  import: 'operator',
  'media-import': 'operator',
  'media-write': 'admin',
  'layout-export': 'admin',
  'layout-import': 'admin',
  'fileset-pack': 'admin',
};

/** @throws SVC-TSK-001, SVC-TSK-005, SVC-TSK-007, SVC-AUTH-003 below the role that starts such a task */
async function cancelOne(call: ApiCall, id: string): Promise<void> {
  const { tasks, identity } = call;
  const cancel = async (): Promise<Task> => {
    const { type } = await tasks.get(id);
    const role = taskFloors[type];
    if (!hasRole(identity.role, role)) throw svcError('SVC-AUTH-003', { role });
    return tasks.cancel(id, identity.actor);
  };
  await audited(call, 'task.cancel', id.slice(0, 64), cancel, {}, (task) => ({
    runId: task.runId,
    type: task.type,
  }));
}

/**
 * Cancels the waiting tasks of an account or token that was removed.
 *
 * @returns their identifiers, for the audit record of the removal; empty when there are none
 */
export async function cancelTasksOf(
  { tasks, identity }: Pick<ApiCall, 'tasks' | 'identity'>,
  actor: string,
): Promise<{ readonly cancelledTasks?: readonly string[] }> {
  const cancelled = await tasks.cancelWaitingOf((other) => other === actor, identity.actor);
  return cancelled.length === 0 ? {} : { cancelledTasks: cancelled.map(({ id }) => id) };
}

/** Cancels each of several tasks, and says which could not be. */
async function cancelEach(call: ApiCall, ids: readonly string[]): Promise<CancelledTasks> {
  const cancelled: string[] = [];
  const refused: { readonly id: string; readonly code: ErrorCode }[] = [];
  for (const id of new Set(ids)) {
    try {
      await cancelOne(call, id);
      cancelled.push(id);
    } catch (error) {
      refused.push({ id, code: toSvcError(error).code });
    }
  }
  return { cancelled, refused };
}

export const taskRoutes: readonly ApiRoute[] = [
  route(api.listTasks, async (call) => {
    const { view, ...query } = call.query;
    if (view === 'summary') return { json: listTaskSummaries(call, call.identity, query) };
    return { json: await listTasks(call, call.identity, query) };
  }),
  route(api.cancelTasks, async (call) => ({ json: await cancelEach(call, call.body.ids) }), {
    audit: 'task.cancel',
  }),
  route(api.getTask, async (call) => ({
    json: { task: await showTask(call, call.identity, call.path.id) },
  })),
  route(
    api.cancelTask,
    async (call) => {
      const { id } = call.path;
      await cancelOne(call, id);
      return { json: { task: await showTask(call, call.identity, id) } };
    },
    { audit: 'task.cancel' },
  ),
  route(api.getTaskLog, async (call) => {
    const { id } = call.path;
    if (call.query.format !== 'raw') {
      return { json: await readTaskLog(call, call.identity, { id, after: call.query.after }) };
    }
    return {
      contentType: 'text/plain; charset=utf-8',
      content: await openTaskLog(call, call.identity, id),
      headers: { 'content-disposition': `attachment; filename="${id}.log"` },
    };
  }),
];
