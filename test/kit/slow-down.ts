import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../../src/base/digest.ts';
import type { CarriedMedium } from './carried-medium.ts';

/** Lists a file on a medium that takes the walk a moment to read, and no room on the disk. */
export async function slowDown({ root, editManifest }: CarriedMedium): Promise<void> {
  const name = 'f'.repeat(64);
  const path = `blobs/sha256/${name}`;
  const size = 768 << 20;
  const file = await open(join(root, path), 'w');
  await file.truncate(size);
  await file.close();
  await editManifest((_, lines) =>
    [...lines, { path, size, digest: `sha256:${name}` as Digest }].sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
}
