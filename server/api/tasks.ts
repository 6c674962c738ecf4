import { basename } from 'node:path';
import { hasRole } from '../../src/account/model.ts';
import type { Task, TaskStatus, TaskType } from '../../src/task/model.ts';
import { type Conceal, concealLines, createConceal } from '../conceal.ts';
import type { ApiCall, ApiRoute } from './api-route.ts';
import { pagingParameters } from './paging.ts';
import { oneOf, ref } from './schema.ts';
import { taskStatus as taskStatusSchema } from './schemas/common.ts';

type Reading = Pick<ApiCall, 'identity'>;

/**
 * Conceals the path of a layout and the source of a Retriever from everybody but administrators. Paths of the
 * current configuration are concealed in every answer.
 */
function toTaskConceal(
  { identity }: Reading,
  { type, reference }: Pick<Task, 'type' | 'reference'>,
): Conceal {
  const isPrivate = type === 'sync' || type === 'layout-export' || type === 'layout-import';
  if (!isPrivate || hasRole(identity.role, 'admin')) return (text) => text;
  const setting = type === 'sync' ? 'retriever.source' : basename(reference);
  return createConceal([{ setting, path: reference }]);
}

function showTask<T extends Pick<Task, 'type' | 'reference'>>(call: Reading, task: T): T {
  return JSON.parse(toTaskConceal(call, task)(JSON.stringify(task)));
}

export const taskRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/tasks',
    floor: 'viewer',
    summary: 'Tasks, newest first',
    parameters: [
      {
        name: 'q',
        schema: { type: 'string', maxLength: 256 },
        description: 'Substring of the identifier, run identifier, reference or actor',
      },
      { name: 'status', schema: taskStatusSchema, description: 'Status' },
      {
        name: 'type',
        schema: oneOf('sync', 'import', 'media-import', 'layout-export', 'layout-import'),
        description: 'Type',
      },
      ...pagingParameters,
    ],
    success: { status: 200, description: 'One page of tasks', schema: ref('TaskList') },
    handler: async (call) => {
      const { tasks, query } = call;
      const page = await tasks.list({
        toReference: (task) => toTaskConceal(call, task)(task.reference),
        q: query.q as string | undefined,
        status: query.status as TaskStatus | undefined,
        type: query.type as TaskType | undefined,
        page: query.page as number | undefined,
        pageSize: query.pageSize as number | undefined,
      });
      return { json: { ...page, tasks: page.tasks.map((task) => showTask(call, task)) } };
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    summary: 'One task',
    success: { status: 200, description: 'The task', schema: ref('TaskAnswer') },
    handler: async (call) => ({
      json: { task: showTask(call, await call.tasks.get(call.path.id!)) },
    }),
  },
  {
    method: 'GET',
    path: '/tasks/{id}/logs',
    floor: 'viewer',
    summary: 'The log of a task',
    parameters: [
      {
        name: 'after',
        schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
        description: 'Byte cursor: the `next` of the last answer',
      },
      { name: 'format', schema: oneOf('json', 'raw'), description: '`raw`: the whole log as text' },
    ],
    success: {
      status: 200,
      description: 'A part of the log, or the whole log as text',
      schema: ref('TaskLog'),
      contentTypes: ['application/json', 'text/plain'],
    },
    handler: async (call) => {
      const { tasks, path, query } = call;
      const id = path.id!;
      const conceal = toTaskConceal(call, await tasks.get(id));
      if (query.format !== 'raw') {
        const { chunk, next } = await tasks.log(id, Number(query.after ?? 0));
        return { json: { chunk: conceal(chunk), next } };
      }
      return {
        contentType: 'text/plain; charset=utf-8',
        content: concealLines(tasks.rawLog(id), conceal),
        headers: { 'content-disposition': `attachment; filename="${id}.log"` },
      };
    },
  },
];
