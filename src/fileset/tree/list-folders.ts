import type { DatabaseSync } from 'node:sqlite';
import { parentOf } from './link-walk.ts';
import { fromKey, listingRank, toKey } from './tree-rows.ts';

/** A folder above the entry that is being listed. */
interface OpenFolder {
  readonly path: string;
  readonly id: number | bigint;
}

/**
 * Lists the names in each folder of a merged tree, folders first: a reader then sees one folder without all paths below
 * it. Entries come in the order of their paths, so that few folders are open at a time.
 */
export function listFolders(database: DatabaseSync): void {
  const find = database.prepare('SELECT id FROM folder WHERE path = ?');
  const make = database.prepare('INSERT INTO folder (path) VALUES (?)');
  const list = database.prepare('INSERT INTO listing (folder, rank, name) VALUES (?, ?, ?)');
  const root: OpenFolder = { path: '', id: make.run(toKey('')).lastInsertRowid };
  const open: OpenFolder[] = [];

  const openBelow = ({ path: above, id: parent }: OpenFolder, path: string): OpenFolder => {
    const name = path.slice(above === '' ? 0 : above.length + 1);
    const known = find.get(toKey(path))?.id as number | undefined;
    if (known !== undefined) return { path, id: known };
    list.run(parent, listingRank.folder, toKey(name));
    return { path, id: make.run(toKey(path)).lastInsertRowid };
  };

  const openFolder = (path: string): OpenFolder => {
    while (open.length > 0 && !`${path}/`.startsWith(`${open.at(-1)!.path}/`)) open.pop();
    for (;;) {
      const last = open.at(-1) ?? root;
      if (last.path === path) return last;
      const end = path.indexOf('/', last.path === '' ? 0 : last.path.length + 1);
      open.push(openBelow(last, end < 0 ? path : path.slice(0, end)));
    }
  };

  const entries = database.prepare(
    'SELECT path, layer IS NULL AND target IS NULL AS isFolder FROM entry ORDER BY path',
  );
  for (const { path: key, isFolder } of entries.iterate()) {
    const path = fromKey(key);
    if (isFolder === 1) openFolder(path);
    else {
      const above = openFolder(parentOf(path));
      list.run(above.id, listingRank.other, toKey(path.slice(above.path === '' ? 0 : above.path.length + 1)));
    }
  }
}
