import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes files of a few KiB, a hundred a folder. */
export async function writeSmallFiles(root: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const folder = join(root, `folder-${Math.floor(i / 100)}`);
    if (i % 100 === 0) await mkdir(folder, { recursive: true });
    const seed = createHash('sha512').update(`${i}`).digest();
    const size = 500 + (seed.readUInt16LE(0) % 7500);
    await writeFile(join(folder, `file-${i}`), Buffer.alloc(size, seed));
  }
}
