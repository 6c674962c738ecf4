import type { DatabaseSync } from 'node:sqlite';
import { type LinkWalk, parentOf } from './link-walk.ts';
import { fromKey, toKey } from './tree-rows.ts';

/** Links that are read before their ends are written. */
const batch = 1000;

/**
 * Records where each link of a merged tree leads, so that a reader looks up the names of the path that it was asked for,
 * and no others.
 *
 * @throws TarError when the links lead over too many names
 */
export function resolveLinks(database: DatabaseSync, walk: LinkWalk): void {
  const select = database.prepare(
    `SELECT path, target FROM entry WHERE target IS NOT NULL AND path > ? ORDER BY path LIMIT ${batch}`,
  );
  const put = database.prepare('UPDATE entry SET place = ?, links = ? WHERE path = ?');
  for (let after = ''; ; ) {
    const rows = select.all(toKey(after));
    for (const { path: key, target: written } of rows) {
      const path = fromKey(key);
      const target = fromKey(written);
      const start = target.startsWith('/') ? '' : parentOf(path);
      const found = walk.follow(start, target.split('/'), { last: true, links: 1 });
      if (found.to !== 'nowhere')
        put.run(found.path === '' ? null : toKey(found.path), found.links, toKey(path));
      after = path;
    }
    if (rows.length < batch) return;
  }
}
