import type { DatabaseSync } from 'node:sqlite';
import { filesetLimits } from './limits.ts';

/** A file of the tree: where its bytes are. */
export interface FileRow {
  readonly kind: 'file';
  /** Number of the layer that has the bytes. */
  readonly layer: number;
  /** Where they begin in the plain archive, and how many they are. */
  readonly offset: number;
  readonly size: number;
  /** SHA-256 of the bytes. */
  readonly sha256: Uint8Array;
}

export interface LinkRow {
  readonly kind: 'link';
  /** As written, one character a byte. */
  readonly target: string;
}

export type TreeRow = FileRow | LinkRow;

/** Changes when the tables do: an index of another format is made anew. */
export const treeFormat = 1;

/**
 * One row a file or link, under its path: folders are only parts of paths. Nothing lies below a file or link. `born` is
 * the layer that gave the name, which a hard link can give to bytes of a lower one.
 */
export const treeSchema = `
  PRAGMA user_version = ${treeFormat};
  CREATE TABLE entry (
    path BLOB PRIMARY KEY, born INTEGER NOT NULL, layer INTEGER, offset INTEGER, size INTEGER, sha256 BLOB, target BLOB
  ) WITHOUT ROWID;
`;

/** Paths are kept as the bytes they are. */
export const toKey = (path: string): Buffer => Buffer.from(path, 'latin1');

/** Looks one path up. */
export type RowReader = (path: string) => TreeRow | undefined;

export function createRowReader(database: DatabaseSync): RowReader {
  const select = database.prepare('SELECT layer, offset, size, sha256, target FROM entry WHERE path = ?');
  return (path) => {
    const row = select.get(toKey(path));
    if (row === undefined) return undefined;
    if (row.target !== null)
      return { kind: 'link', target: Buffer.from(row.target as Uint8Array).toString('latin1') };
    return {
      kind: 'file',
      layer: Number(row.layer),
      offset: Number(row.offset),
      size: Number(row.size),
      sha256: row.sha256 as Uint8Array,
    };
  };
}

/** Where following a path ends: at a row, or at a name that has none (a folder, or nothing at all). */
export type Followed =
  | { readonly to: 'row'; readonly path: string; readonly row: TreeRow }
  | { readonly to: 'no-row'; readonly path: string }
  /** A file stands where a folder is due, a link leads out of the tree, or links go round and round. */
  | { readonly to: 'nowhere'; readonly why: 'file' | 'outside' | 'links' };

/**
 * Follows a path through the links of the tree. An absolute link begins at the root of the tree; one that climbs above
 * that root is not followed.
 *
 * @param names one character a byte, without `.` and `..`
 * @param options `last: false` leaves the last name as it is, even when it is a link
 */
export function followPath(
  read: RowReader,
  names: readonly string[],
  options: { readonly last: boolean },
): Followed {
  const todo = [...names].reverse();
  const done: string[] = [];
  let links = 0;
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (done.pop() === undefined) return { to: 'nowhere', why: 'outside' };
      continue;
    }
    done.push(name);
    const path = done.join('/');
    const row = read(path);
    if (row === undefined) continue;
    const isLast = todo.length === 0;
    if (isLast && (row.kind === 'file' || !options.last)) return { to: 'row', path, row };
    if (row.kind === 'file') return { to: 'nowhere', why: 'file' };
    links += 1;
    if (links > filesetLimits.links || row.target.length > filesetLimits.pathBytes)
      return { to: 'nowhere', why: 'links' };
    done.pop();
    if (row.target.startsWith('/')) done.length = 0;
    todo.push(...row.target.split('/').reverse());
  }
  return { to: 'no-row', path: done.join('/') };
}
