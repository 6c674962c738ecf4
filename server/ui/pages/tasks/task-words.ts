import type { ItemStatus, TaskStatus, TaskType } from '../../../../src/contract/common.ts';
import type { Task, TaskItem } from '../../../../src/contract/task.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import type { Html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';

export const typeWords: Readonly<Record<TaskType, Sentence>> = {
  sync: tasks.sync,
  import: tasks.import,
  'media-import': tasks.mediaImport,
  'media-write': tasks.mediaWrite,
  'layout-export': tasks.layoutExport,
  'layout-import': tasks.layoutImport,
  'fileset-pack': tasks.filesetPack,
};

export const statusWords: Readonly<Record<ItemStatus | TaskStatus, Sentence>> = {
  pending: tasks.pending,
  running: tasks.running,
  done: tasks.done,
  failed: tasks.failed,
  cancelled: tasks.cancelled,
  skipped: tasks.skipped,
};

const kinds: Readonly<Record<ItemStatus | TaskStatus, BadgeKind>> = {
  pending: 'plain',
  running: 'running',
  done: 'ok',
  failed: 'bad',
  cancelled: 'stopped',
  skipped: 'plain',
};

/** The same of an item, which is masculine in French. */
export const itemWords: Readonly<Record<ItemStatus, Sentence>> = {
  ...statusWords,
  done: tasks.itemDone,
  failed: tasks.itemFailed,
};

/** The state of an item: one that a cancelled task did not reach did not fail, and one may wait for other disks. */
export function itemBadge(
  words: Words,
  { status, error, warning }: Pick<TaskItem, 'status' | 'error' | 'warning'>,
): Html {
  if (status === 'skipped' && warning?.code === 'SVC-MED-041')
    return badge('warn', words.say(tasks.itemWaiting));
  return error?.code === 'SVC-TSK-004'
    ? badge('stopped', words.say(tasks.itemCancelled))
    : badge(kinds[status], words.say(itemWords[status]));
}

type Ended = Pick<Task, 'status' | 'waiting'>;

/** The state of a task in a word. */
export function taskState({ say }: Words, task: Ended): string {
  return say(task.waiting === undefined ? statusWords[task.status] : tasks.paused);
}

/** The state of a task. */
export function taskBadge(words: Words, task: Ended): Html {
  return badge(task.waiting === undefined ? kinds[task.status] : 'warn', taskState(words, task));
}

/** Share of the bytes of a task that has arrived, from 0 to 1; of its items where no bytes are known. */
export function shareOf({ status, progress, counts }: Pick<Task, 'status' | 'progress' | 'counts'>): number {
  if (status === 'done') return 1;
  const { bytesDone, bytesTotal } = progress;
  if (bytesTotal > 0) return Math.min(1, bytesDone / bytesTotal);
  return counts.total > 0 ? (counts.done + counts.failed + counts.skipped) / counts.total : 0;
}

/** A medium of which some recipes were imported: its task has failed, and counts them. Undefined for every other task. */
export function partlyImported(
  { say }: Words,
  { type, status, verification, resolutions = [] }: Task,
): string | undefined {
  if (
    type !== 'media-import' ||
    (status !== 'failed' && status !== 'cancelled') ||
    verification === undefined
  )
    return undefined;
  const isIn = ({ ingredient, destinationStatus }: (typeof resolutions)[number]): boolean =>
    ingredient === undefined && (destinationStatus === 'pushed' || destinationStatus === 'up-to-date');
  const count = resolutions.filter(isIn).length;
  const total = verification.recipes.length;
  return count === 0 || count >= total ? undefined : say(tasks.partly, { count, total });
}

/** How many items have come how far. */
export function countsOf({ say }: Words, { done, failed, skipped, total }: Task['counts']): string {
  const some = (count: number): number | undefined => (count === 0 ? undefined : count);
  return say(tasks.counts, { done, total, failed: some(failed), skipped: some(skipped) });
}
