import { createReadStream } from 'node:fs';
import { type FileHandle, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runAtOnce, runInTurns } from '../base/pacer.ts';
import type { Report } from '../base/report.ts';
import { syncFolder, writeStateFile } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { openPlain, readPlainText } from '../disk/plain-file.ts';
import { toReadError } from '../disk/read-error.ts';
import { toWriteError } from '../disk/write-error.ts';
import { AppendFile } from './append-file.ts';
import { KnownTasks } from './known-tasks.ts';
import { isOver } from './model.ts';
import { formatRecord, parseHead, parseJournal, parseRecord } from './record-document.ts';
import {
  applyJournal,
  type JournalEntry,
  type StoredTask,
  type TaskRecord,
  type TaskStorage,
  toListed,
} from './storage.ts';

const maxHeadBytes = 64 << 10;
/** Size in bytes at which a log is full. */
const maxLogBytes = 16 << 20;

/**
 * Stores tasks as files of one folder. `<id>.json` is the document, written when the task is submitted and when it has
 * ended. `<id>.journal` contains the changes in between; `<id>.log` is the log.
 */
export async function openTaskFiles(folder: string, report: Report): Promise<TaskStorage> {
  await makeStateFolder(folder);
  const journals = new Map<string, { readonly file: AppendFile; named: boolean }>();
  /** The open logs. The first lines of each wait for its size together, and so keep their order. */
  const logs = new Map<
    string,
    { readonly file: AppendFile; readonly opening: Promise<void>; size: number }
  >();
  const known = new KnownTasks();
  const pathOf = (id: string, kind: 'json' | 'journal' | 'log') => join(folder, `${id}.${kind}`);

  async function loadOne(id: string): Promise<StoredTask> {
    const head = parseHead(await readHead(pathOf(id, 'json')));
    if (head.task.id !== id) throw new Error('the document belongs to another task');
    if (isOver(head.task)) {
      return { sequence: head.sequence, head: head.task, names: head.names };
    }
    const record = runAtOnce(parseRecord(await readPlainText(pathOf(id, 'json'))));
    const entries = parseJournal(await readIfPresent(pathOf(id, 'journal')));
    const task = applyJournal(record.task, entries);
    return { sequence: record.sequence, ...toListed(task), unfinished: { ...record, task } };
  }

  function openLog(id: string) {
    const opening = sizeOf(pathOf(id, 'log')).then(
      (size) => {
        log.size = size;
      },
      (error: unknown) => {
        logs.delete(id);
        throw error;
      },
    );
    const log = { file: new AppendFile(pathOf(id, 'log')), opening, size: 0 };
    logs.set(id, log);
    return log;
  }

  async function closeLog(id: string): Promise<void> {
    const log = logs.get(id);
    logs.delete(id);
    await log?.file.close();
  }

  async function closeJournal(id: string): Promise<void> {
    const journal = journals.get(id);
    journals.delete(id);
    await journal?.file.close();
  }

  return {
    async load() {
      const names = await reading(folder, () => readdir(folder));
      const documents = new Set(names.flatMap((name) => toTaskFile(name, ['json'])));
      const found: StoredTask[] = [];
      for (const id of documents) {
        try {
          found.push(await loadOne(id));
        } catch (error) {
          // the file is kept for inspection, and the task is skipped
          report.log('error', 'A task document cannot be read; skipping the task', {
            path: pathOf(id, 'json'),
            reason: error instanceof Error ? error.message : String(error),
          });
        }
      }
      for (const name of names) {
        const [orphan] = toTaskFile(name, ['journal', 'log']);
        const isOrphan = orphan !== undefined && !documents.has(orphan);
        const isLeftover = /^tsk_[0-9a-f]{12}\.json\.[0-9a-f]{12}\.tmp$/.test(name);
        if (isOrphan || isLeftover)
          await writing(join(folder, name), () => rm(join(folder, name), { force: true }));
      }
      return found.sort((a, b) => a.sequence - b.sequence);
    },
    create: (record) => write(pathOf(record.task.id, 'json'), record),
    note: (id, entry, durable) =>
      writing(pathOf(id, 'journal'), async () => {
        const known = journals.get(id);
        const journal = known ?? { file: new AppendFile(pathOf(id, 'journal')), named: false };
        journals.set(id, journal);
        await journal.file.append(formatEntry(entry, known === undefined), durable);
        // the name of a new file must be synced too, or the file is lost in a power cut
        if (durable && !journal.named) {
          await syncFolder(folder);
          journal.named = true;
        }
      }),
    async finish(record) {
      const { id } = record.task;
      await closeLog(id);
      await closeJournal(id);
      await write(pathOf(id, 'json'), record);
      await writing(pathOf(id, 'journal'), () => rm(pathOf(id, 'journal'), { force: true }));
    },
    async read(id) {
      const before = known.get(id);
      if (before !== undefined) return before;
      const text = await reading(pathOf(id, 'json'), () => readPlainText(pathOf(id, 'json')));
      const { task } = await reading(pathOf(id, 'json'), () => runInTurns(parseRecord(text)));
      if (isOver(task)) known.set(task, text.length);
      return task;
    },
    async remove(id) {
      known.delete(id);
      await closeLog(id);
      await closeJournal(id);
      for (const kind of ['json', 'journal', 'log'] as const) {
        await writing(pathOf(id, kind), () => rm(pathOf(id, kind), { force: true }));
      }
    },
    appendLog: (id, text) =>
      writing(pathOf(id, 'log'), async () => {
        const log = logs.get(id) ?? openLog(id);
        await log.opening;
        if (log.size >= maxLogBytes) return;
        const full = log.size + Buffer.byteLength(text) >= maxLogBytes;
        log.size = full ? maxLogBytes : log.size + Buffer.byteLength(text);
        await log.file.append(full ? 'This log is full; nothing more is written to it.\n' : text, false);
      }),
    readLog: (id, after, length) =>
      reading(pathOf(id, 'log'), async () => {
        let file: FileHandle;
        try {
          file = await openPlain(pathOf(id, 'log'));
        } catch (error) {
          if (isAbsent(error)) return { bytes: Buffer.alloc(0), size: 0 };
          throw error;
        }
        try {
          const { size } = await file.stat();
          const room = Math.max(0, Math.min(length, size - after));
          if (room === 0) return { bytes: Buffer.alloc(0), size };
          const { bytesRead, buffer } = await file.read(Buffer.alloc(room), 0, room, after);
          return { bytes: buffer.subarray(0, bytesRead), size };
        } finally {
          await file.close();
        }
      }),
    openLog(id) {
      const log = createReadStream(pathOf(id, 'log'));
      return Readable.from(readOrNothing(log), { objectMode: false });
    },
    async [Symbol.asyncDispose]() {
      for (const id of [...logs.keys()]) await closeLog(id);
      for (const id of [...journals.keys()]) await closeJournal(id);
    },
  };
}

