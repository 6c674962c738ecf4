import { cancelTask, cancelTasks } from '../../../../src/contract/operations/tasks.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import { toPath } from '../../to-href.ts';
import { action, page, type UiRoute } from '../../ui-route.ts';
import { itemFilters } from './items.ts';
import { showTasks, taskFilters } from './list.ts';
import { showTaskLog } from './log.ts';
import { showOneTask } from './show.ts';

export const taskPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/tasks',
    floor: 'viewer',
    title: tasks.title,
    query: taskFilters,
    page: showTasks,
  }),
  action(cancelTasks, {
    path: '/tasks/cancel',
    page: '/tasks',
    done: (_call, answer) => {
      const { cancelled, refused } = answer;
      const text = refused.length === 0 ? tasks.cancelledSeveral : tasks.cancelledSome;
      return {
        location: '/tasks',
        said: { text, params: { count: cancelled.length, refused: refused.length } },
      };
    },
  }),
  page({
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    title: tasks.task,
    query: itemFilters,
    page: showOneTask,
  }),
  page({ method: 'GET', path: '/tasks/{id}/log', floor: 'viewer', title: tasks.log, page: showTaskLog }),
  action(cancelTask, {
    path: '/tasks/{id}/cancel',
    page: '/tasks/{id}',
    done: ({ path }) => ({ location: toPath('/tasks/{id}', { id: path.id! }) }),
  }),
];
