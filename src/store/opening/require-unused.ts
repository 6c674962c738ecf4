import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { layoutPath } from '../../oci/layout.ts';
import { svcError } from '../../text/error.ts';
import { isStateFolder } from './is-state-folder.ts';

/** Names, in lower case, that operating systems create in the root of a volume or in any folder. */
const systemNames: ReadonlySet<string> = new Set([
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
const isSystemName = (name: string): boolean =>
  systemNames.has(name) || /^(?:\.trash-\d+|\.nfs[0-9a-f]+|\._.*)$/.test(name);

/** Names that an interrupted creation of a store leaves, in addition to the content of these folders. */
const folders = ['_svc', 'blobs', 'ledger'];
const isOwn = (name: string): boolean => folders.includes(name) || name.startsWith(layoutPath);

/** Lists the names in a folder that belong neither to a store nor to the operating system, sorted. */
export async function listStrangers(root: string): Promise<string[]> {
  const names = await readdir(root);
  return names.filter((name) => !isOwn(name) && !isSystemName(name.toLowerCase())).sort();
}

/**
 * Checks that a folder can become a store: it contains neither other files nor content whose ledger was lost.
 *
 * @param unused ledger files without a record, as an interrupted first start leaves them
 * @throws SVC-STO-013
 */
export async function requireUnused(root: string, unused: readonly string[]): Promise<void> {
  const found = await listStrangers(root);
  for (const folder of ['blobs/sha256', 'blobs/sha512', 'ledger']) {
    const names = await readdir(join(root, folder)).catch(() => []);
    if (names.some((name) => folder !== 'ledger' || !unused.includes(name))) found.push(folder);
  }
  if (found.length === 0) return;
  throw svcError('SVC-STO-013', {
    path: root,
    found,
    state: (await isStateFolder(root)) ? 'yes' : undefined,
  });
}
