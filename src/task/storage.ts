import type { Readable } from 'node:stream';
import type { Task, TaskItem } from './model.ts';
import type { StoredRequest } from './request.ts';

/** A task document without what grows with the work: what lists and searches need. */
export type TaskHead = Omit<Task, 'items' | 'resolutions' | 'pruned'>;

/** A task as it is kept. */
export interface TaskRecord {
  /** Order of submission; never goes back, unlike times. */
  readonly sequence: number;
  readonly request: StoredRequest;
  readonly task: Task;
}

/** What happens to a running task between its two documents. */
export interface JournalEntry {
  readonly startedAt?: string;
  readonly sourceRunId?: string;
  /** Items as they settled. */
  readonly items?: readonly TaskItem[];
}

/** What a start finds. */
export interface StoredTask {
  readonly sequence: number;
  readonly head: TaskHead;
  /** The whole record of a task that is not finished, journal included. */
  readonly unfinished?: TaskRecord;
}

/** Where tasks and their logs are kept. Ids have been validated by the caller. */
export interface TaskStorage extends AsyncDisposable {
  /** Everything kept, in order of submission. */
  load(): Promise<readonly StoredTask[]>;
  /** Keeps a new task; durable. */
  create(record: TaskRecord): Promise<void>;
  /** Adds to the journal of a task; durable when asked. */
  note(id: string, entry: JournalEntry, durable: boolean): Promise<void>;
  /** Replaces the document of a task that has ended and drops its journal; durable. */
  finish(record: TaskRecord): Promise<void>;
  read(id: string): Promise<Task>;
  /** Removes a task with its log. */
  remove(id: string): Promise<void>;
  /** Adds lines to the log of a task; not durable. */
  appendLog(id: string, text: string): Promise<void>;
  /** At most `length` bytes of a log from byte `after`, and the log's size. */
  readLog(
    id: string,
    after: number,
    length: number,
  ): Promise<{ readonly bytes: Buffer; readonly size: number }>;
  openLog(id: string): Readable;
}

/** Lays a journal over the task that it belongs to. */
export function applyJournal(task: Task, entries: Iterable<JournalEntry>): Task {
  const items = new Map(task.items.map((item) => [item.name, item]));
  let applied = task;
  for (const entry of entries) {
    if (entry.startedAt !== undefined) {
      applied = { ...applied, startedAt: applied.startedAt ?? entry.startedAt, resumed: true };
    }
    if (entry.sourceRunId !== undefined) applied = { ...applied, sourceRunId: entry.sourceRunId };
    for (const item of entry.items ?? []) items.set(item.name, item);
  }
  const settled = [...items.values()];
  return { ...applied, items: settled, counts: countItems(settled) };
}

export function countItems(items: Iterable<TaskItem>): Task['counts'] {
  const counts = { total: 0, done: 0, failed: 0, skipped: 0 };
  for (const { status } of items) {
    counts.total += 1;
    if (status === 'done' || status === 'failed' || status === 'skipped') counts[status] += 1;
  }
  return counts;
}

export function toHead(task: Task): TaskHead {
  const { items: _items, resolutions: _resolutions, pruned: _pruned, ...head } = task;
  return head;
}
