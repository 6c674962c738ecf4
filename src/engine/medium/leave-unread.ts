import type { StatsFs } from 'node:fs';
import { lstat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { toFilesystem } from '../../disk/filesystem.ts';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';

const toUnreadable = (detail: Rule): HashOutcome => ({ problem: 'unreadable', detail });
const tooLarge = toUnreadable(
  rule(['recorded as larger than its volume', fr`enregistré comme plus grand que son volume`]),
);
const hollow = toUnreadable(
  rule([
    'it has holes, and the files together are larger than their volume',
    fr`il a des trous, et les fichiers ensemble sont plus grands que leur volume`,
  ]),
);

/** Filesystems that store every byte of a file, except in its holes: fewer blocks than bytes are no compression. */
const uncompressed: ReadonlySet<string> = new Set(['ext4', 'xfs', 'tmpfs']);

/**
 * Selects listed files that are not read. A file with holes may have any size without using space, and would take any time
 * to read. Such files are not read when they are larger than the volume, alone or with all others.
 *
 * @param root real path of the medium
 * @param sizes listed bytes, by path
 * @param ask reads the figures of the volume; a test passes a volume that the machine does not have
 * @returns their outcomes
 */
export async function leaveUnread(
  root: string,
  sizes: ReadonlyMap<string, number>,
  ask: (path: string) => Promise<Pick<StatsFs, 'type' | 'blocks' | 'bsize'>> = statfs,
): Promise<Map<string, HashOutcome>> {
  const { type, blocks, bsize } = await ask(root);
  const capacity = blocks * bsize || Number.POSITIVE_INFINITY;
  const unread = new Map<string, HashOutcome>();
  let total = 0;
  for (const [path, size] of sizes)
    if (size > capacity) unread.set(path, tooLarge);
    else total += size;
  if (total <= capacity || !uncompressed.has(toFilesystem(type).type)) return unread;
  // a small file may be kept beside its name, in no block
  for (const [path, size] of sizes)
    if (size > bsize && !unread.has(path) && (await isHollow(join(root, path)))) unread.set(path, hollow);
  return unread;
}

/** Whether less than half of a file is stored. A file that is gone is found when it is read. */
async function isHollow(path: string): Promise<boolean> {
  return lstat(path).then(
    ({ blocks, size }) => blocks * 512 * 2 < size,
    () => false,
  );
}
