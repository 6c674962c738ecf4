import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toSvcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { syncFolder, writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { toWriteError } from '../disk/write-error.ts';
import { AppendFile } from './append-file.ts';
import { isOver, type Task } from './model.ts';
import { toShown, toStored } from './record-document.ts';
import type { TaskStorage } from './storage.ts';
import { openTaskMemory } from './task-memory.ts';

/**
 * Stores the task of a command, which is never resumed, and writes its record to disk:
 * `<prefix>-<runId>.json` is the document, written when the task is submitted and when it has ended;
 * `<prefix>-<runId>.journal` contains the changes in between, one JSON object per line. A killed process
 * leaves both files.
 *
 * @param folder created when it does not exist
 * @param keep number of records that are kept, at least 1: at the end of a task, those that changed least recently are
 *   removed
 */
export async function openTaskRecord(
  folder: string,
  prefix: string,
  keep: number,
  report: Report,
): Promise<TaskStorage> {
  await makeStateFolder(folder);
  const memory = openTaskMemory();
  const journals = new Map<string, AppendFile>();
  const toPath = ({ runId }: Task, kind: 'json' | 'journal') => join(folder, `${prefix}-${runId}.${kind}`);
  const write = (task: Task) =>
    writeStateFile(toPath(task, 'json'), `${JSON.stringify({ task: toStored(task) }, null, 2)}\n`);

  return {
    ...memory,
    async create(record) {
      await memory.create(record);
      await write(record.task);
      const path = toPath(record.task, 'journal');
      try {
        const journal = new AppendFile(path);
        journals.set(record.task.id, journal);
        await journal.append('', false);
        // the name of a new file must be synced too, or the file is lost in a power cut
        await syncFolder(folder);
      } catch (error) {
        throw toWriteError(error, path, { place: 'state' });
      }
    },
    async note(id, entry, durable) {
      await journals.get(id)?.append(`${JSON.stringify(entry)}\n`, durable);
    },
    async finish(record) {
      await memory.finish(record);
      const { task } = record;
      try {
        await journals.get(task.id)?.close();
        await write(task);
        await rm(toPath(task, 'journal'), { force: true });
        await removeOldRecords(folder, prefix, Math.max(1, keep));
      } catch (error) {
        report.log('error', 'The record of a task could not be kept', {
          path: toPath(task, 'json'),
          error: toSvcError(error),
        });
      }
    },
    async [Symbol.asyncDispose]() {
      for (const journal of journals.values()) await journal.close();
    },
  };
}

/** Removes the records of a folder, with their journals, except those that changed last. */
async function removeOldRecords(folder: string, prefix: string, keep: number): Promise<void> {
  const changed = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const [, record] = /^(.+)\.(?:json|journal)$/.exec(name) ?? [];
    if (record === undefined || !record.startsWith(`${prefix}-`)) continue;
    // another command can remove it at the same time
    const at = await stat(join(folder, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    changed.set(record, Math.max(at, changed.get(record) ?? 0));
  }
  const latestFirst = [...changed].sort(([, a], [, b]) => b - a);
  for (const [record] of latestFirst.slice(keep))
    for (const kind of ['json', 'journal']) await rm(join(folder, `${record}.${kind}`), { force: true });
}

/** Most records that {@link peekTaskRecords} reads, those that changed last. */
const mostPeeked = 10;

/**
 * Reads the finished tasks of the records that commands have left in a folder, newest first. Nothing is locked or changed;
 * a record that cannot be read is left out.
 *
 * @throws SVC-STO-001 when the folder cannot be read
 */
export async function peekTaskRecords(folder: string, prefix: string): Promise<readonly Task[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  });
  const changed: { readonly path: string; readonly at: number }[] = [];
  for (const name of names) {
    if (!name.startsWith(`${prefix}-`) || !name.endsWith('.json')) continue;
    const path = join(folder, name);
    const at = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (at !== undefined) changed.push({ path, at });
  }
  const tasks: Task[] = [];
  for (const { path } of changed.sort((a, b) => b.at - a.at).slice(0, mostPeeked)) {
    const task = await readPlainText(path).then(parseTask, () => undefined);
    if (task !== undefined && isOver(task)) tasks.push(task);
  }
  return tasks;
}

/** The task of a record; undefined for what is no record. */
export function parseTask(text: string): Task | undefined {
  try {
    const document: unknown = JSON.parse(text);
    const { task } = (document ?? {}) as { readonly task?: Partial<Task> };
    const isTask =
      typeof task?.id === 'string' &&
      typeof task.createdAt === 'string' &&
      Array.isArray(task.items) &&
      typeof task.reference === 'string';
    return isTask ? toShown(task as Task) : undefined;
  } catch {
    return undefined;
  }
}
