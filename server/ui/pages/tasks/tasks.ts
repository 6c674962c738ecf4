import { listTasks } from '../../../../src/contract/operations/tasks.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { toPath } from '../../to-href.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { itemFilters } from './items.ts';
import { showTasks } from './list.ts';
import { showTaskLog } from './log.ts';
import { showOneTask } from './show.ts';

export const taskPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/tasks',
    floor: 'viewer',
    title: tasks.title,
    query: listTasks.query,
    page: showTasks,
  }),
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
  page({
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    title: tasks.task,
    query: itemFilters,
    page: showOneTask,
  }),
  page({ method: 'GET', path: '/tasks/{id}/log', floor: 'viewer', title: tasks.log, page: showTaskLog }),
  {
    method: 'POST',
    path: '/tasks/{id}/cancel',
    floor: 'operator',
    page: '/tasks/{id}',
    mirror: 'POST /tasks/{id}/cancel',
    done: ({ path }) => ({ location: toPath('/tasks/{id}', { id: path.id! }) }),
  },
];
