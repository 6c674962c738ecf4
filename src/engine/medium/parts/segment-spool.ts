import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { lstat, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyedSerial } from '../../../base/concurrency.ts';
import { type Digest, digestAlgorithm, digestHex, toDigest } from '../../../base/digest.ts';
import { writeStateStream } from '../../../disk/atomic-file.ts';
import { FileStream } from '../../../disk/file-stream.ts';
import { isAbsent } from '../../../disk/is-absent.ts';
import { makeStateFolder } from '../../../disk/make-folder.ts';
import { openPlain } from '../../../disk/plain-file.ts';
import { toReadError } from '../../../disk/read-error.ts';
import { inspectVolume, type Volume } from '../../../disk/volume.ts';
import { toWriteError } from '../../../disk/write-error.ts';
import { segmentPath } from '../../../store/rest/absent-list.ts';
import { svcError } from '../../../text/error.ts';
import { toPeerName } from '../../../zone/delivery-record.ts';
import { judgeVolume } from '../../sync/preflight/judge-volume.ts';
import type { SegmentFile } from '../judge-file.ts';
import { openSizedFile } from '../read-file.ts';

/** The part of a delivery that a segment is from. */
export interface Origin {
  readonly delivery: string;
  /** From 1. */
  readonly part: number;
  /** The peer whose passport vouched for it, if one did; of a kept range, in the form of {@link toKeeper}. */
  readonly peer?: string | undefined;
}

/** The peer of a kept range, as the name of its file has it. */
export const toKeeper = (peer: string | undefined): string | undefined =>
  peer === undefined ? undefined : toPeerName(peer);

/** A range of the bytes of a blob, and where it can be read. */
export interface Range {
  /** First byte of the blob. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** The part that brought a kept range. */
  readonly origin?: Origin | undefined;
  /** Opens the bytes of the range. */
  readonly open: () => Promise<AsyncIterable<Buffer>>;
}

/** Segments of earlier parts of a delivery, kept in the state until their blobs are complete. */
export interface SegmentSpool {
  /**
   * The kept ranges of a blob that a medium may use, in order; of several at one place, first one for which a passport vouched.
   * Files that are cut short, or no files, are left out.
   *
   * @param peer the peer whose passport vouches for the medium: ranges of other peers are left out. Default: all are used
   */
  list(digest: Digest, peer?: string): Promise<readonly Range[]>;
  /**
   * Copies segments of one blob from a medium, and hashes them. The volume must have room for all of them before the first one is
   * copied. A segment that is kept already is not copied again; one of other bytes for the same range is replaced, unless another
   * peer vouched for it. Beside one that a passport vouched for, none without is kept.
   *
   * @param blob its bytes in whole
   * @param origin the part that brings them, if it is one of a delivery
   * @throws SVC-MED-012 when the bytes of one have another digest than the medium lists; SVC-STO-002, SVC-STO-004, SVC-STO-005
   */
  keep(
    root: string,
    segments: readonly SegmentFile[],
    blob: { readonly digest: Digest; readonly size: number },
    origin?: Origin,
  ): Promise<void>;
  /**
   * Removes the kept ranges of a blob: it arrived, or its ranges do not belong together.
   *
   * @param range this one alone
   * @throws SVC-STO-002
   */
  drop(digest: Digest, range?: Range): Promise<void>;
}

