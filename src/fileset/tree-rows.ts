import type { DatabaseSync } from 'node:sqlite';
import { filesetLimits } from './limits.ts';

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

interface LinkRow {
  readonly kind: 'link';
  /** As written, one character per byte. */
  readonly target: string;
}

type TreeRow = FileRow | LinkRow;

/** Changes with the tables: an index of another format is created again. */
export const treeFormat = 1;

/**
 * One row per file or link, by path: folders are only parts of paths. No path continues below a file or link. `born` is
 * the layer that gave the name; a hard link can give a name to bytes of a lower layer.
 */
export const treeSchema = `
  PRAGMA user_version = ${treeFormat};
  CREATE TABLE entry (
    path BLOB PRIMARY KEY, born INTEGER NOT NULL, layer INTEGER, offset INTEGER, size INTEGER, sha256 BLOB, target BLOB
  ) WITHOUT ROWID;
`;

/** Converts a path to the bytes it consists of. */
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

/** End of a followed path: a row, or a path without a row (a folder, or nothing). */
type Followed =
  | { readonly to: 'row'; readonly path: string; readonly row: TreeRow }
  | { readonly to: 'no-row'; readonly path: string }
  /** A file is in place of a folder, a link leads out of the tree, or links form a loop. */
  | { readonly to: 'nowhere'; readonly why: 'file' | 'outside' | 'links' };

/**
 * Follows a path through the links of the tree. An absolute link starts at the root of the tree; a link that leaves the
 * tree is not followed.
 *
 * @param names one character per byte, without `.` and `..`
 * @param options `last: false` does not follow the last name, even if it is a link
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
