import type { TaskStatus, TaskType } from '../../src/task/model.ts';
import { listTasks, openTaskLog, readTaskLog, showTask } from '../views/tasks.ts';
import type { ApiRoute } from './api-route.ts';
import { pagingParameters } from './paging.ts';
import { oneOf, ref } from './schema.ts';
import { taskStatus as taskStatusSchema } from './schemas/common.ts';

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
    handler: async (call) => ({
      json: await listTasks(call, call.identity, {
        q: call.query.q as string | undefined,
        status: call.query.status as TaskStatus | undefined,
        type: call.query.type as TaskType | undefined,
        page: call.query.page as number | undefined,
        pageSize: call.query.pageSize as number | undefined,
      }),
    }),
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    summary: 'One task',
    success: { status: 200, description: 'The task', schema: ref('TaskAnswer') },
    handler: async (call) => ({
      json: { task: await showTask(call, call.identity, call.path.id!) },
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
