import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDigest } from '../base/digest.ts';
import { svcError } from '../base/error.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { indexPath, layoutPath } from '../oci/layout.ts';
import { ingestFolder } from './folder-writer.ts';

/**
 * Makes sure that a layout can come to stand at a path. A folder that an interrupted export has left is gone on with; a
 * whole layout is replaced only when that is asked for, and anything else never is.
 *
 * @throws SVC-LAY-003, SVC-STO-001 when it cannot be looked at
 */
export async function requireDestination(
  path: string,
  format: 'tar' | 'directory',
  overwrite: boolean,
): Promise<void> {
  const refuse = (detail?: string) => svcError('SVC-LAY-003', { path, detail });
  try {
    const info = await lstat(path);
    if (format === 'tar') {
      if (!overwrite) throw refuse();
      if (!info.isFile()) throw refuse('it is no regular file');
      return;
    }
    if (!info.isDirectory()) throw refuse('it is no folder');
    const found = await takeLook(path);
    if (found === 'foreign') throw refuse('something in it is no part of a layout');
    if (found === 'layout' && !overwrite) throw refuse();
  } catch (error) {
    if (isAbsent(error)) return;
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw svcError('SVC-STO-001', { path }, { cause: error });
  }
}

const partName = /^(?:[0-9]+\.part|(?:index\.json|oci-layout)\.[0-9a-f]{12}\.tmp)$/;

/** What a folder holds: a layout, one that was never finished (or nothing), or something else too. */
async function takeLook(root: string): Promise<'layout' | 'unfinished' | 'foreign'> {
  const list = (path: string): Promise<Dirent[]> => readdir(join(root, path), { withFileTypes: true });
  let hasIndex = false;
  for (const entry of await list('')) {
    const { name } = entry;
    if (name === indexPath && entry.isFile()) hasIndex = true;
    else if (name === ingestFolder && entry.isDirectory()) {
      if ((await list(name)).some((part) => !part.isFile() || !partName.test(part.name))) return 'foreign';
    } else if (name === 'blobs' && entry.isDirectory()) {
      for (const folder of await list(name)) {
        if (!folder.isDirectory()) return 'foreign';
        const blobs = await list(join(name, folder.name));
        if (blobs.some((blob) => !blob.isFile() || !isDigest(`${folder.name}:${blob.name}`)))
          return 'foreign';
      }
    } else if (!(name === layoutPath && entry.isFile())) return 'foreign';
  }
  return hasIndex ? 'layout' : 'unfinished';
}
