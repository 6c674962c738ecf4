import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TempFolder } from './temp-folder.ts';

/** A folder whose syncs cost nothing, where the machine has one: for tests that prove nothing about a disk. */
export async function openMemoryFolder(prefix: string): Promise<TempFolder> {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const path = await mkdtemp(join(base, prefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
