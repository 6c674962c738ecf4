import { DatabaseSync } from 'node:sqlite';
import { TarError } from '../../disk/tar/error.ts';
import { filesetLimits } from '../limits.ts';
import type { FilesetImage, FilesetTree } from '../model.ts';
import { parseLayerPath } from './layer-path.ts';
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
    return {
      digest,
      find: (written) => {
        if (written.endsWith('/')) return undefined;
        const row = findFile(find, namesOf(written));
        if (row === undefined) return undefined;
        const { layer, offset, size, sha256 } = row;
        return {
          digest: `sha256:${Buffer.from(sha256).toString('hex')}`,
          size,
          layer: layers[layer]!,
          offset,
        };
      },
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

/** Finds a file. No path continues below a link: a path that has a row of its own needs no link followed. */
function findFile(find: RowFinder, names: readonly string[]): FileRow | undefined {
  const direct = find(names.join('/'));
  if (direct?.kind === 'file') return direct;
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
    if (row?.kind === 'file') return index === names.length - 1 ? row : undefined;
  }
  return undefined;
}

/** Splits a path; a path that no layer can contain has no names. */
function namesOf(path: string): readonly string[] {
  try {
    return parseLayerPath(path);
  } catch (error) {
    if (error instanceof TarError) return [];
    throw error;
  }
}
