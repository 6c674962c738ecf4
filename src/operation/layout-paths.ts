import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { svcError } from '../base/error.ts';
import type { Config } from '../config/model.ts';
import { isAbsent } from '../disk/is-absent.ts';

const systemFolders = ['/proc', '/sys', '/dev'];

/** Files whose content must not leave, and which nothing may be written over. */
function listSecrets({ registries, server, trust, network }: Config): readonly string[] {
  const paths = [
    registries.credentialsFile,
    server.tls.certFile,
    server.tls.keyFile,
    ...trust.roots.map(({ keyFile }) => keyFile),
    ...network.tls.caFiles,
  ];
  return paths.filter((path) => path !== undefined);
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
 * @throws SVC-FIL-003 when it lies in or above the store, the state or a secret, or in a system folder; SVC-STO-001 when
 *   the way to it cannot be looked at
 */
export async function resolveLayoutPath(
  config: Config,
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
      for (const root of [config.storage.root, config.state.root]) {
        if (root === undefined) continue;
        const folder = await toReal(resolve(root));
        if (isIn(folder, real) || isIn(real, folder)) throw refuse();
      }
      for (const secret of listSecrets(config)) if (isIn(real, await toReal(resolve(secret)))) throw refuse();
    }
    return place;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw svcError('SVC-STO-001', { path }, { cause: error });
  }
}
