import { mkdir } from 'node:fs/promises';
import { openCopyPool } from '../../../src/disk/threads/copy-pool.ts';
import type { Delivery, WrittenPart } from '../../../src/engine/delivery/model.ts';
import { writePart } from '../../../src/engine/delivery/write-part.ts';
import type { Store } from '../../../src/store/model.ts';

/** Writes one part of a delivery, as the command does with it alone. @param part from 1 */
export async function writePartOf(
  store: Store,
  delivery: Delivery,
  path: string,
  part = 1,
  signal?: AbortSignal,
): Promise<WrittenPart> {
  await mkdir(path, { recursive: true });
  await using pool = openCopyPool({ signal });
  const writtenAt = '2026-02-03T04:05:06.000Z';
  return await writePart({ store, delivery, part, path, writtenAt, version: '0.0.0-test', pool, signal });
}
