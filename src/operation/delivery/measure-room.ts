import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentDelivery } from '../../contract/write-medium.ts';
import { inspectVolume, type Volume } from '../../disk/volume.ts';
import { identityPath } from '../../engine/delivery/inspect-target.ts';
import type { PartLimits } from '../../engine/delivery/partition.ts';
import { mediumManifestPath } from '../../store/rest/media-manifest.ts';
import { isSvcError, svcError } from '../../text/error.ts';

/** A folder that was named for a part, with its volume and its room. */
export interface FolderRoom {
  readonly path: string;
  readonly volume: Volume;
  /** Bytes that an interrupted writing left in it, or that a complete part has. */
  readonly heldBytes: number;
  readonly limits: PartLimits;
}

/**
 * Measures the room in folders. Folders on one volume share it in equal parts, of one figure: another
 * program may use the volume between two questions. A folder that has a part already counts the
 * bytes of that part as room, so that an interrupted delivery is planned alike again.
 *
 * @param marginPercent share of the free space that is reserved
 * @param remembered figures of the last delivery to the same folders: they apply as long as the room is there
 * @throws SVC-STO-001
 */
export async function measureRoom(
  paths: readonly string[],
  marginPercent: number,
  remembered: SentDelivery['room'],
  ask: typeof inspectVolume = inspectVolume,
): Promise<readonly FolderRoom[]> {
  const volumes = await Promise.all(paths.map((path) => ask(path)));
  const held = await Promise.all(paths.map(measurePart));
  const room = volumes.map(({ device }, i) => {
    const [first, ...others] = volumes.filter((one) => one.device === device);
    return Math.floor(first!.freeBytes / (others.length + 1)) + held[i]!;
  });
  const isSame = remembered !== undefined && remembered.folders.join('\0') === paths.join('\0');
  const known = isSame && remembered.bytes.every((bytes, i) => bytes <= room[i]!) ? remembered.bytes : [];
  return paths.map((path, i) => {
    const { maxFileSize, maxFolderEntries } = volumes[i]!;
    const bytes = known[i] ?? Math.floor(room[i]! * (1 - marginPercent / 100));
    return {
      path,
      volume: volumes[i]!,
      heldBytes: held[i]!,
      limits: { bytes, maxFileBytes: maxFileSize, maxFolderEntries },
    };
  });
}

/**
 * The error of a part that found no room, with the bytes that are still to be written: those of the write that failed are few.
 *
 * @param bytes upper limit of all files of the part
 * @returns any other error unchanged
 */
export async function explainLack(error: unknown, path: string, bytes: number): Promise<unknown> {
  if (!isSvcError(error, 'SVC-STO-004')) return error;
  const { freeBytes: free } = await inspectVolume(path);
  const needed = bytes - (await measurePart(path));
  // under a quota, the free space of the volume does not tell the lack
  const figures = needed > free ? { needed, shortfall: needed - free } : {};
  return svcError('SVC-STO-004', { path, ...figures, usable: free, free, place: 'disk' }, { cause: error });
}

/** Bytes that the part of a delivery takes with its folders; 0 for any other folder. */
async function measurePart(path: string): Promise<number> {
  const isFile = async (name: string): Promise<boolean> =>
    (await lstat(join(path, name)).catch(() => undefined))?.isFile() === true;
  if (!(await isFile(identityPath)) && !(await isFile(mediumManifestPath))) return 0;
  let bytes = await measureBlocks(path);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile() || entry.isDirectory())
      bytes += await measureBlocks(join(entry.parentPath, entry.name));
  return bytes;
}

/** Bytes that a file or folder takes: whole blocks, or the size of a file where the filesystem counts no blocks. */
async function measureBlocks(path: string): Promise<number> {
  return lstat(path).then(
    (info) => Math.max(info.blocks * 512, info.isFile() ? info.size : 0),
    () => 0,
  );
}