/** Opens a segment of a medium. `open` throws SVC-MED-011 where its file has another size than the medium lists. */
export function toRange(root: string, segment: SegmentFile): Range {
  return {
    offset: segment.offset,
    size: segment.size,
    open: () => openSizedFile(root, segmentPath(segment), segment.size),
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
  const first = new Map<number, Range>();
  for (const range of ranges)
    if (range.size > 0 && range.offset + range.size <= size && !first.has(range.offset))
      first.set(range.offset, range);
  let end = 0;
  while (end < size) {
    const next = first.get(end);
    if (next === undefined) return undefined;
    chain.push(next);
    end += next.size;
  }
  return chain;
}

/**
 * Finds the range of a delivery that does not fit: without it, the others leave exactly one gap, of its size. Pure.
 *
 * @param size bytes of the blob
 * @returns undefined when the ranges only have gaps, or when more than one can be wrong
 */
export function findMisfit(ranges: readonly Range[], delivery: string, size: number): Range | undefined {
  const own = ranges.filter(({ origin }) => origin?.delivery === delivery);
  const isOdd = (one: Range): boolean => {
    let [end, gap] = [0, 0];
    for (const { offset, size: bytes } of [
      ...own.filter((other) => other !== one),
      { offset: size, size: 0 },
    ]) {
      if (offset < end || (offset > end && gap > 0)) return false;
      if (offset > end) {
        if (offset - end !== one.size || end === one.offset) return false;
        gap = offset - end;
      }
      end = offset + bytes;
    }
    return gap > 0 && end === size;
  };
  const odd = own.filter(isOdd);
  return odd.length === 1 ? odd[0] : undefined;
}

/** The name of a kept range: its first byte, its bytes, its digest, and the part that brought it. */
const keptName = /^(\d+)-(\d+)-[0-9a-f]+(?:-(dlv_[0-9a-f]{12})-(\d+)(?:-([0-9a-f]{16}))?)?$/;

/** The peer in the name of a kept range; undefined without a passport. */
const keeperOf = (name: string): string | undefined => keptName.exec(name)?.[5];

/** Kept segments of one blob, of one peer or without a passport, take at most this many times its size. */
const mostCopies = 2;

/**
 * @param stateRoot folder of the state; `media/segments` in it is made on the first write
 * @param inspect inspects the volume of the state
 */
export function openSegmentSpool(
  stateRoot: string,
  inspect: (path: string) => Promise<Volume> = inspectVolume,
): SegmentSpool {
  // recipes that are imported at the same time can share a blob
  const serial = new KeyedSerial();
  const folderOf = (digest: Digest): string =>
    join(stateRoot, 'media', 'segments', `${digestAlgorithm(digest)}-${digestHex(digest)}`);
  const namesOf = async (digest: Digest): Promise<readonly string[]> => {
    const folder = folderOf(digest);
    try {
      if (!hasFolder(folder)) return [];
      return await readdir(folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw toReadError(error, folder);
    }
  };
  return {
    list: async (digest, peer) => {
      const folder = folderOf(digest);
      const own = toKeeper(peer);
      const ranges: Range[] = [];
      for (const name of await namesOf(digest)) {
        const [, offset, bytes, delivery, part, keeper] = keptName.exec(name) ?? [];
        const size = Number(bytes);
        if (offset === undefined || !(await isKept(join(folder, name), size))) continue;
        if (own !== undefined && keeper !== undefined && keeper !== own) continue;
        const open = async () => new FileStream(await openPlain(join(folder, name)), size);
        const origin = delivery === undefined ? undefined : { delivery, part: Number(part), peer: keeper };
        ranges.push({ offset: Number(offset), size, origin, open });
      }
      const rank = ({ origin }: Range): number => (origin?.peer === undefined ? 1 : 0);
      return ranges.sort((a, b) => a.offset - b.offset || rank(a) - rank(b));
    },
    keep: (root, segments, { digest, size: blobSize }, origin) =>
      serial.run([digest], async () => {
        const keeper = toKeeper(origin?.peer);
        const from =
          origin === undefined ? '' : `-${origin.delivery}-${origin.part}${keeper ? `-${keeper}` : ''}`;
        const folder = folderOf(digest);
        const toRangeName = ({ offset, size }: SegmentFile): string => `${offset}-${size}-`;
        const toPath = (one: SegmentFile): string =>
          join(folder, `${toRangeName(one)}${digestHex(one.listed)}${from}`);
        const left: SegmentFile[] = [];
        for (const one of segments) if (!(await isKept(toPath(one), one.size))) left.push(one);
        if (left.length === 0) return;
        const needed = left.reduce((sum, { size }) => sum + size, 0);
        const others = await namesOf(digest);
        if (keeper === undefined && others.some((one) => keeperOf(one) !== undefined)) return;
        try {
          for (const place of [dirname(folder), folder]) await clearPlace(place);
          await makeStateFolder(folder);
          // cuts of other writers do not belong together, and would fill the volume
          const own = others.filter((other) => keeperOf(other) === keeper);
          const isFull = (await sumKept(folder, own)) + needed > mostCopies * blobSize;
          // a damaged one, one of other bytes, and an unfinished one of a killed import
          const isReplaced = (other: string): boolean =>
            left.some((one) => other.startsWith(toRangeName(one))) &&
            (keeperOf(other) === undefined || keeperOf(other) === keeper);
          for (const other of others)
            if (isReplaced(other) || (isFull && own.includes(other)))
              await rm(join(folder, other), { recursive: true, force: true });
        } catch (error) {
          throw toWriteError(error, folder, { place: 'state' });
        }
        const volume = await inspect(folder);
        const largestFileBytes = Math.max(...left.map(({ size }) => size));
        const demand = {
          target: 'state',
          path: folder,
          volume,
          neededBytes: needed,
          largestFileBytes,
        } as const;
        const { refusal } = judgeVolume({ ...demand, folderEntries: 0 }, 0);
        if (refusal !== undefined) throw refusal;
        for (const one of left) await writeStateStream(toPath(one), hashed(root, one), one.size);
      }),
    drop: (digest, range) =>
      serial.run([digest], async () => {
        const folder = folderOf(digest);
        const isDropped = (name: string): boolean =>
          range === undefined ||
          (name.startsWith(`${range.offset}-${range.size}-`) && keeperOf(name) === range.origin?.peer);
        try {
          if (!hasFolder(folder)) return;
          const names = await namesOf(digest);
          const left = names.filter((name) => !isDropped(name));
          if (left.length === 0) await rm(folder, { recursive: true, force: true });
          else for (const name of names.filter(isDropped)) await rm(join(folder, name), { force: true });
        } catch (error) {
          if (!isAbsent(error)) throw toWriteError(error, folder, { place: 'state' });
        }
      }),
  };
}

/** Most blobs have none: this look takes microseconds, and a failed reading of a folder a hundred times as long. */
const hasFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Removes a file from the place of a folder. A folder is never removed: another import can have made it meanwhile. */
async function clearPlace(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return;
  await unlink(path).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

/** Removes all kept segments: no delivery waits for other ones. @param stateRoot folder of the state */
export async function dropSegments(stateRoot: string): Promise<void> {
  await rm(join(stateRoot, 'media', 'segments'), { recursive: true, force: true });
}

/** Bytes of files of a folder. */
async function sumKept(folder: string, names: readonly string[]): Promise<number> {
  let sum = 0;
  for (const name of names) sum += (await lstat(join(folder, name))).size;
  return sum;
}

/** Whether a file has this size. */
async function isKept(path: string, size: number): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile() && found.size === size,
    () => false,
  );
}

/** Remembers where segments are, of media that stay connected. Nothing is copied. */
export function openSegmentShelf(): SegmentSpool {
  const shelf = new Map<Digest, Range[]>();
  return {
    list: async (digest) => shelf.get(digest) ?? [],
    keep: async (root, segments, { digest }, origin) => {
      // media of one proof are of one writer
      const from = origin && { ...origin, peer: undefined };
      const added = segments.map((one) => ({ ...toRange(root, one), origin: from }));
      const ranges = [...(shelf.get(digest) ?? []), ...added];
      shelf.set(
        digest,
        ranges.sort((a, b) => a.offset - b.offset),
      );
    },
    drop: async (digest, range) => {
      const left = range === undefined ? [] : (shelf.get(digest) ?? []).filter((one) => one !== range);
      if (left.length > 0) shelf.set(digest, left);
      else shelf.delete(digest);
    },
  };
}

/** Reads a segment of a medium again. @throws SVC-MED-011, SVC-MED-012 when it is not as listed */
export async function requireListed(root: string, segment: SegmentFile): Promise<void> {
  for await (const _ of hashed(root, segment));
}

/** The bytes of a segment; the last ones only after all had the listed digest. */
async function* hashed(root: string, segment: SegmentFile): AsyncGenerator<Buffer> {
  const algorithm = digestAlgorithm(segment.listed);
  const hash = createHash(algorithm);
  const path = segmentPath(segment);
  let actualSize = 0;
  for await (const chunk of await toRange(root, segment).open()) {
    actualSize += chunk.length;
    // it grows while it is read
    if (actualSize > segment.size)
      throw svcError('SVC-MED-011', { path, expected: segment.size, actual: actualSize });
    hash.update(chunk);
    yield chunk;
  }
  const actual = toDigest(algorithm, hash);
  if (actual !== segment.listed) throw svcError('SVC-MED-012', { path, expected: segment.listed, actual });
}
