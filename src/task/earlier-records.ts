import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../contract/task.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { isOver } from './model.ts';
import { toShown } from './record-document.ts';

/** A finished task of `svc media import` as earlier versions recorded it, and the path of its document. */
interface EarlierRecord {
  readonly path: string;
  readonly task: Task;
}

/**
 * Reads the records of finished tasks that earlier versions of `svc media import` have left in a state folder. They have no
 * log. A record that cannot be read is left out.
 *
 * @throws SVC-STO-001 when the folder cannot be read
 */
export async function readEarlierRecords(stateRoot: string): Promise<readonly EarlierRecord[]> {
  const folder = join(stateRoot, 'media');
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw toReadError(error, folder);
  });
  const records: EarlierRecord[] = [];
  for (const name of names) {
    if (!/^import-.*\.json$/.test(name)) continue;
    const path = join(folder, name);
    const task = await readPlainText(path).then(parseTask, () => undefined);
    if (task !== undefined && isOver(task)) records.push({ path, task });
  }
  return records;
}

/** The task of a record; undefined for any other text. */
function parseTask(text: string): Task | undefined {
  try {
    const document: unknown = JSON.parse(text);
    const { task } = (document ?? {}) as { readonly task?: Partial<Task> };
    const isTask =
      typeof task?.id === 'string' &&
      typeof task.createdAt === 'string' &&
      Array.isArray(task.items) &&
      typeof task.reference === 'string';
    return isTask ? toShown({ ...(task as Task), command: 'svc media import' }) : undefined;
  } catch {
    return undefined;
  }
}
