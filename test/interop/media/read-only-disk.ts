import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { mountMemory, needsMount } from '../../fault/rig/small-volume.ts';

/** A folder that is filled, and that nobody can write to afterwards. */
export interface ReadOnlyDisk extends AsyncDisposable {
  readonly path: string;
  /** Makes it read-only. */
  seal(): void;
}

function changeModes(path: string, mode: (isFolder: boolean) => number): void {
  const isFolder = lstatSync(path).isDirectory();
  if (isFolder) chmodSync(path, 0o755);
  if (isFolder) for (const name of readdirSync(path)) changeModes(join(path, name), mode);
  chmodSync(path, mode(isFolder));
}

/**
 * Permissions stop everybody but root: for root it is a filesystem of its own.
 *
 * @returns undefined where the test must return: root, without the right to mount
 */
export function openReadOnlyDisk(t: TestContext, path: string): ReadOnlyDisk | undefined {
  if (process.getuid?.() !== 0) {
    mkdirSync(path, { recursive: true });
    return {
      path,
      seal: () => changeModes(path, (isFolder) => (isFolder ? 0o555 : 0o444)),
      [Symbol.asyncDispose]: async () => changeModes(path, (isFolder) => (isFolder ? 0o755 : 0o644)),
    };
  }
  if (!needsMount(t, path)) return undefined;
  const volume = mountMemory(path, '64m');
  return {
    path,
    seal: () => volume.remount('ro'),
    [Symbol.asyncDispose]: () => volume[Symbol.asyncDispose](),
  };
}
