import type { DatabaseSync } from 'node:sqlite';
import { toKey } from './tree-rows.ts';

/** Names of the files of the repositories of apt and dnf. */
const names = [
  'InRelease',
  'Release',
  'Release.gpg',
  'Packages',
  'Packages.gz',
  'Packages.xz',
  'Packages.zst',
  'repomd.xml',
  'repomd.xml.asc',
] as const;

/** More in one FileSet are not listed. */
const most = 10_000;

/** Lists the indexes of package repositories in any folder of a merged tree in a table of their own. */
export function listPackageIndexes(database: DatabaseSync): void {
  const where = names.map(() => 'path = ? OR substr(path, -?) = ?').join(' OR ');
  const values = names.flatMap((name) => [toKey(name), name.length + 1, toKey(`/${name}`)]);
  database
    .prepare(
      `INSERT INTO package_index SELECT path FROM entry WHERE layer IS NOT NULL AND (${where}) ORDER BY path LIMIT ?`,
    )
    .run(...values, most);
}
