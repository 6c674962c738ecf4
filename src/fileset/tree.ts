import { DatabaseSync } from 'node:sqlite';
import { TarError } from '../disk/tar/error.ts';
import { parseLayerPath } from './layer-path.ts';
import type { FilesetImage, FilesetTree } from './model.ts';
import { createRowReader, type FileRow, followPath, type RowReader, treeFormat } from './tree-rows.ts';

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
      [Symbol.dispose]: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
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
