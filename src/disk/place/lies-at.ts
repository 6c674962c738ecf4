import { readlinkSync, type StatsFs, statfsSync } from 'node:fs';
import { toFilesystem } from '../filesystem.ts';

/**
 * Returns whether an open file or folder is where a path says, so that no link led to it. FAT and exFAT have no links,
 * but are case-insensitive, and the kernel shows a name in the case in which it was first requested.
 *
 * @param path absolute, as `realpath` would return it
 * @param ask describes a volume; a test passes one that the machine does not have
 * @throws the operating system's error
 */
export function liesAt(
  fd: number,
  path: string,
  ask: (path: string) => Pick<StatsFs, 'type'> = statfsSync,
): boolean {
  const open = `/proc/self/fd/${fd}`;
  const place = readlinkSync(open);
  if (place === path) return true;
  return place.toLowerCase() === path.toLowerCase() && toFilesystem(ask(open).type).foldsCase;
}
