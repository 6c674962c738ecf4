import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** A file of the tree, with the position of its bytes. */
export interface FileRow {
  readonly kind: 'file';
  /** Number of the layer that has the bytes. */
  readonly layer: number;
  /** Offset of the bytes in the uncompressed archive; `size` is their number. */
  readonly offset: number;
  readonly size: number;
  /** SHA-256 of the bytes. */
  readonly sha256: Uint8Array;
}

export interface LinkRow {
  readonly kind: 'link';
  /** As written, one character per byte. */
  readonly target: string;
}

/** A folder that a layer names; folders may also exist only as parts of paths. */
interface FolderRow {
  readonly kind: 'folder';
}

export type TreeRow = FileRow | LinkRow | FolderRow;

/** Changes with the tables: an index of another format is created again. */
export const treeFormat = 4;

/** Order of the names of a folder: its folders come first. */
export const listingRank = { folder: 0, other: 1 } as const;

/** Columns of a row. A file has a layer, a link has a target, a folder has neither. */
const columns =
  'path BLOB PRIMARY KEY, layer INTEGER, offset INTEGER, size INTEGER, sha256 BLOB, target BLOB, place BLOB, links INTEGER';

/**
 * One row per file, link or named folder, by path. No path continues below a file or link. A link has its final path
 * (`place`, without a link on the way; null for the root). It also has the number of links followed, which is null when
 * it leads nowhere. The layer being merged is in `upper`, so that its whiteouts find the rows of lower layers only.
 * `unsigned_file` has the packages of any layer without a signature of their own. Both are gone at the end. `folder` has
 * every folder, those that are only parts of paths too; the root has the empty path. `listing` has the names in each.
 */
export const treeSchema = `
  PRAGMA user_version = ${treeFormat};
  CREATE TABLE entry (${columns}) WITHOUT ROWID;
  CREATE TABLE package_index (path BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE unsigned_repository (path BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE folder (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
  CREATE TABLE listing (folder INTEGER, rank INTEGER, name BLOB, PRIMARY KEY (folder, rank, name)) WITHOUT ROWID;
  CREATE TABLE unsigned_file (sha256 BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE upper (${columns}) WITHOUT ROWID;
`;

/** The table of the lower layers, or of the layer that is being merged. */
export type TreeTable = 'entry' | 'upper';

/** Converts a path to the bytes it consists of. */
export const toKey = (path: string): Buffer => Buffer.from(path, 'latin1');

/** Reverses `toKey`. */
export const fromKey = (key: unknown): string => Buffer.from(key as Uint8Array).toString('latin1');

/** Looks one path of a tree up that is being merged. */
export type RowReader = (path: string) => TreeRow | undefined;

export function createRowReader(database: DatabaseSync, table: TreeTable): RowReader {
  const select = database.prepare(`SELECT layer, offset, size, sha256, target FROM ${table} WHERE path = ?`);
  return (path) => {
    const row = select.get(toKey(path));
    if (row === undefined || row.target === null) return toPlain(row);
    return { kind: 'link', target: fromKey(row.target) };
  };
}

/** A link of a whole tree. */
interface ResolvedLink {
  readonly kind: 'link';
  /** Path without links on the way; undefined when the link leads nowhere. */
  readonly place: string | undefined;
  /** Number of links that lead there, this one included. */
  readonly links: number;
}

/** Looks one path of a whole tree up. */
export type RowFinder = (path: string) => FileRow | FolderRow | ResolvedLink | undefined;

export function createRowFinder(database: DatabaseSync): RowFinder {
  const select = database.prepare(
    'SELECT layer, offset, size, sha256, target IS NOT NULL AS isLink, place, links FROM entry WHERE path = ?',
  );
  return (path) => {
    const row = select.get(toKey(path));
    if (row === undefined || row.isLink === 0) return toPlain(row);
    if (row.links === null) return { kind: 'link', place: undefined, links: 0 };
    return { kind: 'link', place: row.place === null ? '' : fromKey(row.place), links: Number(row.links) };
  };
}

function toPlain(row: Record<string, SQLOutputValue> | undefined): FileRow | FolderRow | undefined {
  if (row === undefined) return undefined;
  if (row.layer === null) return { kind: 'folder' };
  return {
    kind: 'file',
    layer: Number(row.layer),
    offset: Number(row.offset),
    size: Number(row.size),
    sha256: row.sha256 as Uint8Array,
  };
}

/** Returns the bounds, both exclusive, of all paths below a folder that is not the root. */
export function below(folder: string): readonly [from: Buffer, to: Buffer] {
  // `0` follows `/`
  return [toKey(`${folder}/`), toKey(`${folder}0`)];
}
