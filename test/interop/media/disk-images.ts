import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One way to carry a folder: a filesystem in a file, and a program that takes the files out of it. */
export interface DiskImage {
  readonly name: string;
  /** Programs that it needs. */
  readonly programs: readonly string[];
  /** Writes a folder into a new image. */
  write(folder: string, image: string): void;
  /** Takes everything out of an image, into a folder that exists. */
  extract(image: string, folder: string): void;
}

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });

const extractIso = (names: string) => (image: string, folder: string) =>
  run('xorriso', '-read_fs', names, '-indev', image, '-osirrox', 'on', '-extract', '/', folder);

/** FAT32: no links, times of two seconds, and names that are short or long ones. */
const fat32: DiskImage = {
  name: 'FAT32',
  programs: ['mformat', 'mcopy'],
  write: (folder, image) => {
    // 80 MiB: with less, the clusters are too few for FAT32
    run('mformat', '-C', '-F', '-T', '163840', '-i', image, '::');
    run('mcopy', '-m', '-s', '-i', image, ...readdirSync(folder).map((name) => join(folder, name)), '::/');
  },
  extract: (image, folder) => run('mcopy', '-m', '-s', '-n', '-i', image, '::/*', folder),
};

/** ISO 9660 with the names of POSIX. */
const rockRidge: DiskImage = {
  name: 'ISO 9660 with Rock Ridge',
  programs: ['xorriso'],
  write: (folder, image) => run('xorriso', '-as', 'mkisofs', '-quiet', '-R', '-o', image, folder),
  extract: extractIso('nojoliet'),
};

/** ISO 9660 with the names of Joliet: at most 64 characters, as many as the digits of a SHA-256. */
const joliet: DiskImage = {
  name: 'ISO 9660 with Joliet',
  programs: ['xorriso'],
  write: (folder, image) => run('xorriso', '-as', 'mkisofs', '-quiet', '-J', '-o', image, folder),
  extract: extractIso('norock'),
};

const udf: DiskImage = {
  name: 'UDF',
  programs: ['genisoimage', '7z'],
  write: (folder, image) => run('genisoimage', '-quiet', '-udf', '-o', image, folder),
  extract: (image, folder) => run('7z', 'x', '-tudf', `-o${folder}`, image),
};

/** Filesystems that give every file back under its name. */
export const diskImages: readonly DiskImage[] = [fat32, rockRidge, joliet, udf];

/** ISO 9660 without extensions: names in capitals that are cut. @param level 1: eight characters and three; 3: thirty-one */
export const plainIso = (level: 1 | 3): DiskImage => ({
  name: `ISO 9660 of level ${level} without extensions`,
  programs: ['xorriso'],
  write: (folder, image) =>
    run('xorriso', '-as', 'mkisofs', '-quiet', '-iso-level', `${level}`, '-o', image, folder),
  extract: extractIso('ecma119'),
});

/**
 * Writes folders into an image each, and takes them out again.
 *
 * @param to folders for the images and for the new folders
 * @returns the new folders
 */
export function carryInImages(
  { write, extract }: DiskImage,
  folders: readonly string[],
  to: { readonly images: string; readonly folders: string },
): readonly string[] {
  mkdirSync(to.images);
  return folders.map((folder, i) => {
    const image = join(to.images, `disk-${i + 1}.img`);
    const out = join(to.folders, `disk-${i + 1}`);
    write(folder, image);
    mkdirSync(out);
    extract(image, out);
    return out;
  });
}
