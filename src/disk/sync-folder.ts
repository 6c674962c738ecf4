import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Error codes of filesystems that cannot sync a folder; names there are as durable as they can be. */
const unsupported = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export function isSyncUnsupported(error: unknown): boolean {
  return unsupported.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Makes the names in a folder durable: files that were created, renamed or removed there.
 *
 * @throws the operating system's error
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } catch (error) {
    if (!isSyncUnsupported(error)) throw error;
  } finally {
    await folder.close();
  }
}
