import { opendirSync } from 'node:fs';
import type { DigestAlgorithm } from '../base/digest.ts';
import { isSvcError, svcError } from '../base/error.ts';
import { openGuardedFolder } from '../disk/guarded-folder.ts';
import { isAbsent } from '../disk/is-absent.ts';

const namesAtOnce = 1024;

/**
 * Names in a folder of blobs, in pieces: half a million of them at once would take 100 MiB. Read in the foreground,
 * which is twice as fast; the caller gives the event loop its turns.
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
    const entries = opendirSync(folder.pathOf(''), { bufferSize: namesAtOnce });
    try {
      for (;;) {
        const names: string[] = [];
        while (names.length < namesAtOnce) {
          const entry = entries.readSync();
          if (entry === null) break;
          names.push(entry.name);
        }
        if (names.length === 0) return;
        yield names;
      }
    } finally {
      entries.closeSync();
    }
  } catch (error) {
    if (isAbsent(error)) return;
    throw isSvcError(error) ? error : svcError('SVC-STO-001', { path }, { cause: error });
  }
}
