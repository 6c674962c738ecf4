import { existsSync } from 'node:fs';
import { rename, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openBlobFolder } from '../../archive/blob-folder.ts';
import { requireCopied } from '../../archive/require-copied.ts';
import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, hashBytes } from '../../base/digest.ts';
import { settleAll } from '../../base/settle-all.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import { type HeldTree, openHeldTree } from '../../disk/place/held-tree.ts';
import { lockPlace } from '../../disk/place-lock.ts';
import type { CopyPool } from '../../disk/threads/copy-pool.ts';
import type { HashedFile } from '../../disk/threads/hash-file.ts';
import { identifyMoved } from '../../disk/threads/moved-file.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Store } from '../../store/model.ts';
import { ledgerFolder } from '../../store/opening/read-ledgers.ts';
import { absentListPath, formatAbsentBlob, segmentPath } from '../../store/rest/absent-list.ts';
import { programFolder } from '../../store/rest/carried-program.ts';
import { type MediumEntry, mediumManifestPath } from '../../store/rest/media-manifest.ts';
import type { WrittenManifest } from '../../store/rest/rest-files.ts';
import { unfinishedFolder, writeCarriedStore } from '../../store/rest/write-carried.ts';
import { describePart, listAbsent } from './describe-part.ts';
import { openRangeHashes, type RangeHashes } from './hash-ranges.ts';
import { toMediumId } from './identify.ts';
import { formatIdentity, identityPath, inspectTarget } from './inspect-target.ts';
import { type Delivery, smallBytes, type WrittenPart } from './model.ts';
import type { PlannedSegment } from './partition.ts';
import { writeProgram } from './program/write-program.ts';
import { readKept } from './read-kept.ts';
import { readmePath, toReadme } from './readme.ts';
import { openSmallBlobs, type ReadSmallBlob } from './small-blobs.ts';

interface WritePartOptions {
  readonly store: Store;
  readonly delivery: Delivery;
  /** From 1. */
  readonly part: number;
  /** Real path of the folder, which exists. */
  readonly path: string;
  /** Digest of the `media.jsonl` that this source wrote for the part, if it did. */
  readonly known?: Digest | undefined;
  /** Deliveries of this source that cannot be completed: their unfinished parts are written over. */
  readonly broken?: ReadonlySet<string> | undefined;
  /** Called before anything of the folder changes: signatures of its former content are withdrawn. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** RFC 3339 UTC; the same for a delivery that is continued. */
  readonly writtenAt: string;
  readonly version: string;
  /** Hashes the segments of all parts. Default: those of this part are hashed alone. */
  readonly ranges?: RangeHashes | undefined;
  /** Reads the small blobs of all parts. Default: those of this part are read alone. */
  readonly small?: ReadSmallBlob | undefined;
  /** Copies large files; it stops with the signal. */
  readonly pool: Pick<CopyPool, 'copy' | 'writeSmall' | 'concurrency'>;
  /** Called when the last large files wait for threads, or are copied: another part can begin before threads are idle. */
  readonly onCopied?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Small files that one request writes, and requests at once: other files of the program wait behind them. */
const batch = { files: 16, requests: 4 } as const;

/**
 * Writes one part of a delivery: a store of its own, which `media.jsonl` completes at the end. Large blobs and segments are
 * hashed once: as the disk returns them. Where it returns other bytes, the source is hashed too. A damaged source ends the
 * writing. A damaged disk is left to the proof. All other bytes are hashed while they are copied. When this returns, the
 * part is durable and complete, and its disk can leave. An interrupted part is continued. A complete one is left as it is,
 * without notes of the writing, where its bytes are those that this source wrote: disks leave, and come back from other
 * hands. Any other one is written again in place.
 *
 * @throws SVC-MED-045 for a folder with anything else, SVC-STO-007 while another process writes there, SVC-SIG-002 and
 *   SVC-STO-001 for damaged or missing content of the store, SVC-MED-048 for a program that changed, SVC-STO-002,
 *   SVC-STO-004, SVC-STO-005; the reason of the signal. Nothing is then called `media.jsonl`.
 */
export async function writePart(options: WritePartOptions): Promise<WrittenPart> {
  const { delivery, part, path } = options;
  const identity = { delivery: delivery.id, part, parts: delivery.parts.length };
  const { signal = new AbortController().signal } = options;
  const isTidy = (): boolean => !existsSync(join(path, identityPath));
  let damaged: readonly string[] | undefined;
  const findKept = async (state: string): Promise<WrittenPart | undefined> => {
    const kept = state === 'complete' ? await readKept(path, options.known, signal) : undefined;
    damaged = kept?.damaged ?? damaged;
    if (kept === undefined || kept.damaged !== undefined) return undefined;
    return { mediaId: toMediumId(delivery, part), manifest: options.known!, ...kept, unchanged: true };
  };
  const before = await findKept(await inspectTarget(path, identity, options.broken));
  if (before !== undefined && isTidy()) return before;
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error, path);
    }
  };
  await using tree = await openHeldTree(path);
  await guard(tree.folder(unfinishedFolder));
  const lock = await lockPlace(path, await tree.pathOf('_svc/lock'), 'svc media write');
  try {
    // another command may have begun or ended between the look and the lock
    const state = await inspectTarget(path, identity, options.broken);
    let written = await findKept(state);
    if (written === undefined) {
      await options.beforeChange?.();
      await guard(removeUnfinished(tree));
      if (state !== 'unfinished') await writeText(tree, identityPath, formatIdentity(identity));
      await guard(removeForeign(options, tree));
      const { manifest, totals, readBack } = await writeContent({ ...options, tree, signal });
      const mended = damaged === undefined ? {} : { damaged };
      written = {
        mediaId: toMediumId(delivery, part),
        manifest,
        ...totals,
        unchanged: false,
        ...mended,
        readBack,
      };
    }
    await guard(tidy(tree));
    await tree.requireInPlace();
    return written;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await lock.release();
    await rmdir(await tree.pathOf('_svc')).catch(() => {});
  }
}

