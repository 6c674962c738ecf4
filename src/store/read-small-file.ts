import { openGuarded } from '../disk/guarded-open.ts';

/**
 * A file below a root, reached through no link.
 *
 * @returns undefined when it cannot be read, or is larger than `limit` bytes
 */
export async function readSmallFile(root: string, path: string, limit: number): Promise<Buffer | undefined> {
  const file = await openGuarded(root, path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return (await file.stat()).size > limit ? undefined : await file.readFile();
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
