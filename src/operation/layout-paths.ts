import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { listConfigFiles, listDataFolders } from '../config/list-paths.ts';
import type { Config } from '../config/model.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { toNamedFileError } from '../disk/named-file-error.ts';
import { svcError } from '../text/error.ts';

const kernelFolders = ['/dev', '/proc', '/sys'];
/** Folders in it hold files in memory, as `/tmp` may. The names beside them are shared memory of programs. */
const sharedMemory = '/dev/shm';
const unwritable = [...kernelFolders, '/bin', '/boot', '/etc', '/lib', '/lib32', '/lib64', '/sbin', '/usr'];
/** Folders of the system that content is not read from, or written into. */
const systemFolders = { input: kernelFolders, output: unwritable, disk: unwritable } as const;

/** The configuration and the path of its document. */
export interface Configured {
  readonly config: Config;
  readonly configPath?: string | undefined;
}

function isIn(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith('../') && !isAbsolute(below));
}

function isOfSystem(path: string, use: keyof typeof systemFolders): boolean {
  const folder = use === 'disk' ? path : dirname(path);
  if (folder !== sharedMemory && isIn(sharedMemory, folder)) return false;
  return path === '/' || systemFolders[use].some((each) => isIn(each, path));
}

/** Resolves the links of a path that need not exist. */
async function toReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isAbsent(error) || dirname(path) === path) throw error;
    return join(await toReal(dirname(path)), basename(path));
  }
}

/**
 * Resolves and checks the path of a layout. The last name of an output is not followed when it is a link,
 * because it is replaced; the folders above it are.
 *
 * @param use `output`: the last name is created or replaced; `input`: it is read; `disk`: files are written into the folder
 * @returns an absolute path, resolved except for the last name of an output
 * @throws SVC-FIL-003 when the path is in or above the store or the state, is or contains a configuration
 *   file, or is in a system folder; SVC-FIL-005 or SVC-STO-001 when the path cannot be read
 */
export async function resolveLayoutPath(
  { config, configPath }: Configured,
  path: string,
  use: keyof typeof systemFolders,
): Promise<string> {
  const refuse = () => svcError('SVC-FIL-003', { path, layout: use === 'disk' ? 'disk' : 'yes' });
  if (path.includes('\0')) throw refuse();
  const wanted = resolve(path);
  try {
    const place =
      use === 'output' ? join(await toReal(dirname(wanted)), basename(wanted)) : await toReal(wanted);
    // the target of a link is checked too: the link could be replaced by its target
    for (const real of new Set([place, await toReal(wanted)])) {
      if (isOfSystem(real, use)) throw refuse();
      for (const { path: root } of listDataFolders(config)) {
        const folder = await toReal(root);
        if (isIn(folder, real) || isIn(real, folder)) throw refuse();
      }
      // configuration files must be neither exported nor overwritten
      for (const { path: file } of listConfigFiles(config, configPath))
        if (isIn(real, await toReal(file))) throw refuse();
    }
    return place;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw toNamedFileError(error, path);
  }
}
