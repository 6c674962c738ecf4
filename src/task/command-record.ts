import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runInTurns, type Steps } from '../base/pacer.ts';
import type { Task } from '../contract/task.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { acquireLock } from '../disk/lock.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { svcError, toErrorRecord } from '../text/error.ts';
import { LiveTask } from './live-task.ts';
import { isOver } from './model.ts';
import { parseHead, parseJournal, parseRecord } from './record-document.ts';
import { applyJournal, type JournalEntry, type ListedTask, type TaskRecord, toListed } from './storage.ts';
import { readHead, toTaskFile } from './task-files.ts';

/** Folder of a state root in which commands keep the records of their tasks. */
export const toCommandFolder = (stateRoot: string): string => join(stateRoot, 'commands');

/** Path of the lock that a command holds while it may write the record. */
export const toRecordLock = (folder: string, id: string): string => join(folder, `${id}.lock`);

/** The files of one record. */
export const recordFiles = ['json', 'journal', 'log', 'lock', 'lock.holder'] as const;

/** The identifiers of the records in a folder. @throws SVC-STO-001 when it cannot be read */
export async function listCommandRecords(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  });
  return names.flatMap((name) => toTaskFile(name, ['json']));
}

/** Whether the command of a record still runs. */
export async function isHeld(folder: string, id: string): Promise<boolean> {
  try {
    const lock = await acquireLock(toRecordLock(folder, id), 'shared', {
      holder: 'svc serve',
      untouched: true,
    });
    await lock.release();
    return false;
  } catch (error) {
    // a lock that cannot be tried is no sign of an end
    return !isAbsent(error);
  }
}

/**
 * Reads the head of a record as it is shown: of a command that runs, or that was killed and could not record its end.
 *
 * @throws the error of the system, or Error with the defect of the document
 */
export async function readCommandHead(folder: string, id: string): Promise<ListedTask> {
  const read = async (): Promise<ListedTask> => {
    const { task, names } = parseHead(await readHead(join(folder, `${id}.json`)));
    return { head: task, names };
  };
  const { head, names } = await read();
  if (isOver(head)) return { head, names };
  if (await isHeld(folder, id)) return { head: { ...head, status: 'running' }, names };
  // the command could end between the two looks
  const after = await read();
  return isOver(after.head) ? after : toListed(await readCommandTask(folder, id));
}

/**
 * Reads a record for display; a task without an end is completed from its journal.
 *
 * @throws the error of the system, or Error with the defect of the document
 */
export async function readCommandTask(folder: string, id: string): Promise<Task> {
  const isRunning = await isHeld(folder, id);
  const path = join(folder, `${id}.json`);
  const record = await runInTurns(parseRecord(await readPlainText(path)));
  if (isOver(record.task)) return record.task;
  const journalPath = join(folder, `${id}.journal`);
  const journal = await readPlainText(journalPath).catch((error: unknown) => {
    if (isAbsent(error)) return '';
    throw error;
  });
  const { resumed } = record.task;
  const task = { ...applyJournal(record.task, await runInTurns(parseInSteps(journal))), resumed };
  if (isRunning) return { ...task, status: 'running' };
  const changed = await Promise.all([path, journalPath].map(changedAt));
  // the times of files are rounded down
  const least = Date.parse(task.startedAt ?? task.createdAt);
  return toLost({ ...record, task }, new Date(Math.max(least, ...changed)));
}

/** Lines of a journal that are parsed at once. */
const linesAtOnce = 100;

function* parseInSteps(journal: string): Steps<readonly JournalEntry[]> {
  const lines = journal.split('\n');
  const entries: JournalEntry[] = [];
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    entries.push(...parseJournal(lines.slice(at, at + linesAtOnce).join('\n')));
    yield;
  }
  return entries;
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** The task of a command that is gone, and whose record has no end. */
function toLost(record: TaskRecord, at: Date): Task {
  const live = new LiveTask({ record, note: async () => {}, log: async () => {}, onChange: () => {} });
  const error = svcError('SVC-TSK-006', { command: record.task.command ?? 'svc' });
  return live.toEnded(at, toErrorRecord(error)).task;
}
