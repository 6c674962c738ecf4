import { type FSWatcher, watch } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Report } from '../base/report.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { toWriteError } from '../disk/write-error.ts';
import { isOver } from './model.ts';
import { type TaskHead, type TaskStorage, toHead } from './storage.ts';
import { parseTask } from './task-record.ts';

/** The finished tasks that commands have left in a folder, beside or without an instance, as part of its tasks. */
export interface CommandRecords {
  /** Also reads and removes these tasks. They have no log. */
  readonly storage: TaskStorage;
  /** Lists those that were not listed before. @throws SVC-STO-001 when the folder cannot be read */
  list(): Promise<readonly TaskHead[]>;
  /** Calls back when another one may have come. */
  watch(onChange: () => void): void;
}

/**
 * Adds the records of commands to the tasks of an instance.
 *
 * @param folder exists
 */
export function openCommandRecords(
  tasks: TaskStorage,
  { folder, prefix, report }: { readonly folder: string; readonly prefix: string; readonly report: Report },
): CommandRecords {
  const paths = new Map<string, string>();
  const seen = new Set<string>();
  let watcher: FSWatcher | undefined;
  return {
    async list() {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isAbsent(error)) return [];
        throw toReadError(error, folder);
      });
      const heads: TaskHead[] = [];
      for (const name of names) {
        if (!name.startsWith(`${prefix}-`) || !name.endsWith('.json') || seen.has(name)) continue;
        const path = join(folder, name);
        // a record of a command that runs is read again when it changes
        const task = await readPlainText(path).then(parseTask, () => undefined);
        if (task === undefined || !isOver(task)) continue;
        seen.add(name);
        paths.set(task.id, path);
        heads.push(toHead(task));
      }
      return heads;
    },
    watch(onChange) {
      try {
        watcher = watch(folder, { persistent: false }, onChange);
        watcher.on('error', () => watcher?.close());
      } catch (error) {
        report.log('warn', 'Tasks of commands are shown after the next start only', {
          folder,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    },
    storage: {
      ...tasks,
      async read(id) {
        const path = paths.get(id);
        if (path === undefined) return tasks.read(id);
        const task = await readPlainText(path).then(parseTask, (error: unknown) => {
          throw toReadError(error, path);
        });
        if (task === undefined) throw toReadError(new Error('it is no record of a task'), path);
        return task;
      },
      async remove(id) {
        const path = paths.get(id);
        if (path === undefined) return tasks.remove(id);
        paths.delete(id);
        await rm(path, { force: true }).catch((error: unknown) => {
          throw toWriteError(error, path, { place: 'state' });
        });
      },
      readLog: async (id, after, length) =>
        paths.has(id) ? { bytes: Buffer.alloc(0), size: 0 } : tasks.readLog(id, after, length),
      openLog: (id) => (paths.has(id) ? Readable.from([]) : tasks.openLog(id)),
      async [Symbol.asyncDispose]() {
        watcher?.close();
        await tasks[Symbol.asyncDispose]();
      },
    },
  };
}
