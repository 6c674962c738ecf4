import { type PageOf, selectPage } from '../base/page.ts';
import type { TaskStatus, TaskType } from './model.ts';
import type { TaskQuery } from './tasks.ts';

interface Listed {
  readonly id: string;
  readonly runId: string;
  readonly requestId?: string;
  readonly reference: string;
  readonly actor: string;
  readonly status: TaskStatus;
  readonly type: TaskType;
}

/**
 * Selects one page of the tasks that match a query, in the given order. A page after the last one is empty.
 */
export function selectTasks<T extends Listed>(
  tasks: readonly T[],
  query: TaskQuery,
): { readonly selected: readonly T[]; readonly pageOf: PageOf } {
  const { toReference = ({ reference }) => reference } = query;
  const text = query.q?.toLowerCase() ?? '';
  const found = tasks.filter(
    (task) =>
      (query.status === undefined || task.status === query.status) &&
      (query.type === undefined || task.type === query.type) &&
      (text === '' ||
        [task.id, task.runId, task.requestId ?? '', toReference(task), task.actor].some((value) =>
          value.toLowerCase().includes(text),
        )),
  );
  return selectPage(found, query);
}
