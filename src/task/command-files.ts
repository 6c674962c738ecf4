import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { silentReport } from '../base/report.ts';
import type { Task } from '../contract/task.ts';
import { acquireLock, type Lock } from '../disk/lock.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { type SvcError, toSvcError } from '../text/error.ts';
import { isHeld, listCommandRecords, recordFiles, toCommandFolder, toRecordLock } from './command-record.ts';
import type { TaskStorage } from './storage.ts';
import { openTaskFiles } from './task-files.ts';

interface CommandFilesOptions {
  /**
   * Number of records that are kept, at least 1: at the end of a task, those that changed least recently are removed.
   */
  readonly keep: number;
  /** Called with the task as it ended when its end cannot be recorded. */
  readonly onUnkept: (error: SvcError, task: Task) => void;
}

/**
 * Stores the task of a command, which is never resumed, in a folder of the state that an instance reads too. Only this
 * process writes the record: it holds a lock on it until the end is recorded, and a killed process loses the lock.
 *
 * @throws SVC-STO-002, SVC-STO-004 when the folder cannot be made
 */
export async function openCommandFiles(
  stateRoot: string,
  { keep, onUnkept }: CommandFilesOptions,
): Promise<TaskStorage> {
  const folder = toCommandFolder(stateRoot);
  const files = await openTaskFiles(folder, silentReport);
  let lock: Lock | undefined;
  const unlock = async (id: string): Promise<void> => {
    await lock?.release();
    lock = undefined;
    await removeFiles(folder, id, ['lock', 'lock.holder']);
  };
  return {
    ...files,
    load: async () => [],
    async create(record) {
      const { id } = record.task;
      const holder = record.task.command ?? 'svc';
      // before the record: one without a lock is that of a killed command
      lock = await acquireLock(toRecordLock(folder, id), 'exclusive', { holder });
      try {
        await files.create(record);
        // opened now, as the process may act as another user later
        await files.note(id, {}, true);
        await files.appendLog(id, '');
      } catch (error) {
        await files.remove(id).catch(() => undefined);
        await unlock(id).catch(() => undefined);
        throw error;
      }
    },
    async finish(record) {
      const { id } = record.task;
      try {
        await files.finish(record);
        await unlock(id);
        await removeOldRecords(folder, Math.max(1, keep));
      } catch (error) {
        onUnkept(toSvcError(error), record.task);
      }
    },
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]();
      await lock?.release();
    },
  };
}

export async function removeFiles(folder: string, id: string, kinds: readonly string[]): Promise<void> {
  for (const kind of kinds) await rm(join(folder, `${id}.${kind}`), { force: true });
}

/** A document that a killed command was writing. */
const unfinished = /^(tsk_[0-9a-f]{12}\.json)\.[0-9a-f]{12}\.tmp$/;

/**
 * Removes the records that changed least recently, files without a record, and unfinished documents. Files of running
 * commands stay.
 */
async function removeOldRecords(folder: string, keep: number): Promise<void> {
  const ids = await listCommandRecords(folder);
  const changed = await Promise.all(
    ids.map(async (id) => {
      // another command can remove it at the same time
      const at = await stat(join(folder, `${id}.json`)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { id, at };
    }),
  );
  const old = changed.sort((a, b) => b.at - a.at).slice(keep);
  const known = new Set(ids);
  const names = await readdir(folder);
  const orphans = names.flatMap((name) => {
    const id = /^(tsk_[0-9a-f]{12})\./.exec(name)?.[1];
    return id === undefined || known.has(id) ? [] : [id];
  });
  for (const id of new Set([...old.map((one) => one.id), ...orphans]))
    if (!(await isHeld(folder, id))) await removeFiles(folder, id, recordFiles);
  for (const name of names) {
    const [, document] = unfinished.exec(name) ?? [];
    if (document !== undefined && !(await isHeld(folder, basename(document, '.json'))))
      await removeLeftovers(join(folder, document));
  }
}
