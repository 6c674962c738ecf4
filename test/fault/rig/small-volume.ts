import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { needs } from '../../kit/program/peers.ts';

/** A mounted filesystem of its own, small. */
export interface SmallVolume extends AsyncDisposable {
  readonly path: string;
  /** Remounts it with other options. */
  remount(options: string): void;
  /** Takes it away from under its users. */
  unmount(): void;
  /** Takes an image away as a disk that is pulled out: it is unmounted, and its loop device is detached. */
  pull(): void;
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

function toVolume(path: string, again: () => void, release: () => void, image?: string): SmallVolume {
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
    pull: () => {
      unmount();
      if (image !== undefined) detach(image);
    },
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

/** Detaches the loop devices of an image; one that is still in use is detached when its last file is closed. */
function detach(image: string): void {
  const list = (): string[] => {
    const of = ['--noheadings', '--output', 'NAME', '-j', image];
    return spawnSync('losetup', of, { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line !== '');
  };
  for (const device of list()) {
    const { status, stderr } = spawnSync('losetup', ['-d', device.trim()], { encoding: 'utf8' });
    // the kernel detaches a device by itself when its last user closes it, which can be after the list
    if (status !== 0 && list().includes(device)) throw new Error(`losetup -d ${device}: ${stderr}`);
  }
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

type Command = readonly [string, ...string[]];

/** How a filesystem is made in a file. */
const kinds = {
  ext4: ['mkfs.ext4', '-q', '-F', '-m', '0', '-E', 'lazy_itable_init=1,nodiscard'],
  // no smaller than 300 MiB, of which the file takes only the used part
  xfs: ['mkfs.xfs', '-q'],
  btrfs: ['mkfs.btrfs', '-q', '-M'],
  vfat: ['mkfs.vfat', '-F', '32'],
  exfat: ['mkfs.exfat'],
} as const satisfies Record<string, Command>;

export type VolumeKind = keyof typeof kinds;

const isKnown = (type: string): boolean => readFileSync('/proc/filesystems', 'utf8').includes(`\t${type}\n`);

/** The type for `mount`: exFAT goes through FUSE where the kernel does not know it. */
const toType = (kind: VolumeKind): string => (kind === 'exfat' && !isKnown(kind) ? 'exfat-fuse' : kind);

/** Whether a volume of this kind can be made and mounted here; otherwise the test must return. */
export function needsVolume(t: TestContext, kind: VolumeKind, folder: string): boolean {
  if (!needs(t, kinds[kind][0])) return false;
  if (isKnown(kind)) return needsMount(t, folder);
  if (kind === 'exfat') {
    if (!needs(t, 'mount.exfat-fuse')) return false;
    if (existsSync('/dev/fuse')) return needsMount(t, folder);
  }
  t.skip(`not run: needs a kernel that mounts ${kind}`);
  return false;
}

export interface ImageOptions {
  /** Bytes that really stand behind it; beyond them writing fails with EIO. */
  readonly backing?: number;
  /** Further options of the mount. */
  readonly options?: string;
}

/**
 * A filesystem in a file.
 *
 * @param bytes the size that the filesystem reports
 */
export function mountImage(
  path: string,
  kind: VolumeKind,
  bytes: number,
  { backing, options }: ImageOptions = {},
): SmallVolume {
  mkdirSync(path, { recursive: true });
  const images = `${path}.images`;
  mkdirSync(images);
  if (backing !== undefined) run('mount', '-t', 'tmpfs', '-o', `size=${backing}`, 'tmpfs', images);
  const image = join(images, 'image');
  writeFileSync(image, '');
  truncateSync(image, bytes);
  const type = toType(kind);
  const flags = options === undefined ? 'loop' : `loop,${options}`;
  const mount = (): void => run('mount', '-t', type, '-o', flags, image, path);
  try {
    const [program, ...args] = kinds[kind];
    run(program, ...args, image);
    mount();
  } catch (error) {
    if (backing !== undefined) run('umount', '-l', images);
    throw error;
  }
  const release = (): void => {
    if (backing !== undefined) run('umount', '-l', images);
    rmSync(images, { recursive: true, force: true });
  };
  return toVolume(path, mount, release, image);
}

/** Lets nothing more through to the disk of an ext4 or XFS volume: unsynced bytes are lost, as in a power cut. */
export function cutPower({ path }: SmallVolume): void {
  run('xfs_io', '-x', '-c', 'shutdown', path);
}

/** Gives a btrfs volume a quota, below its size. */
export function limitQuota({ path }: SmallVolume, bytes: number): void {
  run('btrfs', 'quota', 'enable', path);
  run('btrfs', 'qgroup', 'limit', `${bytes}`, '0/5', path);
}
