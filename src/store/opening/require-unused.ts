import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { svcError } from '../../base/error.ts';
import { layoutPath } from '../../oci/layout.ts';

/** What systems put at the root of a volume, or into any folder that somebody looks at; in lower case. */
const furniture: ReadonlySet<string> = new Set([
  'lost+found',
  'system volume information',
  '$recycle.bin',
  'recycler',
  'found.000',
  'desktop.ini',
  'thumbs.db',
  'autorun.inf',
  '.trash',
  '.trashes',
  '.ds_store',
  '.apdisk',
  '.fseventsd',
  '.spotlight-v100',
  '.documentrevisions-v100',
  '.temporaryitems',
  '.volumeicon.icns',
  '.snapshot',
  '.snapshots',
  '.zfs',
  'aquota.user',
  'aquota.group',
]);
const isFurniture = (name: string): boolean =>
  furniture.has(name) || /^(?:\.trash-\d+|\.nfs[0-9a-f]+|\._.*)$/.test(name);

/** What the making of a store leaves when it is interrupted, besides what stands in these folders. */
const folders = ['_svc', 'blobs', 'ledger'];
const isOwn = (name: string): boolean => folders.includes(name) || name.startsWith(layoutPath);

/** What stands in a folder and belongs neither to a store in the making nor to the system; sorted. */
export async function listStrangers(root: string): Promise<string[]> {
  const names = await readdir(root);
  return names.filter((name) => !isOwn(name) && !isFurniture(name.toLowerCase())).sort();
}

/**
 * A folder becomes a store only when nothing in it could be somebody's: neither things of others, nor content whose
 * ledger was lost.
 *
 * @param unused ledgers that were read and came to nothing, as a first start leaves them that was interrupted
 * @throws SVC-STO-013
 */
export async function requireUnused(root: string, unused: readonly string[]): Promise<void> {
  const found = await listStrangers(root);
  for (const folder of ['blobs/sha256', 'blobs/sha512', 'ledger']) {
    const names = await readdir(join(root, folder)).catch(() => []);
    if (names.some((name) => folder !== 'ledger' || !unused.includes(name))) found.push(folder);
  }
  if (found.length > 0) throw svcError('SVC-STO-013', { path: root, found });
}
