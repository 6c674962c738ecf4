import type { TaskStatus, TaskType } from './model.ts';

interface Listed {
  readonly id: string;
  readonly runId: string;
  readonly reference: string;
  readonly actor: string;
  readonly status: TaskStatus;
  readonly type: TaskType;
}

interface Query {
  readonly q?: string | undefined;
  readonly status?: TaskStatus | undefined;
  readonly type?: TaskType | undefined;
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
}

/** One page of the tasks that a query asks for, in the order given. A page past the end is empty. */
export function selectTasks<T extends Listed>(
  tasks: readonly T[],
  query: Query,
): { selected: readonly T[]; page: number; totalPages: number; total: number } {
  const text = query.q?.toLowerCase() ?? '';
  const found = tasks.filter(
    (task) =>
      (query.status === undefined || task.status === query.status) &&
      (query.type === undefined || task.type === query.type) &&
      [task.id, task.runId, task.reference, task.actor].some((value) => value.toLowerCase().includes(text)),
  );
  const page = Math.max(1, Math.floor(query.page ?? 1));
  const pageSize = Math.min(200, Math.max(1, Math.floor(query.pageSize ?? 25)));
  const selected = found.slice((page - 1) * pageSize, page * pageSize);
  return { selected, page, totalPages: Math.ceil(found.length / pageSize), total: found.length };
}
