import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isAbsent } from '../../disk/is-absent.ts';

/** Lines of fstab(5) are short and few; a file beyond this number of bytes is not one. */
const largest = 1 << 20;

interface Entry {
  readonly mount: string;
  /** A folder of the same volume that is mounted in another place has the device of its parent. */
  readonly isBind: boolean;
}

/** Reads the mount points of fstab(5); blanks in a path are written as octal escapes. */
function parseFstab(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line) => {
    const [source = '', mount = '', , options = ''] = line.trim().split(/\s+/);
    if (source.startsWith('#') || !mount.startsWith('/')) return [];
    const path = mount.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return [{ mount: resolve(path), isBind: options.split(',').some((each) => /^r?bind$/.test(each)) }];
  });
}

/** The real path of a folder that may not exist yet. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isAbsent(error) || path === '/') throw error;
    return join(await toRealPath(dirname(path)), basename(path));
  }
}

/** Whether a volume of its own is mounted in a folder: it has another device than its parent. */
async function isMounted(path: string): Promise<boolean> {
  try {
    const [own, parent] = await Promise.all([stat(path), stat(dirname(path))]);
    return own.dev !== parent.dev;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

const contains = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/**
 * Finds the unmounted mount point of fstab(5) at or above a folder. Files written then land on the volume below, and
 * are hidden once the disk is mounted.
 *
 * @param table a test names another file
 * @returns the mount point; undefined when it is mounted, when the folder is on none, or when that cannot be determined
 */
export async function findUnmounted(folder: string, table = '/etc/fstab'): Promise<string | undefined> {
  try {
    if ((await stat(table)).size > largest) return undefined;
    const [path, text] = await Promise.all([toRealPath(resolve(folder)), readFile(table, 'utf8')]);
    let nearest: Entry | undefined;
    for (const entry of parseFstab(text)) {
      const mount = await toRealPath(entry.mount);
      if (mount !== '/' && contains(mount, path) && mount.length >= (nearest?.mount.length ?? 0))
        nearest = { ...entry, mount };
    }
    if (nearest === undefined || nearest.isBind) return undefined;
    // a volume that is mounted between the two by other means
    for (let at = path; contains(nearest.mount, at); at = dirname(at))
      if (await isMounted(at)) return undefined;
    return nearest.mount;
  } catch {
    // no table, or a folder that may not be looked at: opening it says why
    return undefined;
  }
}
