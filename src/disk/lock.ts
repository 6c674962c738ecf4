import { closeSync, constants, openSync } from 'node:fs';
import { access, lstat, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { svcError } from '../base/error.ts';
import { isAbsent } from './is-absent.ts';
import { toWriteError } from './write-error.ts';

export type LockMode = 'exclusive' | 'shared';

/** A lock of the kernel: it ends with `release` or with the process, however that ends. */
export interface Lock extends AsyncDisposable {
  readonly path: string;
  readonly mode: LockMode;
  /** Gives the lock back; the second time does nothing. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** Who asks, for the message to others. */
  readonly holder: string;
  /** Milliseconds to wait for another holder. Default 0. */
  readonly patience?: number;
  /** Permissions of a lock file that is made. Default 0o600; whoever may read it may hold it shared. */
  readonly fileMode?: number;
  /**
   * Touch nothing: the file must exist, no holder is written beside it, and whatever SQLite would mend is refused. Only
   * for a shared lock.
   */
  readonly untouched?: boolean;
}

/** SQLite deletes or replays these when it finds them; its locks here never make one. */
const companions = ['-journal', '-wal', '-shm'];

/**
 * Takes a lock on an empty file, which is made when it is missing. Several processes may hold it shared; exclusive
 * means alone, also within this process.
 *
 * A process loses its locks on a file as soon as it closes any descriptor of it: nobody else may open a lock file.
 *
 * @throws SVC-STO-007 when another holds it; SVC-STO-002 when there can be no lock on this file
 */
export async function acquireLock(path: string, mode: LockMode, options: LockOptions): Promise<Lock> {
  if (options.untouched) await requireUntouchable(path);
  else await prepareLockFile(path, mode, options.fileMode ?? 0o600);
  const until = performance.now() + (options.patience ?? 0);
  let database: DatabaseSync | undefined;
  for (let wait = 2; ; wait = Math.min(50, wait * 2)) {
    database = tryLock(path, mode);
    if (database) break;
    if (performance.now() >= until) throw await toHeldError(path);
    await sleep(wait);
  }
  const holderPath = `${path}.holder`;
  const named = mode === 'exclusive';
  if (named) await writeHolder(holderPath, options.holder);
  const release = async (): Promise<void> => {
    const held = database;
    database = undefined;
    if (!held) return;
    if (named) await unlink(holderPath).catch(() => undefined);
    held.close();
  };
  return { path, mode, release, [Symbol.asyncDispose]: release };
}

/** @returns undefined when another holds it */
function tryLock(path: string, mode: LockMode): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    // what is opened to be read only cannot be made, changed or mended, and still locks
    database = new DatabaseSync(path, { readOnly: mode === 'shared', timeout: 0 });
    if (mode === 'exclusive') database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    else database.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    return database;
  } catch (cause) {
    database?.close();
    const busy = 5;
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 === busy) return undefined;
    throw svcError('SVC-STO-002', { path }, { cause });
  }
}

async function prepareLockFile(path: string, mode: LockMode, fileMode: number): Promise<void> {
  try {
    try {
      await requireEmptyFile(path);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      // in one turn: nobody in this process may lock it before it is closed
      closeSync(openSync(path, 'wx', fileMode));
    }
    // SQLite falls back to reading where it may not write, and would then lock nobody out
    if (mode === 'exclusive') await access(path, constants.W_OK);
    for (const companion of companions) {
      await unlink(path + companion).catch((error) => {
        if (!isAbsent(error)) throw error;
      });
    }
  } catch (error) {
    // another process may have made it between the two looks
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return prepareLockFile(path, mode, fileMode);
    throw toWriteError(error, path);
  }
}

async function requireUntouchable(path: string): Promise<void> {
  try {
    await requireEmptyFile(path);
    for (const companion of companions) {
      const found = await lstat(path + companion).catch((error) => {
        if (!isAbsent(error)) throw error;
      });
      if (found) throw svcError('SVC-STO-002', { path, detail: `there is a ${companion} beside it` });
    }
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** Looks by name only: opening and closing the file would end a lock that this process holds on it. */
async function requireEmptyFile(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isFile()) throw svcError('SVC-STO-002', { path, detail: 'not a regular file' });
  if (found.size !== 0) throw svcError('SVC-STO-002', { path, detail: 'not empty' });
}

/** The text is for people: losing it loses nothing. Made anew, so that nothing planted there is written through. */
async function writeHolder(path: string, holder: string): Promise<void> {
  try {
    await unlink(path).catch(() => undefined);
    await writeFile(path, `${holder} (process ${process.pid})\n`, { flag: 'wx', mode: 0o644 });
  } catch {
    // the lock stands all the same
  }
}

async function toHeldError(path: string): Promise<Error> {
  const holder = await readHolder(`${path}.holder`);
  return svcError('SVC-STO-007', { path, holder });
}

async function readHolder(path: string): Promise<string | undefined> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(path, flags);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > 512) return undefined;
      const text = await readFile(file, 'utf8');
      return text.replace(/[^ -~]+/g, ' ').trim() || undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
