import type { DatabaseSync } from 'node:sqlite';
import { findRpmRepositories } from '../../client/package-repositories.ts';
import { isRpmName } from '../package-check/rpm-signature.ts';
import { fromKey, toKey } from './tree-rows.ts';

/**
 * Lists the repositories of a merged tree that have a package without a signature of its own, by the path of `repomd.xml`. A
 * package is of the nearest repository above it.
 */
export function listUnsignedRepositories(database: DatabaseSync): void {
  const paths = database
    .prepare('SELECT path FROM package_index')
    .all()
    .map(({ path }) => fromKey(path));
  const folders = new Set(findRpmRepositories(paths).map(({ folder }) => folder));
  const found = new Set<string>();
  if (folders.size === 0) return;
  const put = database.prepare('INSERT INTO unsigned_repository (path) VALUES (?)');
  const files = database.prepare(
    'SELECT path FROM entry WHERE sha256 IN (SELECT sha256 FROM unsigned_file) ORDER BY path',
  );
  for (const { path } of files.iterate()) {
    const name = fromKey(path);
    if (!isRpmName(name)) continue;
    const folder = selectNearest(name, folders);
    if (folder === undefined || found.has(folder)) continue;
    found.add(folder);
    put.run(toKey(`${folder === '' ? '' : `${folder}/`}repodata/repomd.xml`));
    if (found.size === folders.size) return;
  }
}

/** The last folder above a path that is one of some folders. */
function selectNearest(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    if (folders.has(folder)) return folder;
  }
  return folders.has('') ? '' : undefined;
}
