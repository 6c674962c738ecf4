import { DatabaseSync } from 'node:sqlite';
import { TarError } from '../disk/tar/error.ts';
import { parseLayerPath } from './layer-path.ts';
import type { FilesetImage, FilesetTree } from './model.ts';
import { createRowReader, type FileRow, followPath, type RowReader, toKey, treeFormat } from './tree-rows.ts';

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
    const read = createRowReader(database);
    return {
      digest,
      find: (written) => {
        if (written.endsWith('/')) return undefined;
        const row = findFile(read, namesOf(written));
        if (row === undefined) return undefined;
        const { layer, offset, size, sha256 } = row;
        return {
          digest: `sha256:${Buffer.from(sha256).toString('hex')}`,
          size,
          layer: layers[layer]!,
          offset,
        };
      },
      named: (names, limit) => listNamed(database, names, limit),
      [Symbol.dispose]: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads every row: the last names of paths have no index, as few readers ask for them. */
function listNamed(database: DatabaseSync, names: readonly string[], limit: number): readonly string[] {
  const where = names.map(() => 'path = ? OR substr(path, -?) = ?').join(' OR ');
  const values = names.flatMap((name) => [toKey(name), name.length + 1, toKey(`/${name}`)]);
  return database
    .prepare(`SELECT path FROM entry WHERE target IS NULL AND (${where}) ORDER BY path LIMIT ?`)
    .all(...values, limit)
    .map(({ path }) => Buffer.from(path as Uint8Array).toString('latin1'));
}

/** Finds a file. No path continues below a link: a path that has a row of its own needs no link followed. */
function findFile(read: RowReader, names: readonly string[]): FileRow | undefined {
  const direct = read(names.join('/'));
  if (direct?.kind === 'file') return direct;
  const found = followPath(read, names, { last: true });
  return found.to === 'row' && found.row.kind === 'file' ? found.row : undefined;
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
