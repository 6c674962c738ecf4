import { stat } from 'node:fs/promises';
import process from 'node:process';
import { isAbsent } from '../disk/is-absent.ts';
import { toWriteError } from '../disk/write-error.ts';
import { type SvcError, toSvcError } from '../text/error.ts';
import { openCommandFiles } from './command-files.ts';
import type { TaskRecord, TaskStorage } from './storage.ts';
import { openTaskMemory } from './task-memory.ts';

interface OptionalRecordOptions {
  /** Without it, or where it does not exist when the task begins and ends, nothing is recorded. */
  readonly stateRoot: string | undefined;
  readonly keep: number;
  /** Called once when the record cannot be written; the work goes on without it. */
  readonly onUnrecorded: (error: SvcError) => void;
  /** Makes this process act as the owner of a folder. Files are opened in this time only, before and after the work. */
  readonly actAsOwner: (path: string) => Disposable;
}

interface OptionalRecord extends TaskStorage {
  /** Whether a record of the task is kept. */
  readonly isRecorded: boolean;
}

const logBytes = 1 << 20;

/** Stores the task of a command that does its work also where no record can be kept: no write fails. */
export function openOptionalRecord(options: OptionalRecordOptions): OptionalRecord {
  const { stateRoot, keep, onUnrecorded, actAsOwner } = options;
  const memory = openTaskMemory();
  let files: TaskStorage | undefined;
  let isLost = false;
  const lose = (error: unknown): void => {
    if (!isLost) onUnrecorded(toSvcError(error));
    isLost = true;
  };

  async function open(record: TaskRecord, log = ''): Promise<void> {
    if (stateRoot === undefined) return;
    using _owner = actAsOwner(stateRoot);
    const owner = await stat(stateRoot).then(
      ({ uid }) => uid,
      (error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw toWriteError(error, stateRoot, { place: 'state' });
      },
    );
    if (owner === undefined) return;
    // the instance, which runs as the owner, could not read the record of another user
    if (owner !== (process.geteuid?.() ?? owner))
      throw toWriteError(Object.assign(new Error('EACCES'), { code: 'EACCES' }), stateRoot, {
        place: 'state',
      });
    const opened = await openCommandFiles(stateRoot, { keep, onUnkept: lose });
    await opened.create(record);
    if (log !== '') await opened.appendLog(record.task.id, log);
    files = opened;
  }

  return {
    ...memory,
    get isRecorded() {
      return files !== undefined && !isLost;
    },
    async create(record) {
      await memory.create(record);
      await open(record).catch(lose);
    },
    async note(id, entry, durable) {
      await files?.note(id, entry, durable).catch(lose);
    },
    async appendLog(id, text) {
      await memory.appendLog(id, text);
      await files?.appendLog(id, text).catch(lose);
    },
    async finish(record) {
      await memory.finish(record);
      const { id } = record.task;
      // the command itself may have made the state folder
      if (files === undefined && !isLost) {
        const { bytes } = await memory.readLog(id, 0, logBytes);
        await open(record, bytes.toString()).catch(lose);
      }
      if (files === undefined || stateRoot === undefined) return;
      using _owner = actAsOwner(stateRoot);
      await files.finish(record);
    },
    async [Symbol.asyncDispose]() {
      await files?.[Symbol.asyncDispose]();
    },
  };
}
