import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../disk/make-folder.ts';
import { lockPlace } from '../disk/place-lock.ts';
import { toWriteError } from '../disk/write-error.ts';
import { openArchiveWriter } from './archive-writer.ts';
import { requireDestination } from './destination.ts';
import { ingestFolder, lockName, openFolderWriter } from './folder-writer.ts';
import type { LayoutWriter, WriterOptions } from './layout-writer.ts';
import type { LayoutContents } from './model.ts';

/**
 * Opens a layout for writing. Until it is finished or disposed, no other export writes to the same place.
 *
 * @throws SVC-LAY-003 when the path exists and may not be replaced, SVC-STO-007 while another export writes there,
 *   SVC-STO-00x
 */
export async function openLayoutWriter(
  contents: LayoutContents,
  format: 'tar' | 'directory',
  options: WriterOptions,
  signal?: AbortSignal,
): Promise<LayoutWriter> {
  const { path, overwrite } = options;
  await requireDestination(path, format, overwrite);
  const ingest = join(path, ingestFolder);
  if (format === 'directory')
    await makeFolder(ingest).catch((error: unknown) => {
      throw toWriteError(error, path);
    });
  const lock = await lockPlace(
    path,
    format === 'tar' ? `${path}.lock` : join(ingest, lockName),
    'svc export',
  );
  try {
    // another export may have ended between the look and the lock
    await requireDestination(path, format, overwrite);
    const writer =
      format === 'tar'
        ? await openArchiveWriter(contents, options)
        : await openFolderWriter(contents, options, lock, signal);
    return {
      ...writer,
      async finish() {
        const bytes = await writer.finish();
        await lock.release();
        return bytes;
      },
      [Symbol.asyncDispose]: async () => {
        await writer[Symbol.asyncDispose]();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    // a whole layout has no such folder
    if (format === 'directory') await rmdir(ingest).catch(() => {});
    throw error;
  }
}
