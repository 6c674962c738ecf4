import { unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from './is-absent.ts';
import { syncFolder } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

/**
 * Removes a file durably. A link is removed, not its target. The folder is synced even if the file is already absent, as
 * an earlier removal may have failed at that.
 *
 * @returns whether the file existed
 * @throws SVC-STO-002
 */
export async function removeDurably(path: string): Promise<boolean> {
  try {
    const wasThere = await unlink(path).then(
      () => true,
      (error: unknown) => {
        if (isAbsent(error)) return false;
        throw error;
      },
    );
    await syncFolder(dirname(path));
    return wasThere;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw toWriteError(error, path);
  }
}
