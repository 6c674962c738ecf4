import { type PageOf, selectPage } from '../base/page.ts';
import { splitWords } from '../base/words.ts';
import type { TaskStatus } from '../contract/common.ts';
import type { NoMember } from '../contract/operation.ts';
import { compareBy, orderOf } from '../contract/operations/sorting.ts';
import type { Task } from '../contract/task.ts';
import { svcError } from '../text/error.ts';
import type { LiveTask } from './live-task.ts';
import { durationOf, isOver } from './model.ts';
import { type ListedTask, selectNames, type TaskHead } from './storage.ts';
import type { TaskQuery } from './tasks.ts';

/** A task of the queue, or one that a command has left. */
export interface TaskEntry {
  readonly sequence: number;
  head: TaskHead;
  /** Of an ended task; those of another one are read from it. */
  names: ListedTask['names'];
  live: LiveTask | undefined;
  /** A finished task whose record could not be written; kept in memory only. */
  unwritten?: Task;
}

/** In order of submission; tasks that ended elsewhere stand between these by their time. */
const byNewest = (a: TaskEntry, b: TaskEntry): number =>
  b.sequence - a.sequence || (a.head.createdAt < b.head.createdAt ? 1 : -1);

/** Values of the keys of a list besides its own order. */
const sortValues: Readonly<
  Record<Exclude<NonNullable<TaskQuery['sort']>, 'created'>, (task: TaskHead) => string | number | undefined>
> = {
  type: ({ type }) => type,
  status: ({ status }) => status,
  actor: ({ actor }) => actor,
  bytes: ({ progress }) => progress.bytesDone,
  duration: durationOf,
};

/** Names of the items of a task so far, for the search. */
export const namesOf = ({ live, names }: Pick<TaskEntry, 'live' | 'names'>): ListedTask['names'] =>
  live === undefined ? names : selectNames(live.task);

/** The names of each ended task in lower case: they are many, and do not change. */
const lowered = new WeakMap<ListedTask['names'], string>();

function searchedOf(entry: TaskEntry): string {
  const names = namesOf(entry);
  const text = lowered.get(names) ?? names.join('\n').toLowerCase();
  lowered.set(names, text);
  return text;
}

/** All tasks by their identifiers, and in the order of lists. */
export class TaskTable {
  readonly #entries = new Map<string, TaskEntry>();
  /** The entries in the order of lists; made again after one has come or gone. */
  #newestFirst: readonly TaskEntry[] | undefined;

  add(entry: TaskEntry): void {
    this.#entries.set(entry.head.id, entry);
    this.#newestFirst = undefined;
  }

  delete(id: string): void {
    this.#entries.delete(id);
    this.#newestFirst = undefined;
  }

  find(id: string): TaskEntry | undefined {
    return this.#entries.get(id);
  }

  /** Finds a task by its identifier. A path is built only from identifiers that were found. @throws SVC-TSK-001 */
  require(id: string): TaskEntry {
    const entry = this.#entries.get(id);
    if (!entry) throw svcError('SVC-TSK-001', { id: id.slice(0, 64) });
    return entry;
  }

  /** A place between the others, for a task that ended elsewhere. @param createdAt RFC 3339 */
  placeAfter(createdAt: string): number {
    let before = 0;
    for (const { sequence, head } of this.#entries.values())
      if (head.createdAt <= createdAt) before = Math.max(before, Math.floor(sequence));
    return before + 0.5;
  }

  /** Finished tasks, newest first. */
  listFinished(): readonly TaskEntry[] {
    return [...this.#entries.values()].filter(({ live, head }) => !live && isOver(head)).sort(byNewest);
  }

  counts(): Record<TaskStatus, number> {
    const counts = { pending: 0, running: 0, done: 0, failed: 0, cancelled: 0 };
    for (const { live, head } of this.#entries.values()) counts[live ? live.status : head.status] += 1;
    return counts;
  }

  /**
   * Selects one page of the tasks that match a query, newest first unless it names another order. A live task may have all its members. A page after the
   * last one is empty.
   */
  select(query: TaskQuery): { readonly selected: readonly TaskHead[]; readonly pageOf: PageOf } {
    this.#newestFirst ??= [...this.#entries.values()].sort(byNewest);
    const {
      q = '',
      status,
      type,
      sort = 'created',
      order,
      page,
      pageSize,
      toReference = ({ reference }) => reference,
      ...others
    } = query;
    others satisfies NoMember;
    const words = splitWords(q);
    const found: TaskHead[] = [];
    for (const entry of this.#newestFirst) {
      const task = entry.live?.task ?? entry.head;
      if (status !== undefined && task.status !== status) continue;
      if (type !== undefined && task.type !== type) continue;
      const { id, runId, requestId = '', actor } = task;
      const own =
        words.length === 0 ? '' : [id, runId, requestId, toReference(task), actor].join('\n').toLowerCase();
      if (words.every((word) => own.includes(word) || searchedOf(entry).includes(word))) found.push(task);
    }
    const direction = orderOf(sort, order);
    if (sort !== 'created')
      found.sort((a, b) => compareBy(sortValues[sort](a), sortValues[sort](b), direction));
    else if (direction === 'asc') found.reverse();
    return selectPage(found, { page, pageSize });
  }
}
