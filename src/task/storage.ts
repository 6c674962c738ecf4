import type { Readable } from 'node:stream';
import type { MediumReport } from '../contract/medium.ts';
import type { Task, TaskItem } from '../contract/task.ts';
import type { StoredRequest } from './request.ts';

/** Members of a task that grow with the work. */
type BodyMember = 'items' | 'resolutions' | 'pruned' | 'movedTags' | 'verification' | 'layout';

/** A task document without the members that grow with the work; sufficient for lists and searches. */
export type TaskHead = Omit<Task, BodyMember>;
/** The members that a {@link TaskHead} does not have. */
export type TaskBody = Pick<Task, BodyMember>;

/** A task as it is stored. */
export interface TaskRecord {
  /** Order of submission; unlike times it always increases. */
  readonly sequence: number;
  readonly request: StoredRequest;
  readonly task: Task;
}

/** A change of a running task, recorded between its first and its final document. */
export interface JournalEntry {
  readonly startedAt?: string;
  readonly sourceRunId?: string;
  readonly cancelledBy?: string;
  readonly verification?: MediumReport;
  /** Items that have settled. */
  readonly items?: readonly TaskItem[];
}

/** A task in lists and searches. */
export interface ListedTask {
  readonly head: TaskHead;
  /** Names of the items, for the search, as {@link selectNames} chooses them. */
  readonly names: readonly string[];
}

/** A task as `load` finds it. */
export interface StoredTask extends ListedTask {
  readonly sequence: number;
  /** The complete record of an unfinished task, including its journal. */
  readonly unfinished?: TaskRecord;
}

/** Storage of tasks and their logs. The caller has validated the identifiers. */
export interface TaskStorage extends AsyncDisposable {
  /** Loads all stored tasks, in order of submission. */
  load(): Promise<readonly StoredTask[]>;
  /** Stores a new task durably. */
  create(record: TaskRecord): Promise<void>;
  /** Appends to the journal of a task, durably when `durable` is set. */
  note(id: string, entry: JournalEntry, durable: boolean): Promise<void>;
  /** Replaces the document of an ended task durably and removes its journal. */
  finish(record: TaskRecord): Promise<void>;
  read(id: string): Promise<Task>;
  /** Removes a task and its log. */
  remove(id: string): Promise<void>;
  /** Appends lines to the log of a task; not durable. */
  appendLog(id: string, text: string): Promise<void>;
  /** Reads at most `length` bytes of a log from byte `after`. @returns the bytes and the size of the log */
  readLog(
    id: string,
    after: number,
    length: number,
  ): Promise<{ readonly bytes: Buffer; readonly size: number }>;
  openLog(id: string): Readable;
}

/** Applies a journal to the task that it belongs to. */
export function applyJournal(task: Task, entries: Iterable<JournalEntry>): Task {
  const items = new Map(task.items.map((item) => [item.name, item]));
  let applied = task;
  for (const entry of entries) {
    if (entry.startedAt !== undefined) {
      applied = { ...applied, startedAt: applied.startedAt ?? entry.startedAt, resumed: true };
    }
    if (entry.sourceRunId !== undefined) applied = { ...applied, sourceRunId: entry.sourceRunId };
    if (entry.cancelledBy !== undefined) applied = { ...applied, cancelledBy: entry.cancelledBy };
    if (entry.verification !== undefined) applied = { ...applied, verification: entry.verification };
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
  return splitTask(task).head;
}

export const toListed = (task: Task): ListedTask => ({ head: toHead(task), names: selectNames(task) });

/** Characters of the names of one task: a search reads those of all tasks, from memory. */
const mostNamed = 2 << 10;
/** What stands before the name of an ingredient in that of its item: its recipe. */
const beforeIngredient = /^.*@[^/]*\/(?=[^@]*$)/;
/** What stands before the name and the version of a recipe: its cookbook. */
const beforeRecipe = /^.*\/(?=[^/@]+@[^/@:]*$)/;

function* namesIn({ items, resolutions = [] }: Pick<Task, 'items' | 'resolutions'>): Generator<string> {
  for (const { name } of items) if (!beforeIngredient.test(name)) yield name.replace(beforeRecipe, '');
  for (const { effective } of resolutions) if (effective !== undefined) yield effective;
  for (const { name } of items) if (beforeIngredient.test(name)) yield name.replace(beforeIngredient, '');
}

/** The names of the recipes, repositories and ingredients that a task handled, each once; of a very large task the first ones. */
export function selectNames(task: Pick<Task, 'items' | 'resolutions'>): readonly string[] {
  const names = new Set<string>();
  let length = 0;
  for (const name of namesIn(task)) {
    if (names.has(name)) continue;
    length += name.length;
    if (length > mostNamed) break;
    names.add(name);
  }
  return [...names];
}

/** Splits a task into a head for lists and a body that grows with the work. */
export function splitTask(task: Task): { readonly head: TaskHead; readonly body: TaskBody } {
  const { items, resolutions, pruned, movedTags, verification, layout, ...head } = task;
  return {
    head,
    body: {
      items,
      ...(resolutions === undefined ? {} : { resolutions }),
      ...(pruned === undefined ? {} : { pruned }),
      ...(movedTags === undefined ? {} : { movedTags }),
      ...(verification === undefined ? {} : { verification }),
      ...(layout === undefined ? {} : { layout }),
    },
  };
}
