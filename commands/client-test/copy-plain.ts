import { cp, stat } from 'node:fs/promises';
import { NotRegularError, toNamedFileError } from '../../src/disk/named-file-error.ts';

/**
 * Copies a file or a folder of the operator, with the targets of its links. Existing files stay.
 *
 * @throws SVC-FIL-005 for a pipe, a socket or a device in it, of which a copy might never end, and for unreadable files
 */
export function copyPlain(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, dereference: true, force: false, filter: requirePlain }).catch(
    (error: unknown) => {
      throw toNamedFileError(error, from);
    },
  );
}

async function requirePlain(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) throw new NotRegularError();
    return true;
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}
