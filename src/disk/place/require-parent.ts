import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { svcError } from '../../text/error.ts';
import { isAbsent } from '../is-absent.ts';
import { toNamedFileError } from '../named-file-error.ts';
import { findUnmounted, type MountTables } from './find-unmounted.ts';

/**
 * Requires the disk of a path that is to be made. Without it, the disk of the system would be filled: an absent folder above
 * may be a disk that is not mounted, and an empty mount point is one.
 *
 * @param tables of mount points. Default: those of the machine
 * @throws SVC-FIL-005 naming the folder above that is absent or no folder, or the mount point without a disk; SVC-STO-014
 */
export async function requireParent(path: string, tables?: MountTables): Promise<void> {
  const unmounted = await findUnmounted(path, tables);
  if (unmounted !== undefined) throw svcError('SVC-FIL-005', { path, unmounted });
  const parent = dirname(path);
  try {
    if ((await stat(parent)).isDirectory()) return;
  } catch (error) {
    if (!isAbsent(error)) throw toNamedFileError(error, parent);
  }
  throw svcError('SVC-FIL-005', { path, parent });
}
