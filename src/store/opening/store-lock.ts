import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isSvcError } from '../../base/error.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { acquireLock, type Lock } from '../../disk/lock.ts';

/** The lock of a store, or the knowledge that there is none. */
export interface StoreLock extends AsyncDisposable {
  /** `none`: nothing keeps a writer away; whoever reads must look whether files change under its hands. */
  readonly mode: 'exclusive' | 'shared' | 'none';
  /** Why the lock is less than was asked for; to be said. */
  readonly notice: string | undefined;
  release(): Promise<void>;
}

interface StoreLockOptions {
  /**
   * `write`: exclusive; the lock file is made when it is missing. Only for a store that is ours, new, or about to be
   * adopted. `read`: shared, of our own store. `visit`: shared, of a store that is not ours, where nothing is made and
   * nothing is touched.
   */
  readonly access: 'write' | 'read' | 'visit';
  /** Who asks, for the message to others. */
  readonly holder: string;
}

const folderName = '_svc';
const lockPath = '_svc/lock';

/**
 * Locks a store against other processes.
 *
 * @param root real path of the store
 * @throws SVC-STO-007 when another process holds it; SVC-STO-001 when something else stands in the place of `_svc`, for
 *   `write` and `read`; SVC-STO-002, SVC-STO-004
 */
export async function acquireStoreLock(root: string, options: StoreLockOptions): Promise<StoreLock> {
  const { access: wanted, holder } = options;
  const path = join(root, lockPath);
  if (await isReadOnlyVolume(root)) return noLock('the volume is read-only: no lock is taken');
  if (wanted === 'visit') return visit(root, holder);
  try {
    await using _folder = await openGuardedFolder(root, folderName, { create: true, mode: 0o755 });
    const mode = wanted === 'write' ? 'exclusive' : 'shared';
    return toStoreLock(await acquireLock(path, mode, { holder, fileMode: 0o644 }), undefined);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // our own store where we may not write: a writer that may is still kept away
    const visited = await visit(root, holder);
    return { ...visited, notice: visited.notice ?? 'the store is not writable: the lock is shared' };
  }
}

async function visit(root: string, holder: string): Promise<StoreLock> {
  try {
    await using _folder = await openGuardedFolder(root, folderName);
    const lock = await acquireLock(join(root, lockPath), 'shared', { holder, untouched: true });
    return toStoreLock(lock, undefined);
  } catch (error) {
    if (!isSvcError(error) || error.code === 'SVC-STO-007') throw error;
    const detail = String(error.params.detail ?? error.detail ?? error.code);
    return noLock(`the lock file cannot be used, no lock is taken: ${detail}`);
  }
}

function toStoreLock(lock: Lock, notice: string | undefined): StoreLock {
  const release = (): Promise<void> => lock.release();
  return { mode: lock.mode, notice, release, [Symbol.asyncDispose]: release };
}

function noLock(notice: string): StoreLock {
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
