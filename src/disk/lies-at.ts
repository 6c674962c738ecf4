import { readlinkSync, type StatsFs, statfsSync } from 'node:fs';
import { toFilesystem } from './filesystem.ts';

/**
 * Whether an open file or folder lies where a path says, so that no link led to it. FAT and exFAT, which have no links,
 * take a name in any case, and the kernel shows the one in which it was asked for first.
 *
 * @param path absolute, of names that `realpath` would leave
 * @param ask describes a volume; a test hands in one that the machine does not have
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
