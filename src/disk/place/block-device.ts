import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../is-absent.ts';

/** Block devices of this machine, as `<major>:<minor>` (sysfs(5)). A device that was pulled out is not there any more. */
const devices = '/sys/dev/block';

/** The two numbers of a device in `st_dev` (makedev(3)). */
function toName(device: number): string {
  const dev = BigInt(device);
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => !isAbsent(error),
  );

/**
 * Remembers the disk below a folder, and makes the function that tells whether it was pulled out since. The kernel
 * keeps the filesystem of such a disk mounted, and answers from memory for bytes read before.
 *
 * @param device `st_dev` of the folder; one without a block device, such as a share over the network, is never gone
 * @param folder a test names another folder of devices
 */
export async function openDeviceLook(
  device: number,
  folder: string = devices,
): Promise<() => Promise<boolean>> {
  const path = join(folder, toName(device));
  if (!(await exists(path))) return async () => false;
  return async () => !(await exists(path));
}
