import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A mounted filesystem of its own, small. */
export interface SmallVolume extends AsyncDisposable {
  readonly path: string;
  /** Remounts it with other options. */
  remount(options: string): void;
  /** Takes it away under whoever uses it. */
  unmount(): void;
  /** Brings an image back when nobody uses it any more. */
  mountAgain(): void;
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

function canRun(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Whether this machine lets the tests mount; otherwise the test is listed as not run, and must return. */
export function needsMount(t: TestContext, folder: string): boolean {
  const path = join(folder, 'probe');
  mkdirSync(path, { recursive: true });
  const can = canRun('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path);
  if (can) run('umount', path);
  else t.skip('not run: needs the right to mount');
  return can;
}

function toVolume(path: string, again: () => void, release: () => void): SmallVolume {
  let isMounted = true;
  const unmount = (): void => {
    if (!isMounted) return;
    isMounted = false;
    run('umount', '-l', path);
  };
  return {
    path,
    remount: (options) => run('mount', '-o', `remount,${options}`, path),
    unmount,
    mountAgain: () => {
      again();
      isMounted = true;
    },
    [Symbol.asyncDispose]: async () => {
      unmount();
      release();
    },
  };
}

/** @param size as mount takes it, `24m` */
export function mountMemory(path: string, size: string): SmallVolume {
  mkdirSync(path, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path);
  const gone = (): never => {
    throw new Error('what was in memory is gone');
  };
  return toVolume(path, gone, () => {});
}

/**
 * An ext4 filesystem in a file.
 *
 * @param bytes what the filesystem believes to have
 * @param backing bytes that really stand behind it; beyond them writing fails with EIO
 */
export function mountExt4(path: string, bytes: number, backing?: number): SmallVolume {
  mkdirSync(path, { recursive: true });
  const images = `${path}.images`;
  mkdirSync(images);
  if (backing !== undefined) run('mount', '-t', 'tmpfs', '-o', `size=${backing}`, 'tmpfs', images);
  const image = join(images, 'image');
  writeFileSync(image, '');
  truncateSync(image, bytes);
  try {
    run('mkfs.ext4', '-q', '-F', '-m', '0', '-E', 'lazy_itable_init=1,nodiscard', image);
    run('mount', '-o', 'loop', image, path);
  } catch (error) {
    if (backing !== undefined) run('umount', '-l', images);
    throw error;
  }
  return toVolume(
    path,
    () => run('mount', '-o', 'loop', image, path),
    () => {
      if (backing !== undefined) run('umount', '-l', images);
      rmSync(images, { recursive: true, force: true });
    },
  );
}
