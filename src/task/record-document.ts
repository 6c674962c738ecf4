import type { Steps } from '../base/pacer.ts';
import type { Task } from '../contract/task.ts';
import type { StoredRequest } from './request.ts';
import {
  type JournalEntry,
  selectNames,
  splitTask,
  type TaskBody,
  type TaskHead,
  type TaskRecord,
} from './storage.ts';

/** The first has the members that grow with the work on one line, the second has them on several. */
const formats: readonly unknown[] = [1, 2];
/** Members that grow with the work, and that a large document has in parts. */
const lists = ['items', 'resolutions', 'pruned', 'movedTags'] as const;
/** Characters of a line from which on the next element begins another one: parsed in less than a millisecond. */
const lineLength = 64 << 10;

interface HeadLine {
  readonly format: unknown;
  readonly sequence: number;
  readonly request: StoredRequest;
  /** Names of the items, for the search. Absent in documents of earlier versions. */
  readonly names?: readonly string[];
  readonly task: TaskHead;
}

/**
 * Formats a task document as lines of JSON: first the head that lists need, then the members that grow with the work.
 * Loading the tasks reads only the first line of a finished task. A large document has one line for many elements of a
 * list, so that reading it never blocks the event loop for long.
 */
export function formatRecord({ sequence, request, task }: TaskRecord): string {
  const { head, body } = splitTask(toStored(task));
  const parts = lists.flatMap((name) =>
    toLines(body[name] ?? []).map((elements) => `{"${name}":[${elements}]}\n`),
  );
  const isLarge = parts.length > lists.length || parts.some((part) => part.length > lineLength);
  const format = isLarge ? 2 : 1;
  const rest = isLarge
    ? { ...body, ...Object.fromEntries(presentLists(body).map((name) => [name, []])) }
    : body;
  return `${JSON.stringify({ format, sequence, request, names: selectNames(task), task: head })}\n${JSON.stringify(rest)}\n${isLarge ? parts.join('') : ''}`;
}

const presentLists = (body: TaskBody) => lists.filter((name) => body[name] !== undefined);

/** Elements as JSON, in lines of about the same length. */
function toLines(elements: readonly unknown[]): readonly string[] {
  const lines: string[] = [];
  let line: string[] = [];
  let length = 0;
  for (const element of elements) {
    const text = JSON.stringify(element);
    line.push(text);
    length += text.length;
    if (length < lineLength) continue;
    lines.push(line.join());
    line = [];
    length = 0;
  }
  return line.length === 0 ? lines : [...lines, line.join()];
}

/** Parses the first line of a task document. @throws Error with the defect */
export function parseHead(line: string): Required<HeadLine> {
  const head = toObject(JSON.parse(line));
  if (!formats.includes(head.format))
    throw new Error(`format ${String(head.format)} is not one of ${formats.join(', ')}`);
  const { sequence } = head;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence))
    throw new Error('the sequence is missing');
  const task = toObject(head.task);
  for (const member of ['id', 'runId', 'type', 'reference', 'actor', 'status', 'createdAt'] as const) {
    if (typeof task[member] !== 'string') throw new Error(`${member} is missing`);
  }
  toObject(head.request);
  const read = head as unknown as HeadLine;
  return { ...read, names: read.names ?? [], task: toShown(read.task) };
}

/**
 * Documents give a cancelled task the status `failed` and the actor of its cancellation: programs older than the status
 * `cancelled` read them too.
 */
function toStored(task: Task): Task {
  return task.status === 'cancelled' ? { ...task, status: 'failed' } : task;
}

/** Reverses {@link toStored}. */
export function toShown<T extends Pick<Task, 'status' | 'cancelledBy'>>(task: T): T {
  return task.status === 'failed' && task.cancelledBy !== undefined ? { ...task, status: 'cancelled' } : task;
}

/** Parses a complete task document, line by line. @throws Error with the defect */
export function* parseRecord(text: string): Steps<TaskRecord> {
  const [first = '', second = '', ...parts] = text.split('\n');
  const { format, sequence, request, task } = parseHead(first);
  const body = toObject(JSON.parse(second)) as unknown as TaskBody;
  if (!Array.isArray(body.items)) throw new Error('items are missing');
  for (const part of format === 1 ? [] : parts) {
    if (part === '') continue;
    yield;
    const more = toObject(JSON.parse(part)) as unknown as Partial<TaskBody>;
    for (const name of presentLists(body)) (body[name] as unknown[]).push(...(more[name] ?? []));
  }
  return { sequence, request, task: { ...task, ...body } };
}

/** Parses a journal, skipping torn lines. */
export function parseJournal(text: string): readonly JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [toObject(JSON.parse(line)) as JournalEntry];
    } catch {
      return [];
    }
  });
}

function toObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('it is not an object');
  }
  return value as Record<string, unknown>;
}
