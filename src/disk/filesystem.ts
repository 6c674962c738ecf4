/** Properties of a type of filesystem. */
export interface Filesystem {
  readonly type: string;
  /** False when the type is unknown, or can hide any other (FUSE). */
  readonly identified: boolean;
  /** Bytes of the largest file; absent when no current volume reaches the limit. */
  readonly maxFileSize?: number;
  /** Number of files named by a sha256 digest that fit in one folder. */
  readonly maxFolderEntries?: number;
  /** Whether a file may get another inode number while no process has it open. */
  readonly renumbers: boolean;
  /** Whether names are case-insensitive and links do not exist. */
  readonly foldsCase: boolean;
}

const names: Readonly<Record<number, string>> = {
  538032816: 'exfat',
  61267: 'ext4',
  16914836: 'tmpfs',
  2035054128: 'overlay',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  1397118030: 'ntfs',
  1936094318: 'ntfs3',
  26985: 'nfs',
  4283649346: 'cifs',
  4266872130: 'smb',
  801189825: 'zfs',
  4076150800: 'f2fs',
  3393526350: 'bcachefs',
  827541066: 'jfs',
  18475: 'hfsplus',
  38496: 'iso9660',
  352400198: 'udf',
  1936814952: 'squashfs',
  3774210530: 'erofs',
  16914839: '9p',
  12805120: 'ceph',
  2240043254: 'ramfs',
};

/** Filesystems whose inode numbers the kernel assigns, or may assign. */
const renumbering: ReadonlySet<string> = new Set(['exfat', 'cifs', 'smb']);

/** FAT32. A folder has 65 536 entries of 32 bytes, and a name of 64 characters takes 6 of them. */
export const vfat: Filesystem = {
  type: 'vfat',
  identified: true,
  maxFileSize: 4_294_967_295,
  maxFolderEntries: 10_922,
  renumbers: true,
  foldsCase: true,
};

/** @param magic the type number of `statfs` */
export function toFilesystem(magic: number | undefined): Filesystem {
  if (magic === undefined) return toUnidentified('unknown');
  // some kernels return the number signed
  const type = magic >>> 0;
  if (type === 0x4d44) return vfat;
  if (type === 0x65735546) return toUnidentified('fuse');
  const name = names[type];
  return name === undefined
    ? toUnidentified(`0x${type.toString(16)}`)
    : { type: name, identified: true, renumbers: renumbering.has(name), foldsCase: name === 'exfat' };
}

function toUnidentified(type: string): Filesystem {
  return { type, identified: false, renumbers: true, foldsCase: false };
}
