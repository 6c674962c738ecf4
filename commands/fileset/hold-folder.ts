import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockPlace } from '../../src/disk/place-lock.ts';
import { indexWork, isIndexFolder } from '../../src/fileset/index-work.ts';

/**
 * Takes the right to make the index of a folder, and removes what interrupted commands left there.
 *
 * @returns ends that right
 * @throws SVC-STO-007 while another command makes or packs the index of this folder
 */
export async function holdFolder(folder: string): Promise<() => Promise<void>> {
  const lock = await lockPlace(folder, join(folder, indexWork.lock), 'svc fileset pack');
  // without a lock, a folder may be that of a command that still runs; it is not packed, and does no harm
  if (lock.names.size > 0)
    for (const name of (await readdir(folder)).filter(isIndexFolder))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  return lock.release;
}
