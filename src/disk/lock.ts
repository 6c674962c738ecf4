import { closeSync, constants, openSync } from 'node:fs';
import { access, lstat, open, readFile, unlink, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { isAbsent } from './is-absent.ts';
import { notRegular } from './special-file.ts';
import { toWriteError } from './write-error.ts';

type LockMode = 'exclusive' | 'shared';

/** A kernel lock. It ends with `release`, or with any end of the process. */
export interface Lock extends AsyncDisposable {
  readonly path: string;
  readonly mode: LockMode;
  /** Releases the lock; a second call does nothing. */
  release(): Promise<void>;
}

interface LockOptions {
  /** Name of the holder, for the messages to others: a command, or a rule. */
  readonly holder: string | Rule;
  /** Milliseconds to wait for another holder. Default 0. */
  readonly patience?: number;
  /** Permissions of a new lock file. Default 0o600; a user that can read the file can hold the lock shared. */
  readonly fileMode?: number;
  /**
   * Changes nothing on the disk: the file must exist, no holder is written beside it, and a state that SQLite would repair
   * is refused. Only for a shared lock.
   */
  readonly untouched?: boolean;
}

/** SQLite deletes or replays these files when it finds them; the locks taken here never create one. */
const companions = ['-journal', '-wal', '-shm'];

/**
 * Takes a lock on an empty file, and creates the file if it is missing. Several processes can hold the lock shared; an
 * exclusive lock excludes all others, also within this process.
 *
 * A process loses its locks on a file as soon as it closes any descriptor of that file. No other code may open a lock
 * file.
 *
 * @throws SVC-STO-007 when another holder has the lock; SVC-STO-002 when this file cannot be locked
 */
export async function acquireLock(path: string, mode: LockMode, options: LockOptions): Promise<Lock> {
  if (options.untouched) await requireUntouchable(path);
  else await prepareLockFile(path, mode, options.fileMode ?? 0o600);
  const until = performance.now() + (options.patience ?? 0);
  let database: DatabaseSync | undefined;
  for (let wait = 2; ; wait = Math.min(50, wait * 2)) {
    database = tryLock(path, mode);
    if (database) break;
    if (performance.now() >= until) throw await toHeldError(path, options.holder);
    await sleep(wait);
  }
  const holderPath = `${path}.holder`;
  const named = mode === 'exclusive';
  if (named) await writeHolder(holderPath, String(options.holder));
  const release = async (): Promise<void> => {
    const held = database;
    database = undefined;
    if (!held) return;
    if (named) await unlink(holderPath).catch(() => undefined);
    held.close();
  };
  return { path, mode, release, [Symbol.asyncDispose]: release };
}

/** Primary result codes of SQLite. */
const sqliteCodes = { busy: 5, cannotOpen: 14 } as const;

/** SQLite does not report why it cannot open a file: tells whether the process can open any. */
function findShortage(): Error | undefined {
  try {
    closeSync(openSync('/dev/null', 'r'));
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** @returns undefined when another holder has the lock */
function tryLock(path: string, mode: LockMode): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    // a read-only database is not created, changed or repaired, but can be locked
    database = new DatabaseSync(path, { readOnly: mode === 'shared', timeout: 0 });
    if (mode === 'exclusive') database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    else database.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    return database;
  } catch (cause) {
    database?.close();
    const primary = ((cause as { errcode?: number }).errcode ?? 0) % 256;
    if (primary === sqliteCodes.busy) return undefined;
    throw toWriteError(primary === sqliteCodes.cannotOpen ? (findShortage() ?? cause) : cause, path);
  }
}

async function prepareLockFile(path: string, mode: LockMode, fileMode: number): Promise<void> {
  try {
    try {
      await requireEmptyFile(path);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      // synchronous: no other code of this process can lock the file before it is closed
      closeSync(openSync(path, 'wx', fileMode));
    }
    // without write permission SQLite falls back to reading, and its lock would exclude no process
    if (mode === 'exclusive') await access(path, constants.W_OK);
    for (const companion of companions) {
      await unlink(path + companion).catch((error) => {
        if (!isAbsent(error)) throw error;
      });
    }
  } catch (error) {
    // another process may have created it since the check
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
      if (found)
        throw svcError('SVC-STO-002', {
          path,
          detail: rule(
            ['{companion} exists in the same folder', fr`{companion} existe dans le même dossier`],
            { companion },
          ),
        });
    }
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** Checks the file by name only: opening and closing it would end a lock that this process holds on it. */
async function requireEmptyFile(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isFile())
    throw svcError('SVC-STO-002', {
      path,
      detail: notRegular,
    });
  if (found.size !== 0) throw svcError('SVC-STO-002', { path, detail: rule(['not empty', fr`pas vide`]) });
}

/** Writes the holder for people to read; losing it does no harm. Creates a new file, so that no planted link is followed. */
async function writeHolder(path: string, holder: string): Promise<void> {
  try {
    await unlink(path).catch(() => undefined);
    await writeFile(path, `${holder} (process ${process.pid})\n`, { flag: 'wx', mode: 0o644 });
  } catch {
    // the lock is held without it
  }
}

/** @param own name of the caller: a lock with a rule as its name has no other holders */
async function toHeldError(path: string, own: string | Rule): Promise<Error> {
  const text = await readHolder(`${path}.holder`);
  const [, name, pid] = /^(.+) \(process (\d+)\)$/.exec(text ?? '') ?? [];
  if (name === undefined) return svcError('SVC-STO-007', { path, holder: text });
  const holder = name === String(own) ? own : name;
  return svcError('SVC-STO-007', {
    path,
    holder: rule(['{holder} (process {pid})', fr`{holder} (processus {pid})`], { holder, pid }),
  });
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
