import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toWriteError } from '../write-error.ts';

/**
 * Requires that a file or folder can be made or changed later: its place, or the nearest folder above that exists. Writes
 * nothing.
 *
 * @throws SVC-STO-002 for a read-only volume or a folder of another user, SVC-STO-014
 */
export async function requireWritable(path: string): Promise<void> {
  let place = path;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  await access(place, constants.W_OK).catch((error: unknown) => {
    throw toWriteError(error, place, { isPlanned: true });
  });
}
