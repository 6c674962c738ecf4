import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, digestHex, toDigest } from '../../../base/digest.ts';
import { writeStateStream } from '../../../disk/atomic-file.ts';
import { FileStream } from '../../../disk/file-stream.ts';
import { openGuardedFile } from '../../../disk/guarded-open.ts';
import { isAbsent } from '../../../disk/is-absent.ts';
import { makeStateFolder } from '../../../disk/make-folder.ts';
import { toReadError } from '../../../disk/read-error.ts';
import { segmentPath } from '../../../store/rest/absent-list.ts';
import { svcError } from '../../../text/error.ts';
import type { SegmentFile } from '../judge-file.ts';

/** A range of the bytes of a blob, and where it can be read. */
export interface Range {
  /** First byte of the blob. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Opens the bytes of the range. */
  readonly open: () => Promise<AsyncIterable<Buffer>>;
}

/** Segments of earlier parts of a delivery, kept in the state until their blobs are complete. */
export interface SegmentSpool {
  /** The kept ranges of a blob, in order. */
  list(digest: Digest): Promise<readonly Range[]>;
  /**
   * Copies a segment of a medium, and hashes it. A segment that is kept already is not copied again.
   *
   * @throws SVC-MED-012 when its bytes have another digest than the medium lists; SVC-STO-002, SVC-STO-004
   */
  keep(root: string, segment: SegmentFile): Promise<void>;
  /** Removes the kept ranges of a blob: it arrived, or its ranges do not belong together. */
  drop(digest: Digest): Promise<void>;
}

/** Opens a segment of a medium. */
export function toRange(root: string, segment: SegmentFile): Range {
  return {
    offset: segment.offset,
    size: segment.size,
    open: async () => {
      const { file, size } = await openGuardedFile(root, segmentPath(segment));
      return new FileStream(file, size);
    },
  };
}

/**
 * Selects ranges that make a blob, from its first to its last byte. The bytes are hashed when the blob is sent: whether
 * ranges of several media belong together shows only then.
 *
 * @param size bytes of the blob
 * @returns undefined while a range is missing
 */
export function joinRanges(ranges: readonly Range[], size: number): readonly Range[] | undefined {
  const chain: Range[] = [];
  let end = 0;
  while (end < size) {
    const next = ranges.find((range) => range.offset === end && range.size > 0 && end + range.size <= size);
    if (next === undefined) return undefined;
    chain.push(next);
    end += next.size;
  }
  return chain;
}

/** @param stateRoot folder of the state; `media/segments` in it is made on the first write */
export function openSegmentSpool(stateRoot: string): SegmentSpool {
  const folderOf = (digest: Digest): string =>
    join(stateRoot, 'media', 'segments', `${digestAlgorithm(digest)}-${digestHex(digest)}`);
  const namesOf = async (digest: Digest): Promise<readonly string[]> => {
    const folder = folderOf(digest);
    return readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw toReadError(error, folder);
    });
  };
  return {
    list: async (digest) => {
      const folder = folderOf(digest);
      return (await namesOf(digest))
        .flatMap((name): Range[] => {
          const [, offset, size] = /^(\d+)-(\d+)$/.exec(name) ?? [];
          if (offset === undefined) return [];
          const open = async () => createReadStream(join(folder, name));
          return [{ offset: Number(offset), size: Number(size), open }];
        })
        .sort((a, b) => a.offset - b.offset);
    },
    keep: async (root, segment) => {
      const name = `${segment.offset}-${segment.size}`;
      if ((await namesOf(segment.digest)).includes(name)) return;
      const folder = folderOf(segment.digest);
      await makeStateFolder(folder);
      await writeStateStream(join(folder, name), hashed(root, segment));
    },
    drop: (digest) => rm(folderOf(digest), { recursive: true, force: true }),
  };
}

/** Remembers where segments are, of media that stay connected. Nothing is copied. */
export function openSegmentShelf(): SegmentSpool {
  const shelf = new Map<Digest, Range[]>();
  return {
    list: async (digest) => shelf.get(digest) ?? [],
    keep: async (root, segment) => {
      const ranges = shelf.get(segment.digest) ?? [];
      shelf.set(segment.digest, [...ranges, toRange(root, segment)]);
    },
    drop: async (digest) => void shelf.delete(digest),
  };
}

/** The bytes of a segment; the last ones only after all had the listed digest. */
async function* hashed(root: string, segment: SegmentFile): AsyncGenerator<Buffer> {
  const algorithm = digestAlgorithm(segment.listed);
  const hash = createHash(algorithm);
  for await (const chunk of await toRange(root, segment).open()) {
    hash.update(chunk);
    yield chunk;
  }
  const actual = toDigest(algorithm, hash);
  if (actual !== segment.listed)
    throw svcError('SVC-MED-012', { path: segmentPath(segment), expected: segment.listed, actual });
}
