import type { TaskStatus, TaskType } from '../../src/task/model.ts';
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
        description: 'Part of the id, run id, reference or actor',
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
    handler: async ({ tasks, query }) => ({
      json: await tasks.list({
        q: query.q as string | undefined,
        status: query.status as TaskStatus | undefined,
        type: query.type as TaskType | undefined,
        page: query.page as number | undefined,
        pageSize: query.pageSize as number | undefined,
      }),
    }),
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    summary: 'One task',
    success: { status: 200, description: 'The task', schema: ref('TaskAnswer') },
    handler: async ({ tasks, path }) => ({ json: { task: await tasks.get(path.id!) } }),
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
      description: 'A part of the log, or the whole as text',
      schema: ref('TaskLog'),
      contentTypes: ['application/json', 'text/plain'],
    },
    handler: async ({ tasks, path, query }) => {
      const id = path.id!;
      if (query.format !== 'raw') return { json: await tasks.log(id, Number(query.after ?? 0)) };
      await tasks.get(id);
      return {
        contentType: 'text/plain; charset=utf-8',
        content: tasks.rawLog(id) as AsyncIterable<Buffer>,
        headers: { 'content-disposition': `attachment; filename="${id}.log"` },
      };
    },
  },
];
