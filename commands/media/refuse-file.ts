import { stat } from 'node:fs/promises';
import { svcError } from '../../src/text/error.ts';

/** Refuses a file in the place of the folder of a medium, before it is a setting. @throws SVC-FIL-005 */
export async function refuseFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw svcError('SVC-FIL-005', { path, file: path });
}