/** A part that is being written. */
type Writing = WritePartOptions & { readonly tree: HeldTree; readonly signal: AbortSignal };

async function writeContent(options: Writing): Promise<WrittenManifest & Pick<WrittenPart, 'readBack'>> {
  const { store, delivery, part, tree, writtenAt, version, pool, onCopied, signal } = options;
  const planned = delivery.parts[part - 1]!;
  const { program } = delivery;
  const hasMore = planned.segments.length > 0 || program !== undefined;
  const readBack = new Map<string, HashedFile>();
  await writeBlobs(hasMore ? { ...options, onCopied: undefined } : options, readBack);
  const segments = await writeSegments(options, planned.segments, readBack);
  const ofProgram =
    program === undefined ? [] : await writeProgram(tree, program, { pool, readBack, signal });
  onCopied?.();
  signal.throwIfAborted();
  const absent = listAbsent(delivery, part);
  const isWhole = absent.length === 0 && segments.length === 0;
  const others = [
    ...segments,
    ...ofProgram,
    await writeText(tree, readmePath, toReadme(delivery, part)),
    ...(isWhole ? [] : [await writeText(tree, absentListPath, absent.map(formatAbsentBlob).join(''))]),
  ];
  const described = describePart(store, delivery, { part, isWhole, others, writtenAt, version });
  return { ...(await writeCarriedStore(tree, described, signal)), readBack };
}

