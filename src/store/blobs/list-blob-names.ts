import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import type { DigestAlgorithm } from '../../base/digest.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toReadError } from '../../disk/read-error.ts';

const namesAtOnce = 1024;

/**
 * Lists the names in a blob folder in batches; half a million names at once would need 100 MiB. The next
 * batch is read while the caller processes the current one. The caller yields to the event loop.
 *
 * @throws SVC-STO-001
 */
export async function* listBlobNames(
  root: string,
  algorithm: DigestAlgorithm,
): AsyncGenerator<readonly string[]> {
  const path = `blobs/${algorithm}`;
  try {
    await using folder = await openGuardedFolder(root, path);
    const entries = await opendir(folder.pathOf(''), { bufferSize: namesAtOnce });
    /** The rejection is handled where the promise is awaited. */
    const ask = (): Promise<Dirent | null> => {
      const asked = entries.read();
      asked.catch(() => {});
      return asked;
    };
    let next = ask();
    try {
      for (let first = await next; first !== null; first = await next) {
        const names = [first.name];
        // these names are in the buffer of the first
        while (names.length < namesAtOnce) {
          const entry = entries.readSync();
          if (entry === null) break;
          names.push(entry.name);
        }
        next = ask();
        yield names;
      }
    } finally {
      await next.catch(() => {});
      await entries.close();
    }
  } catch (error) {
    if (isAbsent(error)) return;
    throw toReadError(error, path);
  }
}
