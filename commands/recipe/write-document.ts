import { realpath, stat } from 'node:fs/promises';
import { writeFileAtomic } from '../../src/disk/atomic-file.ts';
import { readBounded } from '../../src/disk/named-file.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { removeLeftovers } from '../../src/disk/remove-leftovers.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';
import { documentLimit } from './document-limit.ts';

/**
 * Replaces a document atomically. A link stays and its target is replaced; the permissions stay.
 *
 * @param read the content that the file had when it was read: with another one now, nothing is written
 * @throws SVC-VAL-001 when the file changed since or is no regular file, the errors of the disk
 */
export async function writeDocument(path: string, bytes: Uint8Array, read: Uint8Array): Promise<void> {
  const { target, mode } = await look(path);
  const now = await readBounded(target, documentLimit);
  if (!now.equals(read))
    throw svcError('SVC-VAL-001', {
      file: path,
      path: '',
      rule: rule([
        'changed while it was being pinned: run the command again',
        fr`a changé pendant qu’il était figé ; relancez la commande`,
      ]),
    });
  // the remains of a killed run beside the file
  await removeLeftovers(target);
  await writeFileAtomic(target, bytes, { mode });
}

async function look(path: string): Promise<{ readonly target: string; readonly mode: number }> {
  const target = await realpath(path).catch((error: unknown) => {
    throw toNamedFileError(error, path);
  });
  const found = await stat(target);
  if (!found.isFile())
    throw svcError('SVC-VAL-001', {
      file: path,
      path: '',
      rule: rule(['is not a regular file: give --out', fr`n’est pas un fichier ordinaire : indiquez --out`]),
    });
  return { target, mode: found.mode & 0o777 };
}
