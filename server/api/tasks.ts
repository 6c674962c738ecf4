import { hasRole, type Role } from '../../src/account/model.ts';
import type { TaskType } from '../../src/contract/common.ts';
import { taskStatus as taskStatusSchema, taskType } from '../../src/contract/common.ts';
import { anyOf, described, list, object, oneOf, text, whole } from '../../src/contract/schema.ts';
import type { Task } from '../../src/contract/task.ts';
import { CancelledTasks, TaskAnswer, TaskList, TaskLog, TaskSummaryList } from '../../src/contract/task.ts';
import { svcError, toSvcError } from '../../src/text/error.ts';
import type { ErrorCode } from '../../src/text/errors/registry.ts';
import { listTaskSummaries, listTasks, openTaskLog, readTaskLog, showTask } from '../views/tasks.ts';
import { type ApiCall, type ApiRoute, route } from './api-route.ts';
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

export const taskFilters = [
  {
    name: 'q',
    schema: text({ maxLength: 256 }),
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
] as const;

export const taskRoutes: readonly ApiRoute[] = [
  route({
    id: 'listTasks',
    method: 'GET',
    path: '/tasks',
    floor: 'viewer',
    errors: reading,
    polled: true,
    summary: 'Tasks, newest first',
    parameters: taskFilters,
    success: {
      status: 200,
      description: 'One page of tasks',
      schema: anyOf(TaskList, TaskSummaryList),
    },
    handler: async (call) => {
      const { view, ...query } = call.query;
      if (view === 'summary') return { json: listTaskSummaries(call, call.identity, query) };
      return { json: await listTasks(call, call.identity, query) };
    },
  }),
  route({
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
          ...list(described('Identifier of a task', text({ maxLength: 64 }))),
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
    handler: async (call) => ({ json: await cancelEach(call, call.body.ids) }),
  }),
  route({
    id: 'getTask',
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    errors: [...reading, 'SVC-TSK-001'],
    polled: true,
    summary: 'One task',
    success: { status: 200, description: 'The task', schema: TaskAnswer },
    handler: async (call) => ({
      json: { task: await showTask(call, call.identity, call.path.id) },
    }),
  }),
  route({
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
    handler: async (call) => {
      const { id } = call.path;
      await cancelOne(call, id);
      return { json: { task: await showTask(call, call.identity, id) } };
    },
  }),
  route({
    id: 'getTaskLog',
    method: 'GET',
    path: '/tasks/{id}/logs',
    floor: 'viewer',
    errors: [...reading, 'SVC-TSK-001'],
    summary: 'The log of a task',
    parameters: [
      {
        name: 'after',
        schema: whole({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
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
      const { id } = call.path;
      if (call.query.format !== 'raw') {
        return { json: await readTaskLog(call, call.identity, { id, after: call.query.after }) };
      }
      return {
        contentType: 'text/plain; charset=utf-8',
        content: await openTaskLog(call, call.identity, id),
        headers: { 'content-disposition': `attachment; filename="${id}.log"` },
      };
    },
  }),
];
