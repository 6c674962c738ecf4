import { realpath, stat } from 'node:fs/promises';
import { svcError } from '../../src/base/error.ts';
import { writeFileAtomic } from '../../src/disk/atomic-file.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { readBounded } from '../cli/read-bounded.ts';
import { documentLimit } from './document-limit.ts';

/**
 * Writes a document atomically. A link stays and its target is replaced; the permissions of a file that is there stay.
 *
 * @param read the content that the file had when it was read: with another one now, nothing is written
 * @throws SVC-VAL-001 when the file changed since, the errors of the disk
 */
export async function writeDocument(path: string, bytes: Uint8Array, read?: Uint8Array): Promise<void> {
  const { target, mode } = await look(path);
  if (read !== undefined) {
    const now = await readBounded(target, documentLimit);
    if (!now.equals(read))
      throw svcError('SVC-VAL-001', {
        file: path,
        path: '',
        rule: 'changed while it was being pinned: run the command again',
      });
  }
  await writeFileAtomic(target, bytes, mode === undefined ? {} : { mode });
}

async function look(path: string): Promise<{ readonly target: string; readonly mode?: number }> {
  try {
    const target = await realpath(path);
    return { target, mode: (await stat(target)).mode & 0o777 };
  } catch (error) {
    if (isAbsent(error)) return { target: path };
    throw toNamedFileError(error, path);
  }
}
