import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachBounded } from '../base/concurrency.ts';
import { runAtOnce } from '../base/pacer.ts';
import type { Task } from '../contract/task.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { listCommandRecords, readCommandHead, readCommandTask, toCommandFolder } from './command-record.ts';
import { readEarlierRecords } from './earlier-records.ts';
import { isOver } from './model.ts';
import { parseHead, parseRecord } from './record-document.ts';
import { type TaskHead, toHead } from './storage.ts';
import { readHead, toTaskFile } from './task-files.ts';

/** Documents that are read at once. */
const readsAtOnce = 8;

/** The tasks of a state folder, as they are stored. */
interface PeekedTasks {
  /** Of the queue of an instance and of commands; the last to end comes first. */
  readonly finished: readonly TaskHead[];
  /** Number of tasks of the queue that wait, run, or were interrupted. */
  readonly unfinished: number;
  /** @throws SVC-STO-001 when the document was removed or cannot be read */
  read(id: string): Promise<Task>;
}

/** When a task ended. */
const endOf = ({ finishedAt, createdAt }: TaskHead): string => finishedAt ?? createdAt;

/**
 * Reads the tasks of an instance without its queue: nothing is locked or changed, also while the instance runs. Documents that
 * cannot be read are left out.
 *
 * @throws SVC-STO-001 when the folder cannot be read
 */
export async function peekTasks(stateRoot: string): Promise<PeekedTasks> {
  const folder = join(stateRoot, 'tasks');
  const finished: TaskHead[] = [];
  let unfinished = 0;
  const ids = (await list(folder)).flatMap((name) => toTaskFile(name, ['json']));
  await forEachBounded(ids, readsAtOnce, async (id) => {
    const head = await readHead(join(folder, `${id}.json`)).then(parseHead, () => undefined);
    if (head === undefined) return;
    if (isOver(head.task)) finished.push(head.task);
    else unfinished += 1;
  });
  const commands = toCommandFolder(stateRoot);
  const commandIds = new Set(await listCommandRecords(commands));
  await forEachBounded([...commandIds], readsAtOnce, async (id) => {
    const one = await readCommandHead(commands, id).catch(() => undefined);
    if (one !== undefined && isOver(one.head)) finished.push(one.head);
  });
  const earlier = new Map((await readEarlierRecords(stateRoot)).map(({ task }) => [task.id, task]));
  finished.push(...[...earlier.values()].map(toHead));
  return {
    finished: finished.sort((a, b) => endOf(b).localeCompare(endOf(a))),
    unfinished,
    read: async (id) => {
      const before = earlier.get(id);
      if (before !== undefined) return before;
      const path = join(commandIds.has(id) ? commands : folder, `${id}.json`);
      try {
        if (commandIds.has(id)) return await readCommandTask(commands, id);
        return runAtOnce(parseRecord(await readPlainText(path))).task;
      } catch (error) {
        throw toReadError(error, path);
      }
    },
  };
}

async function list(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  }
}
