import { unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from './is-absent.ts';
import { syncFolder } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

/**
 * Removes a file so that it stays removed after a power cut. A link is removed, not what it points at. What is gone
 * already is made to stay gone too: an earlier removal may have failed at that.
 *
 * @returns whether it was there
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
