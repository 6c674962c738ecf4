import { DatabaseSync } from 'node:sqlite';
import { TarError } from '../disk/tar-error.ts';
import { parseLayerPath } from './layer-path.ts';
import type { FilesetImage, FilesetTree } from './model.ts';
import { createRowReader, followPath, treeFormat } from './tree-rows.ts';

/**
 * Opens a sound index of an image.
 *
 * @returns undefined when it has another format
 * @throws what SQLite throws
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
        const found = followPath(read, namesOf(written), { last: true });
        if (found.to !== 'row' || found.row.kind !== 'file') return undefined;
        const { layer, offset, size, sha256 } = found.row;
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

/** A path that no layer could have leads nowhere. */
function namesOf(path: string): readonly string[] {
  try {
    return parseLayerPath(path);
  } catch (error) {
    if (error instanceof TarError) return [];
    throw error;
  }
}
