import { type StatsFs, statfsSync } from 'node:fs';
import { toFilesystem } from '../filesystem.ts';

/** Identity of a file or folder, as `stat` returns it. */
export interface Node<N extends number | bigint> {
  readonly dev: N;
  readonly ino: N;
}

/**
 * Returns whether two `stat` results are of the same file or folder. Inode numbers are compared where the filesystem
 * keeps them. FAT and exFAT have none on the disk, and assign new ones when the kernel has dropped an inode.
 *
 * @param path on the volume of the second result
 * @param ask describes a volume; a test passes one that the machine does not have
 * @throws the operating system's error
 */
export function isSameNode<N extends number | bigint>(
  first: Node<N>,
  second: Node<N>,
  path: string,
  ask: (path: string) => Pick<StatsFs, 'type'> = statfsSync,
): boolean {
  if (first.dev !== second.dev) return false;
  return first.ino === second.ino || toFilesystem(ask(path).type).renumbers;
}
