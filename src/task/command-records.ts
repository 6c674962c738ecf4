import { type FSWatcher, watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Report } from '../base/report.ts';
import type { Task } from '../contract/task.ts';
import { toReadError } from '../disk/read-error.ts';
import { toWriteError } from '../disk/write-error.ts';
import { removeFiles } from './command-files.ts';
import {
  listCommandRecords,
  readCommandHead,
  readCommandTask,
  recordFiles,
  toCommandFolder,
} from './command-record.ts';
import { readEarlierRecords } from './earlier-records.ts';
import { isOver } from './model.ts';
import { type ListedTask, type TaskStorage, toListed } from './storage.ts';
import { openTaskFiles } from './task-files.ts';

/** The tasks of commands that ran, or run, beside or without an instance, as part of its tasks. */
export interface CommandRecords {
  /** Also reads and removes these tasks. */
  readonly storage: TaskStorage;
  /** Lists those that have come or ended since they were listed, and those that run. @throws SVC-STO-001 when the folder cannot be read */
  list(): Promise<readonly ListedTask[]>;
  /** Calls back when another one may have come or ended. */
  watch(onChange: () => void): void;
}

/** Milliseconds between two looks at commands that run: a killed one changes no file. */
const lookEvery = 1000;

/** Adds the records of commands to the tasks of an instance. Those records are read and removed here, and never written. */
export async function openCommandRecords(
  tasks: TaskStorage,
  { stateRoot, report }: { readonly stateRoot: string; readonly report: Report },
): Promise<CommandRecords> {
  const folder = toCommandFolder(stateRoot);
  const files = await openTaskFiles(folder, report);
  const earlier = new Map<string, { readonly path: string; readonly task: Task }>();
  for (const record of await readEarlierRecords(stateRoot)) earlier.set(record.task.id, record);
  const unlisted = new Set(earlier.keys());
  /** Whether the task of each listed record has ended. */
  const listed = new Map<string, boolean>();
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const of = (id: string): TaskStorage => (listed.has(id) ? files : tasks);
  return {
    async list() {
      const found = [...unlisted].map((id) => toListed(earlier.get(id)!.task));
      unlisted.clear();
      for (const id of await listCommandRecords(folder)) {
        if (listed.get(id)) continue;
        // a record that is being removed, or is none
        const one = await readCommandHead(folder, id).catch(() => undefined);
        if (one?.head.id !== id) continue;
        listed.set(id, isOver(one.head));
        found.push(one);
      }
      return found;
    },
    watch(onChange) {
      timer = setInterval(() => {
        if ([...listed.values()].includes(false)) onChange();
      }, lookEvery).unref();
      try {
        watcher = watch(folder, { persistent: false }, (_event, name) => {
          if (name === null || name.endsWith('.json')) onChange();
        });
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
        const before = earlier.get(id)?.task;
        if (before !== undefined || !listed.has(id)) return before ?? tasks.read(id);
        return readCommandTask(folder, id).catch((error: unknown) => {
          throw toReadError(error, folder);
        });
      },
      async remove(id) {
        const path = earlier.get(id)?.path;
        try {
          if (path !== undefined) await rm(path, { force: true });
          else if (!listed.has(id)) return await tasks.remove(id);
          else await removeFiles(folder, id, recordFiles);
        } catch (error) {
          throw toWriteError(error, path ?? folder, { place: 'state' });
        }
        earlier.delete(id);
        listed.delete(id);
      },
      readLog: async (id, after, length) =>
        earlier.has(id) ? { bytes: Buffer.alloc(0), size: 0 } : of(id).readLog(id, after, length),
      openLog: (id) => (earlier.has(id) ? Readable.from([]) : of(id).openLog(id)),
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        watcher?.close();
        await files[Symbol.asyncDispose]();
        await tasks[Symbol.asyncDispose]();
      },
    },
  };
}
