import type { Task } from '../contract/task.ts';
import { tasks } from '../text/words/tasks.ts';
import type { Sentence } from '../text/words/words.ts';

type Ended = Pick<Task, 'status' | 'counts'>;

/** Whether a task failed after some of its items were done. */
export const isPartial = ({ status, counts }: Ended): boolean => status === 'failed' && counts.done > 0;

/** Whether a task that did not fail left some of its items undone: those of an import may wait for other disks. */
export const isInPart = ({ status, counts }: Ended): boolean =>
  status === 'done' && counts.done < counts.total;

/** The status of a task of which a part was done, with this qualifier; undefined for every other one. */
export function partlyOf(task: Ended): Sentence | undefined {
  if (isPartial(task)) return tasks.partial;
  return isInPart(task) ? tasks.inPart : undefined;
}
