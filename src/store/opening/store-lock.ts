import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { acquireLock, type Lock } from '../../disk/lock.ts';
import { isSvcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';

/** The lock of a store; it may be weaker than requested. */
export interface StoreLock extends AsyncDisposable {
  /** `none`: writers are not excluded; readers must check whether files change while they read them. */
  readonly mode: 'exclusive' | 'shared' | 'none';
  /** Why the lock is weaker than requested; shown to the operator. */
  readonly notice: Rule | undefined;
  release(): Promise<void>;
}

interface StoreLockOptions {
  /**
   * - `write`: exclusive; the lock file is created when missing. Only for a store that belongs to this
   *   instance, is new, or is about to be adopted.
   * - `read`: shared, for a store of this instance.
   * - `visit`: shared, for a foreign store; nothing is created or changed.
   */
  readonly access: 'write' | 'read' | 'visit';
  /** Name of the holder in the message to other processes. */
  readonly holder: string;
}

const folderName = '_svc';
const lockPath = '_svc/lock';

/**
 * Locks a store against other processes.
 *
 * @param root real path of the store
 * @throws SVC-STO-007 when another process has locked it; SVC-STO-001 when `_svc` is not a folder, for
 *   `write` and `read`; SVC-STO-002, SVC-STO-004
 */
export async function acquireStoreLock(root: string, options: StoreLockOptions): Promise<StoreLock> {
  const { access: wanted, holder } = options;
  const path = join(root, lockPath);
  if (await isReadOnlyVolume(root))
    return noLock(
      rule([
        'the volume is read-only: no lock is taken',
        fr`le volume est en lecture seule, aucun verrou n’est pris`,
      ]),
    );
  if (wanted === 'visit') return visit(root, holder);
  try {
    await using _folder = await openGuardedFolder(root, folderName, { create: true, mode: 0o755 });
    const mode = wanted === 'write' ? 'exclusive' : 'shared';
    return toStoreLock(await acquireLock(path, mode, { holder, fileMode: 0o644 }), undefined);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // a store of this instance on which this process has no write permission: a shared lock still excludes
    // writers
    const visited = await visit(root, holder);
    return {
      ...visited,
      notice:
        visited.notice ??
        rule([
          'the store is not writable: the lock is shared',
          fr`le stockage n’est pas accessible en écriture, le verrou est partagé`,
        ]),
    };
  }
}

/**
 * Looks whether another process has locked a store, for work that goes before its opening. Nothing is created or changed.
 *
 * @param root path of the store, which may not exist yet
 * @throws SVC-STO-007 when another process has locked it
 */
export async function requireUnlocked(root: string, holder: string): Promise<void> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return;
  // opening the store reports its other faults
  const lock = await acquireStoreLock(real, { access: 'visit', holder }).catch((error: unknown) => {
    if (isSvcError(error, 'SVC-STO-007')) throw error;
  });
  await lock?.release();
}

async function visit(root: string, holder: string): Promise<StoreLock> {
  try {
    await using _folder = await openGuardedFolder(root, folderName);
    const lock = await acquireLock(join(root, lockPath), 'shared', { holder, untouched: true });
    return toStoreLock(lock, undefined);
  } catch (error) {
    if (!isSvcError(error) || error.code === 'SVC-STO-007') throw error;
    // nobody has locked a store without a lock file
    if (isAbsent(error) || isAbsent(error.cause)) return noLock(undefined);
    const detail = textParam(error, 'detail') ?? error.detail ?? error.code;
    return noLock(
      rule(
        [
          'the lock file cannot be used, no lock is taken: {detail}',
          fr`le fichier verrou est inutilisable, aucun verrou n’est pris : {detail}`,
        ],
        { detail },
      ),
    );
  }
}

function toStoreLock(lock: Lock, notice: Rule | undefined): StoreLock {
  const release = (): Promise<void> => lock.release();
  return { mode: lock.mode, notice, release, [Symbol.asyncDispose]: release };
}

function noLock(notice: Rule | undefined): StoreLock {
  const release = async (): Promise<void> => {};
  return { mode: 'none', notice, release, [Symbol.asyncDispose]: release };
}

async function isReadOnlyVolume(root: string): Promise<boolean> {
  try {
    await access(root, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function isForbidden(error: unknown): boolean {
  const cause = isSvcError(error) ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return ['EACCES', 'EPERM', 'EROFS'].includes(cause?.code ?? '');
}
