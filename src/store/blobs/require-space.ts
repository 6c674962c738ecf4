import { statfs } from 'node:fs/promises';
import { toWriteError } from '../../disk/write-error.ts';
import { svcError } from '../../text/error.ts';

/** Limits of the volume of a store. */
export interface VolumeLimits {
  readonly type: string;
  readonly maxFileSize?: number | undefined;
  readonly maxFolderEntries?: number | undefined;
}

/** @throws SVC-STO-005 when a file of this size (bytes) cannot exist on the volume */
export function requireFileSize(path: string, size: number, limits: VolumeLimits): void {
  const { type, maxFileSize: limit } = limits;
  if (limit !== undefined && size > limit)
    throw svcError('SVC-STO-005', { path, filesystem: type, limit, size });
}

/**
 * Checks that a file of this size can be written into a folder.
 *
 * @param size bytes
 * @throws SVC-STO-005 over the filesystem's limit, SVC-STO-004 over its free space, SVC-STO-002 when the
 *   volume cannot be queried
 */
export async function requireSpace(folder: string, size: number, limits: VolumeLimits): Promise<void> {
  requireFileSize(folder, size, limits);
  const { bavail, bsize } = await statfs(folder).catch((error: unknown) => {
    throw toWriteError(error, folder);
  });
  const free = bavail * bsize;
  if (size > free)
    throw svcError('SVC-STO-004', {
      path: folder,
      needed: size,
      usable: free,
      free,
      shortfall: size - free,
    });
}
