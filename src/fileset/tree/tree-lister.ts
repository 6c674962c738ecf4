import type { DatabaseSync } from 'node:sqlite';
import type { FilesetFile, FilesetTree, ListingPlace, TreeEntry } from '../model.ts';
import { below, createRowFinder, type FileRow, fromKey, listingRank, toKey } from './tree-rows.ts';

/** Names that one step of a search looks at: about two milliseconds. */
const step = 5000;

/** Makes the functions that list the folders of a whole tree. */
export function createTreeLister(
  database: DatabaseSync,
  toFile: (row: FileRow) => FilesetFile,
): Pick<FilesetTree, 'list' | 'search'> {
  const find = createRowFinder(database);
  const target = database.prepare('SELECT target FROM entry WHERE path = ?');
  const folder = database.prepare('SELECT id FROM folder WHERE path = ?');
  const folderPath = database.prepare('SELECT path FROM folder WHERE id = ?');
  const count = database.prepare('SELECT count(*) AS total FROM listing WHERE folder = ?');
  const names = database.prepare(
    'SELECT rank, name FROM listing WHERE folder = ? ORDER BY rank, name LIMIT ? OFFSET ?',
  );
  const isFolder = (path: string): boolean => folder.get(toKey(path)) !== undefined;

  const toEntry = (above: string, rank: unknown, key: unknown): TreeEntry => {
    const name = fromKey(key);
    const path = above === '' ? name : `${above}/${name}`;
    if (rank === listingRank.folder) return { path, to: { folder: path } };
    const row = find(path);
    if (row?.kind === 'file') return { path, to: toFile(row) };
    const link = { path, target: fromKey(target.get(toKey(path))?.target) };
    if (row?.kind !== 'link' || row.place === undefined) return link;
    const end = find(row.place);
    if (end?.kind === 'file') return { ...link, to: toFile(end) };
    return isFolder(row.place) ? { ...link, to: { folder: row.place } } : link;
  };

  const range =
    'SELECT folder, rank, name FROM listing WHERE (folder, rank, name) > (?, ?, ?) ORDER BY folder, rank, name LIMIT';
  const last = database.prepare(`${range} 1 OFFSET ${step - 1}`);
  const matches = database.prepare(
    `SELECT listed.folder, rank, name FROM (${range} ${step}) AS listed
     WHERE instr(lower(CAST(name AS TEXT)), ?) AND EXISTS (
       SELECT 1 FROM folder WHERE id = listed.folder AND (? = 1 OR path = ? OR (path > ? AND path < ?)))`,
  );

  return {
    list: (path, { skip, limit }) => {
      const id = folder.get(toKey(path))?.id;
      if (id === undefined) return undefined;
      return {
        path,
        total: Number(count.get(id)?.total),
        entries: names.all(id, limit, skip).map(({ rank, name }) => toEntry(path, rank, name)),
      };
    },
    search: (text, within, after, { skip, limit }) => {
      const from =
        after === undefined
          ? ([0, 0, toKey('')] as const)
          : ([after.folder, after.rank, after.name] as const);
      // only ASCII letters have a case here, as in SQLite
      const wanted = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
      const found = matches.all(...from, wanted, within === '' ? 1 : 0, toKey(within), ...below(within));
      const next = last.get(...from) as unknown as ListingPlace | undefined;
      return {
        count: found.length,
        entries: found
          .slice(skip, skip + limit)
          .map((row) => toEntry(fromKey(folderPath.get(row.folder as number)?.path), row.rank, row.name)),
        ...(next === undefined ? {} : { next }),
      };
    },
  };
}
