import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Names that only a state folder has in its root. */
const ownNames: ReadonlySet<string> = new Set([
  'store.key',
  'ledgers',
  'accounts',
  'sync.token',
  'signature-round',
]);

/**
 * Returns whether a folder without a store is the state of an instance, which was named by mistake. A zone without an
 * instance has only the records of its imports there.
 */
export async function isStateFolder(root: string): Promise<boolean> {
  const list = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);
  const names = await list(root);
  if (names.some((name) => ownNames.has(name))) return true;
  if (!names.includes('media')) return false;
  return (await list(join(root, 'media'))).some((name) =>
    /^(?:landed|landing|(?:freshness|import-.*)\.json)$/.test(name),
  );
}
