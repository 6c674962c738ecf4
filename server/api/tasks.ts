import { hasRole, type Role } from '../../src/account/model.ts';
import { taskStatus as taskStatusSchema, taskType } from '../../src/contract/common.ts';
import { described, list, object, oneOf } from '../../src/contract/schema.ts';
import { CancelledTasks, TaskAnswer, TaskList, TaskLog, TaskSummaryList } from '../../src/contract/task.ts';
import type { Task, TaskStatus, TaskType } from '../../src/task/model.ts';
import { svcError, toSvcError } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { listTaskSummaries, listTasks, openTaskLog, readTaskLog, showTask } from '../views/tasks.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './api-route.ts';
import { audited } from './audited.ts';
import { reading, writing } from './openapi/error-codes.ts';
import { pagingParameters } from './paging.ts';

/** Role that starts, and therefore cancels, a task of each type. */
export const taskFloors: Readonly<Record<TaskType, Role>> = {
  sync: 'operator',
  import: 'operator',
  'media-import': 'operator',
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

async function cancelTask(call: ApiCall): Promise<ApiAnswer> {
  const id = call.path.id ?? '';
  await cancelOne(call, id);
  return { json: { task: await showTask(call, call.identity, id) } };
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

/** Most tasks that one request cancels. */
const mostCancelled = 256;

async function cancelTasks(call: ApiCall): Promise<ApiAnswer> {
  const cancelled: string[] = [];
  const refused: { readonly id: string; readonly code: ErrorCode }[] = [];
  for (const id of new Set(call.body.ids as readonly string[])) {
    try {
      await cancelOne(call, id);
      cancelled.push(id);
    } catch (error) {
      refused.push({ id, code: toSvcError(error).code });
    }
  }
  return { json: { cancelled, refused } };
}

export const taskRoutes: readonly ApiRoute[] = [
  {
    id: 'listTasks',
    method: 'GET',
    path: '/tasks',
    floor: 'viewer',
    errors: reading,
    polled: true,
    summary: 'Tasks, newest first',
    parameters: [
      {
        name: 'q',
        schema: { type: 'string', maxLength: 256 },
        description: 'Substring of the identifier, run identifier, reference or actor',
        example: 'library/alpine',
      },
      { name: 'status', schema: taskStatusSchema, description: 'State of the tasks', example: 'failed' },
      {
        name: 'type',
        schema: taskType,
        description: 'Type of the tasks',
        example: 'sync',
      },
      {
        name: 'view',
        schema: { ...oneOf('full', 'summary'), default: 'full' },
        description: '`full`: complete; `summary`: without items, resolutions, pruned tags and results',
        example: 'summary',
      },
      ...pagingParameters,
    ],
    success: {
      status: 200,
      description: 'One page of tasks',
      schema: { anyOf: [TaskList, TaskSummaryList] },
    },
    handler: async (call) => {
      const query = {
        q: call.query.q as string | undefined,
        status: call.query.status as TaskStatus | undefined,
        type: call.query.type as TaskType | undefined,
        page: call.query.page as number | undefined,
        pageSize: call.query.pageSize as number | undefined,
      };
      if (call.query.view === 'summary') return { json: listTaskSummaries(call, call.identity, query) };
      return { json: await listTasks(call, call.identity, query) };
    },
  },
  {
    id: 'cancelTasks',
    method: 'POST',
    path: '/tasks/cancel',
    floor: 'operator',
    errors: [...reading, ...writing],
    summary: 'Cancels several pending or running tasks; each requires the role that starts such a task',
    audit: 'task.cancel',
    body: {
      schema: object({
        ids: {
          ...list(described('Identifier of a task', { type: 'string', maxLength: 64 })),
          minItems: 1,
          maxItems: mostCancelled,
        },
      }),
      required: true,
      examples: {
        two: { summary: 'Cancels two tasks', value: { ids: ['tsk_5f0c2a9be471', 'tsk_8c1d30e47a52'] } },
      },
    },
    success: {
      status: 200,
      description: 'The tasks that were cancelled, and why others were not',
      schema: CancelledTasks,
    },
    handler: cancelTasks,
  },
  {
    id: 'getTask',
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    errors: [...reading, 'SVC-TSK-001'],
    polled: true,
    summary: 'One task',
    success: { status: 200, description: 'The task', schema: TaskAnswer },
    handler: async (call) => ({
      json: { task: await showTask(call, call.identity, call.path.id!) },
    }),
  },
  {
    id: 'cancelTask',
    method: 'POST',
    path: '/tasks/{id}/cancel',
    floor: 'operator',
    errors: [...reading, ...writing, 'SVC-TSK-001', 'SVC-TSK-005', 'SVC-TSK-007'],
    summary: 'Cancels a pending or running task; requires the role that starts such a task',
    audit: 'task.cancel',
    body: {
      schema: object({}),
      examples: { cancel: { summary: 'Cancels the task', value: {} } },
    },
    success: {
      status: 200,
      description: 'The task; one that runs ends when its work has stopped',
      schema: TaskAnswer,
    },
    handler: cancelTask,
  },
  {
    id: 'getTaskLog',
    method: 'GET',
    path: '/tasks/{id}/logs',
    floor: 'viewer',
    errors: [...reading, 'SVC-TSK-001'],
    summary: 'The log of a task',
    parameters: [
      {
        name: 'after',
        schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
        description: 'Byte cursor: the `next` of the last answer',
        example: 0,
      },
      {
        name: 'format',
        schema: { ...oneOf('json', 'raw'), default: 'json' },
        description: '`json`: the part from the cursor on; `raw`: the whole log as text',
        example: 'raw',
      },
    ],
    success: {
      status: 200,
      description: 'A part of the log, or the whole log as text',
      schema: TaskLog,
      contentTypes: ['application/json', 'text/plain'],
    },
    handler: async (call) => {
      const id = call.path.id!;
      if (call.query.format !== 'raw') {
        const after = call.query.after as number | undefined;
        return { json: await readTaskLog(call, call.identity, { id, after }) };
      }
      return {
        contentType: 'text/plain; charset=utf-8',
        content: await openTaskLog(call, call.identity, id),
        headers: { 'content-disposition': `attachment; filename="${id}.log"` },
      };
    },
  },
];