/** @param readBack receives the blobs that were read back from the disk, and that have their digests */
async function writeBlobs(
  { store, delivery, part, tree, pool, onCopied, signal, small = openSmallBlobs(store) }: Writing,
  readBack: Map<string, HashedFile>,
): Promise<void> {
  const contents = [...delivery.content.always, ...delivery.parts[part - 1]!.blobs].map(([digest, size]) => ({
    digest,
    size,
  }));
  const blobs = await openBlobFolder(tree, contents, unfinishedFolder, signal);
  for (const stale of blobs.stale) await tree.remove(stale);
  for (const file of blobs.kept) readBack.set(blobPath(file.digest), file);
  const left = contents.filter(({ digest }) => !blobs.written.has(digest));
  const isSmall = ({ size }: { readonly size: number }): boolean => size < smallBytes;
  // a small file waits for its disk, which writes large ones meanwhile
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const writeEach = <T>(
    chosen: readonly T[],
    limit: number,
    write: (blob: T) => Promise<void>,
    onLast?: () => void,
  ): Promise<void> =>
    forEachBounded(chosen, limit, async (blob, i) => {
      try {
        either.throwIfAborted();
        if (i === Math.max(0, chosen.length - 2 * limit)) onLast?.();
        await write(blob);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    });
  await settleAll([
    writeEach(inBatches(left.filter(isSmall)), batch.requests, async (some) => {
      const files: { readonly digest: Digest; readonly bytes: Buffer }[] = [];
      for (const { digest, size } of some) files.push({ digest, bytes: await small(digest, size) });
      for (const [i, identity] of (await blobs.putAndReadBack(files, pool)).entries()) {
        const { digest, bytes } = files[i]!;
        if (identity !== undefined) readBack.set(blobPath(digest), { digest, identity, bytes });
      }
    }),
    writeEach(
      // the largest files first, so that all threads finish at about the same time
      left.filter((blob) => !isSmall(blob)).sort((a, b) => b.size - a.size),
      pool.concurrency,
      async (blob) => {
        const source = { root: store.root, path: blobPath(blob.digest) };
        const identity = await blobs.takeAndReadBack(blob, source, pool);
        if (identity !== undefined) readBack.set(source.path, { digest: blob.digest, identity });
      },
      onCopied,
    ),
  ]);
  blobs.written.requireAll();
  await blobs.sync();
}

function inBatches<T>(files: readonly T[]): readonly T[][] {
  const batches: T[][] = [];
  for (let i = 0; i < files.length; i += batch.files) batches.push(files.slice(i, i + batch.files));
  return batches;
}

/**
 * Writes the segments of a part. Each blob is hashed whole first: a hash of a segment does not prove the blob.
 *
 * @param readBack receives the segments that were read back from the disk, and that have their digests
 * @returns the entries of the segments
 */
async function writeSegments(
  { store, delivery, path, tree, pool, signal, ranges = openRangeHashes(store, delivery) }: Writing,
  segments: readonly PlannedSegment[],
  readBack: Map<string, HashedFile>,
): Promise<readonly MediumEntry[]> {
  await tree.remove('segments');
  if (segments.length === 0) return [];
  const digestOf = await ranges(
    segments.map(({ digest }) => digest),
    signal,
  );
  const write = async (segment: PlannedSegment, serial: number): Promise<MediumEntry> => {
    signal.throwIfAborted();
    const { offset, size } = segment;
    const digest = digestOf(segment);
    const name = segmentPath(segment);
    const temporary = await tree.pathOf(`${unfinishedFolder}/${serial}.segment`);
    const source = { root: store.root, path: blobPath(segment.digest), offset };
    const target = { path: temporary, durable: true, expected: digest };
    const outcome = await pool.copy({ source, size, algorithm: 'sha256', target });
    requireCopied(outcome, { digest, size }, { source, target: path, unreadable: 'SVC-STO-001' });
    try {
      const final = await tree.pathOf(name);
      await rename(temporary, final);
      const found = 'digest' in outcome ? outcome.readBack : undefined;
      const identity = found && (await identifyMoved(final, found));
      if (identity !== undefined) readBack.set(name, { digest, identity });
    } catch (error) {
      throw toWriteError(error, path);
    }
    return { path: name, size, digest };
  };
  const folders = new Set(segments.map((one) => dirname(segmentPath(one))));
  for (const folder of folders) await tree.folder(folder);
  const entries: MediumEntry[] = [];
  await forEachBounded(segments, pool.concurrency, async (segment, serial) => {
    entries[serial] = await write(segment, serial);
  });
  for (const folder of folders) await (await tree.folder(folder)).sync();
  return entries;
}

/** Writes a text file of the medium durably. @returns its entry */
async function writeText(tree: HeldTree, name: string, text: string): Promise<MediumEntry> {
  const bytes = Buffer.from(text);
  await writeFileAtomic(await tree.pathOf(name), bytes, {
    mode: 0o644,
    temporaryFolder: (await tree.folder(unfinishedFolder)).pathOf(''),
  });
  return { path: name, size: bytes.length, digest: hashBytes(bytes) };
}

/** Removes the unfinished files of a killed process. */
async function removeUnfinished(tree: HeldTree): Promise<void> {
  const folder = await tree.folder(unfinishedFolder);
  for (const name of await folder.list()) await folder.remove(name);
}

/** Removes the notes of the writing from a complete part. */
async function tidy(tree: HeldTree): Promise<void> {
  await tree.remove(unfinishedFolder);
  await tree.remove(identityPath);
}

/** Removes the manifest of a part, and from its own folders the files that the writing would not replace. */
async function removeForeign({ delivery }: WritePartOptions, tree: HeldTree): Promise<void> {
  const algorithms: readonly string[] = ['sha256', 'sha512'];
  const hasBlobs = (await (await tree.folder('')).list()).includes('blobs');
  const blobs = hasBlobs ? await (await tree.folder('blobs')).list() : [];
  for (const name of [
    mediumManifestPath,
    absentListPath,
    ledgerFolder,
    ...(delivery.program === undefined ? [programFolder] : []),
    ...blobs.filter((one) => !algorithms.includes(one)).map((one) => `blobs/${one}`),
  ])
    await tree.remove(name);
}
