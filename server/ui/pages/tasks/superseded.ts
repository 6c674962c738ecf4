import type { TaskHead } from '../../../../src/task/storage.ts';
import { isPartial } from '../../../../src/view/task-state.ts';

interface Later {
  readonly done?: TaskHead;
  readonly partial?: TaskHead;
}

/**
 * The failed tasks whose work a later one did, each with the last such task. After a failure that brought nothing, one that
 * brought a part is a success too.
 *
 * @param heads newest first
 */
export function findSuperseded(heads: readonly TaskHead[]): ReadonlyMap<string, TaskHead> {
  const later = new Map<string, Later>();
  const found = new Map<string, TaskHead>();
  for (const task of heads) {
    const work = `${task.type} ${task.reference}`;
    const { done, partial } = later.get(work) ?? {};
    const isPart = isPartial(task);
    const better = done ?? (isPart ? undefined : partial);
    if (task.status === 'failed' && better !== undefined) found.set(task.id, better);
    if (task.status === 'done') later.set(work, { done: done ?? task, ...(partial && { partial }) });
    else if (isPart) later.set(work, { ...(done && { done }), partial: partial ?? task });
  }
  return found;
}
