import { openGuarded } from '../../disk/guarded-open.ts';
import { toNothing } from '../../disk/read-error.ts';

/**
 * Reads a file below a root without following links.
 *
 * @param limit in bytes
 * @returns undefined when it cannot be read, or is larger than the limit
 * @throws SVC-STO-014; SVC-STO-001 when this user may not read it
 */
export async function readSmallFile(root: string, path: string, limit: number): Promise<Buffer | undefined> {
  const file = await openGuarded(root, path).catch(toNothing);
  if (file === undefined) return undefined;
  try {
    return (await file.stat()).size > limit ? undefined : await file.readFile();
  } catch (error) {
    return toNothing(error);
  } finally {
    await file.close();
  }
}
