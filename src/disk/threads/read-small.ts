import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, digestHex } from '../../base/digest.ts';
import { liesAt } from '../lies-at.ts';

/** A file to be read whole. */
export interface SmallFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** Files in one memory, which a thread passes on without copying. */
export interface SmallFiles {
  /** The contents, one behind the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each file that was asked for, whether its content is there. */
  readonly found: readonly boolean[];
}

/**
 * Reads files below a root whole, through no link. Only content that has its digest is returned: whatever else is wrong with a
 * file, another reading finds out and reports. Reads synchronously: call it in a thread.
 *
 * @param root real path of the root
 */
export function readSmallFiles(root: string, files: readonly SmallFile[]): SmallFiles {
  const bytes = new Uint8Array(files.reduce((sum, { size }) => sum + size, 0));
  let filled = 0;
  const found = files.map((file) => {
    const place = bytes.subarray(filled, filled + file.size);
    if (!readInto(place, join(root, file.path), file.digest)) return false;
    filled += file.size;
    return true;
  });
  return { bytes, found };
}

/** @returns whether a regular file of exactly this size and digest was read */
function readInto(place: Uint8Array, path: string, digest: Digest): boolean {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    const info = fstatSync(fd);
    if (!info.isFile() || info.size !== place.length || !liesAt(fd, path)) return false;
    const count = place.length === 0 ? 0 : readSync(fd, place, 0, place.length, null);
    return count === place.length && hash(digestAlgorithm(digest), place, 'hex') === digestHex(digest);
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}
