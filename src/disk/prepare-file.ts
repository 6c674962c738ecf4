import { randomBytes } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { giveName } from './give-name.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { syncFolder } from './sync-folder.ts';
import { toWriteError } from './write-error.ts';

/** A file whose content is durable and that only lacks its name. Disposal without a commit removes it. */
interface PreparedFile extends AsyncDisposable {
  /**
   * Gives the file its name, durably: a reader of the name sees the whole file or none.
   *
   * @returns false when the name is taken; that file is untouched
   * @throws SVC-STO-002
   */
  commit(): Promise<boolean>;
}

/**
 * Writes a new file beside its later path.
 *
 * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005; no file is then left
 */
export async function prepareFile(path: string, text: string): Promise<PreparedFile> {
  await removeLeftovers(path);
  const temporary = join(dirname(path), `${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  let isNamed = false;
  const dispose = async (): Promise<void> => {
    if (!isNamed) await unlink(temporary).catch(() => undefined);
  };
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await dispose();
    throw toWriteError(error, path, { size: text.length });
  }
  return {
    async commit() {
      try {
        if (!(await giveName(temporary, path))) return false;
        isNamed = true;
        await syncFolder(dirname(path));
        return true;
      } catch (error) {
        throw toWriteError(error, path);
      }
    },
    [Symbol.asyncDispose]: dispose,
  };
}
