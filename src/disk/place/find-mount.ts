import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isAbsent } from '../is-absent.ts';

/**
 * Finds the folder where the filesystem of a path begins: its mount point, or `/`.
 *
 * @param path need not exist
 * @throws the operating system's error
 */
export async function findMount(path: string): Promise<string> {
  const at = resolve(path);
  const device = await deviceOf(at);
  const above = dirname(at);
  if (above === at) return at;
  const isBeginning = device !== undefined && (await deviceOf(above)) !== device;
  return isBeginning ? at : findMount(above);
}

async function deviceOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).dev;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
