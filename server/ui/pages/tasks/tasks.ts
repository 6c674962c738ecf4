import { oneOf } from '../../../../src/contract/schema.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { pagingParameters } from '../../../api/paging.ts';
import { taskRoutes } from '../../../api/tasks.ts';
import { toPath } from '../../to-href.ts';
import type { UiRoute } from '../../ui-route.ts';
import { itemStates } from './items.ts';
import { showTasks } from './list.ts';
import { showTaskLog } from './log.ts';
import { showOneTask } from './show.ts';

const listRoute = taskRoutes.find(({ path, method }) => path === '/tasks' && method === 'GET')!;

export const taskPages: readonly UiRoute[] = [
  {
    method: 'GET',
    path: '/tasks',
    floor: 'viewer',
    title: tasks.title,
    parameters: listRoute.parameters ?? [],
    page: showTasks,
  },
  {
    method: 'POST',
    path: '/tasks/cancel',
    floor: 'operator',
    page: '/tasks',
    mirror: 'POST /tasks/cancel',
    done: (_call, answer) => {
      const { cancelled, refused } = answer as {
        readonly cancelled: readonly string[];
        readonly refused: readonly unknown[];
      };
      const text = refused.length === 0 ? tasks.cancelledSeveral : tasks.cancelledSome;
      return {
        location: '/tasks',
        said: { text, params: { count: cancelled.length, refused: refused.length } },
      };
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    title: tasks.task,
    parameters: [
      { name: 'state', schema: oneOf(...itemStates), description: 'State of the items shown' },
      ...pagingParameters,
    ],
    page: showOneTask,
  },
  { method: 'GET', path: '/tasks/{id}/log', floor: 'viewer', title: tasks.log, page: showTaskLog },
  {
    method: 'POST',
    path: '/tasks/{id}/cancel',
    floor: 'operator',
    page: '/tasks/{id}',
    mirror: 'POST /tasks/{id}/cancel',
    done: ({ path }) => ({ location: toPath('/tasks/{id}', { id: path.id! }) }),
  },
];
