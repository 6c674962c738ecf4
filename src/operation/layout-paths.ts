import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { svcError } from '../base/error.ts';
import { listConfigFiles, listDataFolders } from '../config/list-paths.ts';
import type { Config } from '../config/model.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';

const systemFolders = ['/proc', '/sys', '/dev'];

/** The configuration, and where its document is. */
export interface Configured {
  readonly config: Config;
  readonly configPath?: string | undefined;
}

function isIn(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith('../') && !isAbsolute(below));
}

/** The real path of what may not be there yet: links count where they lead. */
async function toReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isAbsent(error) || dirname(path) === path) throw error;
    return join(await toReal(dirname(path)), basename(path));
  }
}

/**
 * Where a layout is read from or comes to stand. A name that is about to be made is not followed where it is a link;
 * what lies above it is.
 *
 * @param use `output`: the last name is made or replaced; `input`: it is read
 * @returns an absolute path, real but for the last name of an output
 * @throws SVC-FIL-003 when it lies in or above the store or the state, is or holds a file that the instance is configured
 *   by, or lies in a system folder; SVC-FIL-005 or SVC-STO-001 when the way to it cannot be looked at
 */
export async function resolveLayoutPath(
  { config, configPath }: Configured,
  path: string,
  use: 'input' | 'output',
): Promise<string> {
  const refuse = () => svcError('SVC-FIL-003', { path });
  if (path.includes('\0')) throw refuse();
  const wanted = resolve(path);
  try {
    const place =
      use === 'input' ? await toReal(wanted) : join(await toReal(dirname(wanted)), basename(wanted));
    // where a link of this name leads counts too: it could be replaced by what it leads to
    for (const real of new Set([place, await toReal(wanted)])) {
      if (real === '/' || systemFolders.some((folder) => isIn(folder, real))) throw refuse();
      for (const { path: root } of listDataFolders(config)) {
        const folder = await toReal(root);
        if (isIn(folder, real) || isIn(real, folder)) throw refuse();
      }
      // their content must not leave, and nothing may be written over them
      for (const { path: file } of listConfigFiles(config, configPath))
        if (isIn(real, await toReal(file))) throw refuse();
    }
    return place;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw toNamedFileError(error, path);
  }
}
