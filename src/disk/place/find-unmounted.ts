import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Where a machine lists the places of its disks. */
export interface MountTables {
  readonly fstab: string;
  /** Folder of systemd units. The name of a unit `*.mount` is its mount point, escaped. */
  readonly units: string;
  /** The filesystems that are mounted now. */
  readonly mounts: string;
}

const systemTables: MountTables = {
  fstab: '/etc/fstab',
  units: '/etc/systemd/system',
  mounts: '/proc/self/mounts',
};

/**
 * Finds the folder of a disk that is not mounted: one that the machine lists as a mount point, at a path or above it, while
 * nothing is mounted there or between both.
 *
 * @param path need not exist
 * @returns undefined where the path is on a mounted disk or on none, and where the machine has no such lists
 */
export async function findUnmounted(
  path: string,
  { fstab, units, mounts }: MountTables = systemTables,
): Promise<string | undefined> {
  const at = resolve(path);
  const isAbove = (point: string): boolean => point !== '/' && (at === point || at.startsWith(`${point}/`));
  const planned = [...readPoints(await readText(fstab)), ...(await listUnits(units))].filter(isAbove);
  if (planned.length === 0) return undefined;
  const table = await readText(mounts);
  const mounted = readPoints(table).filter(isAbove);
  const isMissing = (point: string): boolean => mounted.every((one) => one.length < point.length);
  return table === '' ? undefined : planned.filter(isMissing).sort((a, b) => b.length - a.length)[0];
}

/** The mount points of a table: the second word of each line, with blanks in octal (fstab(5), proc_mounts(5)). */
function readPoints(table: string): string[] {
  return table.split('\n').flatMap((line) => {
    const [source, point] = line.trim().split(/\s+/);
    if (source === undefined || source.startsWith('#') || !point?.startsWith('/')) return [];
    return [resolve(point.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))))];
  });
}

/** The mount points of units, by their names (systemd.unit(5), string escaping). */
async function listUnits(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    const [, escaped] = /^(.+)\.mount$/.exec(name) ?? [];
    if (escaped === undefined) return [];
    const bytes = escaped.replaceAll('-', '/').replace(/\\x([0-9a-f]{2})/g, (_, hex) => `%${hex}`);
    try {
      return [`/${decodeURIComponent(bytes)}`];
    } catch {
      return [];
    }
  });
}

/** @returns an empty text where this user cannot read the file */
const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
