import { DatabaseSync } from 'node:sqlite';
import { TarError } from '../../disk/tar/error.ts';
import { filesetLimits } from '../limits.ts';
import type { FilesetFile, FilesetImage, FilesetTree } from '../model.ts';
import { parseLayerPath } from './layer-path.ts';
import { createTreeLister } from './tree-lister.ts';
import { createRowFinder, type FileRow, fromKey, type RowFinder, treeFormat } from './tree-rows.ts';

/**
 * Opens an undamaged index of an image.
 *
 * @returns undefined when it has another format
 * @throws the errors of SQLite
 */
export function openTree(path: string, { digest, layers }: FilesetImage): FilesetTree | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    if (database.prepare('PRAGMA user_version').get()?.user_version !== treeFormat) {
      database.close();
      return undefined;
    }
    const find = createRowFinder(database);
    const toFile = ({ layer, offset, size, sha256 }: FileRow): FilesetFile => ({
      digest: `sha256:${Buffer.from(sha256).toString('hex')}`,
      size,
      layer: layers[layer]!,
      offset,
    });
    const lister = createTreeLister(database, toFile);
    return {
      digest,
      find: (written) => {
        const row = written.endsWith('/') ? undefined : follow(find, namesOf(written))?.row;
        return row && toFile(row);
      },
      list: (written, page) => {
        const found = follow(find, written === '' ? [] : namesOf(written));
        return found === undefined || found.row !== undefined ? undefined : lister.list(found.path, page);
      },
      search: lister.search,
      packageIndexes: () => listPaths(database, 'package_index'),
      unsignedRepositories: () => listPaths(database, 'unsigned_repository'),
      [Symbol.dispose]: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function listPaths(
  database: DatabaseSync,
  table: 'package_index' | 'unsigned_repository',
): readonly string[] {
  return database
    .prepare(`SELECT path FROM ${table} ORDER BY path`)
    .all()
    .map(({ path }) => fromKey(path));
}

/** Where names lead to: a file, or a path that may be a folder. */
interface Place {
  /** Without links on the way. */
  readonly path: string;
  readonly row?: FileRow;
}

/**
 * Follows names through the links of a tree. No path continues below a link: a path that has a row of its own needs no link
 * followed.
 *
 * @param names undefined: of a path that no layer can contain
 */
function follow(find: RowFinder, names: readonly string[] | undefined): Place | undefined {
  if (names === undefined) return undefined;
  const written = names.join('/');
  const direct = find(written);
  if (direct?.kind === 'file') return { path: written, row: direct };
  let at = '';
  let links = 0;
  for (const [index, name] of names.entries()) {
    at = at === '' ? name : `${at}/${name}`;
    let row = find(at);
    if (row?.kind === 'link') {
      links += row.links;
      if (row.place === undefined || links > filesetLimits.links) return undefined;
      at = row.place;
      row = find(at);
    }
    if (row?.kind === 'file') return index === names.length - 1 ? { path: at, row } : undefined;
  }
  return { path: at };
}

/** Splits a path; undefined for one that no layer can contain. */
function namesOf(path: string): readonly string[] | undefined {
  try {
    return parseLayerPath(path);
  } catch (error) {
    if (error instanceof TarError) return undefined;
    throw error;
  }
}
