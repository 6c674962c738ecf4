import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { Pacer } from '../../base/pacer.ts';
import { isProgramPath } from '../../store/rest/carried-program.ts';
import { readMediumManifest } from '../../store/rest/media-manifest.ts';
import { isSvcError } from '../../text/error.ts';
import { isOwnFolder } from './inventory.ts';

/** Result of a look at all names and sizes of a medium. */
export interface CopyState {
  /** Another text while something is written. */
  readonly text: string;
  /** Whether every file that the manifest lists is there with its size: a copy that ended leaves no other medium. */
  readonly isComplete: boolean;
  /** Whether there is no ledger: the disk is not mounted, or its copy has only begun. */
  readonly isBare: boolean;
}

/**
 * Looks at the names, sizes and times of all files of a medium, to tell a copy that is still running from one that ended. It
 * reads the manifest only, and judges nothing.
 *
 * @param before the state that the last look found: the manifest is read only where nothing was written since
 * @throws the operating system's error; the signal's reason
 */
export async function lookAtCopy(
  root: string,
  before: CopyState | undefined,
  signal: AbortSignal,
): Promise<CopyState> {
  const pacer = new Pacer();
  let files = 0;
  let bytes = 0;
  let last = 0;
  const sizes = new Map<string, number>();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(root, folder), { bufferSize: 1024 })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && (isOwnFolder(path) || isProgramPath(path))) folders.push(path);
      if (!entry.isFile()) continue;
      const { size, mtimeMs, ctimeMs } = await lstat(join(root, path));
      files += 1;
      bytes += size;
      last = Math.max(last, mtimeMs, ctimeMs);
      sizes.set(path, size);
      if (pacer.isDue()) await pacer.rest();
      signal.throwIfAborted();
    }
  }
  const text = `${files} ${bytes} ${last}`;
  const isBare = ![...sizes.keys()].some((path) => path.startsWith('ledger/'));
  const isSame = text === before?.text;
  const isWhole = isSame && !isBare && (before.isComplete || (await isComplete(root, sizes)));
  return { text, isBare, isComplete: isWhole };
}

async function isComplete(root: string, sizes: ReadonlyMap<string, number>): Promise<boolean> {
  try {
    const { entries } = await readMediumManifest(root);
    for (const { path, size } of entries.values()) if (sizes.get(path) !== size) return false;
    return true;
  } catch (error) {
    if (isSvcError(error)) return false;
    throw error;
  }
}
