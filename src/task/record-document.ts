import type { StoredRequest } from './request.ts';
import { type JournalEntry, splitTask, type TaskBody, type TaskHead, type TaskRecord } from './storage.ts';

const format = 1;

interface HeadLine {
  readonly sequence: number;
  readonly request: StoredRequest;
  readonly task: TaskHead;
}

/**
 * Formats a task document as two lines of JSON: first the head that lists need, then the members that grow
 * with the work. Loading the tasks reads only the first line of a finished task.
 */
export function formatRecord({ sequence, request, task }: TaskRecord): string {
  const { head, body } = splitTask(task);
  return `${JSON.stringify({ format, sequence, request, task: head })}\n${JSON.stringify(body)}\n`;
}

/** Parses the first line of a task document. @throws Error with the defect */
export function parseHead(line: string): HeadLine {
  const head = toObject(JSON.parse(line));
  if (head.format !== format) throw new Error(`format ${String(head.format)} is not ${format}`);
  const { sequence } = head;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence))
    throw new Error('the sequence is missing');
  const task = toObject(head.task);
  for (const member of ['id', 'runId', 'type', 'reference', 'actor', 'status', 'createdAt'] as const) {
    if (typeof task[member] !== 'string') throw new Error(`${member} is missing`);
  }
  toObject(head.request);
  return head as unknown as HeadLine;
}

/** Parses a complete task document. @throws Error with the defect */
export function parseRecord(text: string): TaskRecord {
  const [first = '', second = ''] = text.split('\n', 2);
  const { sequence, request, task } = parseHead(first);
  const body = toObject(JSON.parse(second)) as unknown as TaskBody;
  if (!Array.isArray(body.items)) throw new Error('items are missing');
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
