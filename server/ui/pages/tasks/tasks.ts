import { tasks } from '../../../../src/text/words/tasks.ts';
import { page, type UiRoute } from '../../ui-route.ts';
import { cancelPages } from './cancel.ts';
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
  ...cancelPages,
  page({
    method: 'GET',
    path: '/tasks/{id}',
    floor: 'viewer',
    title: tasks.task,
    query: itemFilters,
    page: showOneTask,
  }),
  page({ method: 'GET', path: '/tasks/{id}/log', floor: 'viewer', title: tasks.log, page: showTaskLog }),
];
