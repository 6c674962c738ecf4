import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { isAbsent } from '../../disk/is-absent.ts';
import { svcError } from '../../text/error.ts';
import { isIndexWork } from '../index-work.ts';
import { isUnsignedFile } from './is-unsigned-file.ts';
import type { PackageTree } from './model.ts';
import type { ReadAt } from './read-at.ts';
import { isWholeDeb } from './whole-deb.ts';
import { isWholeRpm } from './whole-rpm.ts';

/** Decompresses a file that the runtime cannot. @returns undefined when it cannot be decompressed here either */
type Unpack = (path: string) => AsyncIterable<Buffer> | undefined;

/**
 * Opens a folder to check its package repositories. Links are followed inside the folder only. Files used only for
 * making an index are left out.
 *
 * @param root real path of the folder
 * @param unpackXz decompresses a file of xz, for which the runtime has no decoder
 */
export async function openPackageTree(root: string, unpackXz: Unpack): Promise<PackageTree> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const toPath = ({ parentPath, name }: (typeof entries)[number]): string =>
    join(parentPath, name)
      .slice(root.length + 1)
      .split(sep)
      .join('/');
  const links = new Set(entries.filter((entry) => entry.isSymbolicLink()).map(toPath));
  const paths = [...entries.filter((entry) => entry.isFile()).map(toPath), ...links]
    .filter((path) => !isIndexWork(path.split('/', 1)[0]!))
    .sort();
  const resolve = async (path: string): Promise<string | undefined> => {
    try {
      const real = await realpath(join(root, path));
      return real.startsWith(`${root}${sep}`) && (await stat(real)).isFile() ? real : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  };
  const locate = async (path: string): Promise<string> => {
    const real = await resolve(path);
    if (real !== undefined) return real;
    throw svcError('SVC-FIL-005', { path: join(root, path), absent: join(root, path) });
  };
  return {
    paths,
    links,
    sizeOf: async (path) => {
      const real = await resolve(path);
      return real === undefined ? undefined : (await stat(real)).size;
    },
    hash: async (path, algorithm) => {
      const hash = createHash(algorithm);
      for await (const chunk of createReadStream(await locate(path))) hash.update(chunk as Buffer);
      return hash.digest('hex');
    },
    modifiedAt: async (path) => (await stat(await locate(path))).mtimeMs,
    isUnsigned: async (path) => isUnsignedFile(await locate(path)),
    isWhole: async (path) => isWholeFile(await locate(path)),
    read: async (path) => {
      const real = await locate(path);
      if (path.endsWith('.xz')) return unpackXz(real);
      if (/\.(?:bz2|lzma|lz4)$/.test(path)) return undefined;
      const file = createReadStream(real);
      if (path.endsWith('.gz')) return through(file, createGunzip());
      if (path.endsWith('.zst')) return through(file, createZstdDecompress());
      return file as AsyncIterable<Buffer>;
    },
  };
}

function through(
  file: ReturnType<typeof createReadStream>,
  stage: ReturnType<typeof createGunzip>,
): AsyncIterable<Buffer> {
  file.on('error', (error) => stage.destroy(error));
  stage.on('close', () => file.destroy());
  return file.pipe(stage) as AsyncIterable<Buffer>;
}

/**
 * Whether a package of apt or rpm ends where its headers say. Reads headers only: other bytes inside are not noticed.
 *
 * @throws the errors of the disk
 */
async function isWholeFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read: ReadAt = async (position, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    return await (path.endsWith('.rpm') ? isWholeRpm : isWholeDeb)(read, size);
  } finally {
    await file.close();
  }
}