/**
 * Formats a journal entry. The first entry of a process starts with an end of line, because the previous
 * process may have left a torn line.
 */
function formatEntry(entry: JournalEntry, first: boolean): string {
  return `${first ? '\n' : ''}${JSON.stringify(entry)}\n`;
}

/** Returns the identifier of the task that a file belongs to, in a list; empty for a file of another kind. */
export function toTaskFile(name: string, kinds: readonly string[]): string[] {
  const match = /^(tsk_[0-9a-f]{12})\.([a-z]+)$/.exec(name);
  return match && kinds.includes(match[2]!) ? [match[1]!] : [];
}

function write(path: string, record: TaskRecord): Promise<void> {
  return writeStateFile(path, formatRecord(record));
}

/** Reads the first line of a document, and the complete file only when that line is long. */
export async function readHead(path: string): Promise<string> {
  const file = await openPlain(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxHeadBytes), 0, maxHeadBytes, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
    if (end >= 0) return buffer.toString('utf8', 0, end);
  } finally {
    await file.close();
  }
  return (await readPlainText(path)).split('\n', 1)[0]!;
}

async function readIfPresent(path: string): Promise<string> {
  try {
    return await readPlainText(path);
  } catch (error) {
    if (isAbsent(error)) return '';
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const file = await openPlain(path);
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
}

async function* readOrNothing(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source as AsyncIterable<Buffer>;
  } catch (cause) {
    if (isAbsent(cause)) return;
    throw toReadError(cause, (cause as NodeJS.ErrnoException).path ?? 'log');
  }
}

async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw toReadError(cause, path);
  }
}

async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw toWriteError(cause, path, { place: 'state' });
  }
}
