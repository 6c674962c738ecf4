import { type StatsFs, statfsSync } from 'node:fs';
import { toFilesystem } from './filesystem.ts';

/** Where a file or folder is, as `stat` says it. */
export interface Node<N extends number | bigint> {
  readonly dev: N;
  readonly ino: N;
}

/**
 * Whether two looks at a path saw the same file or folder. Its inode number counts where the filesystem keeps it: FAT and
 * exFAT have none on the disk, and number anew what the kernel had forgotten in between.
 *
 * @param path on the volume that the second look saw
 * @param ask describes a volume; a test hands in one that the machine does not have
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
