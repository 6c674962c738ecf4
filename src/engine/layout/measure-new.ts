import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from '../../archive/model.ts';
import { forEachBounded } from '../../base/concurrency.ts';
import type { StoreIndex } from '../../catalog/model.ts';

/** Files that are looked at side by side. */
const looksAtOnce = 8;

/**
 * Measures the content of a layout that the store does not have, for the progress of its import. An unreadable file
 * counts as nothing here; the import of its entry reports it.
 *
 * @returns bytes
 */
export async function measureNew(layout: Layout, index: Pick<StoreIndex, 'sizeOf'>): Promise<number> {
  const missing = [...layout.blobs].filter((digest) => index.sizeOf(digest) === undefined);
  let bytes = 0;
  await forEachBounded(missing, looksAtOnce, async (digest) => {
    const place = layout.locate(digest);
    if (place === undefined) return;
    const { root, path } = place;
    bytes +=
      place.size ??
      (await lstat(join(root, path)).then(
        ({ size }) => size,
        () => 0,
      ));
  });
  return bytes;
}
