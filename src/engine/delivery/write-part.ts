import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openBlobFolder, removeFile } from '../../archive/blob-folder.ts';
import { requireCopied } from '../../archive/require-copied.ts';
import { forEachBounded } from '../../base/concurrency.ts';
import { type Digest, digestAlgorithm, hashBytes } from '../../base/digest.ts';
import { writeFileAtomic } from '../../disk/atomic-file.ts';
import { openGuardedFolder } from '../../disk/guarded-folder.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { makeFolderBelow } from '../../disk/make-folder.ts';
import { lockPlace } from '../../disk/place-lock.ts';
import { readWhole } from '../../disk/plain-file.ts';
import { syncFolder } from '../../disk/sync-folder.ts';
import type { CopyPool } from '../../disk/threads/copy-pool.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import { toWriteError } from '../../disk/write-error.ts';
import { blobPath } from '../../oci/layout.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { absentListPath, formatAbsentBlob, segmentPath } from '../../store/rest/absent-list.ts';
import { type MediumEntry, mediumManifestPath, readMediumHeader } from '../../store/rest/media-manifest.ts';
import { hashWhole } from '../../store/rest/rest-files.ts';
import { unfinishedFolder, writeCarriedStore } from '../../store/rest/write-carried.ts';
import { svcError } from '../../text/error.ts';
import { describePart, listAbsent } from './describe-part.ts';
import { toMediumId } from './identify.ts';
import { formatIdentity, identityPath, inspectTarget } from './inspect-target.ts';
import type { Delivery, WrittenPart } from './model.ts';
import type { PlannedSegment } from './partition.ts';
import { writeProgram } from './program/write-program.ts';
import { readmePath, toReadme } from './readme.ts';

interface WritePartOptions {
  readonly store: Store;
  readonly delivery: Delivery;
  /** From 1. */
  readonly part: number;
  /** Real path of the folder, which exists. */
  readonly path: string;
  /** RFC 3339 UTC; the same for a delivery that is continued. */
  readonly writtenAt: string;
  readonly version: string;
  /** Copies large files; it stops with the signal. */
  readonly pool: CopyPool;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes. For smaller blobs reading them here costs less than another thread. */
const smallBytes = 64 << 10;
/** Files that are copied at once. */
const atOnce = 8;

/**
 * Writes one part of a delivery: a store of its own, which `media.jsonl` completes at the end. Every byte is hashed while it
 * is copied. When this returns, the part is durable and complete, and its disk can leave. An interrupted part is continued;
 * a complete one is left as it is, without notes of the writing.
 *
 * @throws SVC-MED-045 for a folder with anything else, SVC-STO-007 while another process writes there, SVC-SIG-002 and
 *   SVC-STO-001 for damaged or missing content of the store, SVC-MED-048 for a program that changed, SVC-STO-002, SVC-STO-004, SVC-STO-005; the reason of the
 *   signal. Nothing is then called `media.jsonl`.
 */
export async function writePart(options: WritePartOptions): Promise<WrittenPart> {
  const { delivery, part, path } = options;
  const identity = { delivery: delivery.id, part, parts: delivery.parts.length };
  const { signal = new AbortController().signal } = options;
  const isTidy = (): boolean => !existsSync(join(path, identityPath));
  if ((await inspectTarget(path, identity)) === 'complete' && isTidy()) return describeWritten(options, true);
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error, path);
    }
  };
  await guard(makeFolderBelow(path, unfinishedFolder));
  const lock = await lockPlace(path, join(path, '_svc', 'lock'), 'svc media write');
  try {
    // another command may have begun or ended between the look and the lock
    const state = await inspectTarget(path, identity);
    if (state !== 'complete') {
      await guard(removeUnfinished(path));
      if (state === 'new') await writeText(path, identityPath, formatIdentity(identity));
      await writeContent({ ...options, signal });
    }
    const written = await describeWritten(options, state === 'complete');
    await guard(tidy(path));
    return written;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await lock.release();
    await rmdir(join(path, '_svc')).catch(() => {});
  }
}

async function writeContent(options: WritePartOptions & { readonly signal: AbortSignal }): Promise<void> {
  const { store, delivery, part, path, writtenAt, version, pool, signal } = options;
  const planned = delivery.parts[part - 1]!;
  await writeBlobs(options);
  const segments = await writeSegments(options, planned.segments);
  const { program } = delivery;
  const ofProgram = program === undefined ? [] : await writeProgram(path, program, { pool, signal });
  signal.throwIfAborted();
  const absent = listAbsent(delivery, part);
  const isWhole = absent.length === 0 && segments.length === 0;
  const others = [
    ...segments,
    ...ofProgram,
    await writeText(path, readmePath, toReadme(delivery, part)),
    ...(isWhole ? [] : [await writeText(path, absentListPath, absent.map(formatAbsentBlob).join(''))]),
  ];
  const described = describePart(store, delivery, { part, isWhole, others, writtenAt, version });
  await writeCarriedStore(path, described, signal);
}

async function writeBlobs({
  store,
  delivery,
  part,
  path,
  pool,
  signal,
}: WritePartOptions & { readonly signal: AbortSignal }): Promise<void> {
  const contents = [...delivery.content.always, ...delivery.parts[part - 1]!.blobs].map(([digest, size]) => ({
    digest,
    size,
  }));
  const blobs = await openBlobFolder(path, contents, unfinishedFolder, signal);
  for (const stale of blobs.stale) {
    await using folder = await openGuardedFolder(path, dirname(stale));
    await removeFile(folder.pathOf(basename(stale)));
  }
  await forEachBounded(contents, atOnce, async (blob) => {
    signal.throwIfAborted();
    if (blobs.written.has(blob.digest)) return;
    if (blob.size < smallBytes) await blobs.put(blob.digest, await readSmall(store, blob.digest, blob.size));
    else await blobs.takeFile(blob, { root: store.root, path: blobPath(blob.digest) }, pool);
  });
  blobs.written.requireAll();
  await blobs.sync();
}

/** @throws SVC-SIG-002 for other bytes, SVC-STO-001 when it is absent or unreadable */
async function readSmall(store: Store, digest: Digest, size: number): Promise<Buffer> {
  const opened = await openBlob(store, digest);
  try {
    const bytes = await readWhole(opened.file, opened.size);
    const actual = hashBytes(bytes, digestAlgorithm(digest));
    if (actual !== digest || bytes.length !== size)
      throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
    return bytes;
  } finally {
    await opened.file.close();
  }
}

/**
 * Writes the segments of a part. Each blob is hashed whole first: a hash of a segment does not prove the blob.
 *
 * @returns the entries of the segments
 */
async function writeSegments(
  { store, path, pool, signal }: WritePartOptions,
  segments: readonly PlannedSegment[],
): Promise<readonly MediumEntry[]> {
  await rm(join(path, 'segments'), { recursive: true, force: true });
  if (segments.length === 0) return [];
  const digests = [...new Set(segments.map(({ digest }) => digest))];
  const jobs = digests.map((digest) => ({
    path: blobPath(digest),
    algorithm: digestAlgorithm(digest),
    size: store.index.sizeOf(digest) ?? 0,
    digest,
  }));
  await hashFiles(store.root, jobs, {
    onOutcome: ({ digest }, outcome) => {
      if ('detail' in outcome)
        throw svcError('SVC-STO-001', { path: blobPath(digest), detail: outcome.detail });
      const actual = 'digest' in outcome ? outcome.digest : String(outcome.actual);
      if (actual !== digest) throw svcError('SVC-SIG-002', { reference: digest, expected: digest, actual });
    },
    signal,
  });
  const entries: MediumEntry[] = [];
  const folders = new Set<string>();
  for (const [serial, { digest, offset, size }] of segments.entries()) {
    signal?.throwIfAborted();
    const name = segmentPath({ digest, offset });
    const temporary = join(path, unfinishedFolder, `${serial}.segment`);
    const source = { root: store.root, path: blobPath(digest), offset };
    const target = { path: temporary, durable: true };
    const outcome = await pool.copy({ source, size, algorithm: 'sha256', target });
    const own = 'digest' in outcome ? outcome.digest : digest;
    requireCopied(outcome, { digest: own, size }, { source, target: path, unreadable: 'SVC-STO-001' });
    try {
      const folder = join(path, dirname(name));
      await makeFolderBelow(path, dirname(name));
      await rename(temporary, join(path, name));
      folders.add(folder);
    } catch (error) {
      throw toWriteError(error, path);
    }
    entries.push({ path: name, size, digest: own });
  }
  for (const folder of folders) await syncFolder(folder);
  return entries;
}

/** Writes a text file of the medium durably. @returns its entry */
async function writeText(path: string, name: string, text: string): Promise<MediumEntry> {
  const bytes = Buffer.from(text);
  await writeFileAtomic(join(path, name), bytes, {
    mode: 0o644,
    temporaryFolder: join(path, unfinishedFolder),
  });
  return { path: name, size: bytes.length, digest: hashBytes(bytes) };
}

/** Removes what a killed process was writing. */
async function removeUnfinished(path: string): Promise<void> {
  await makeFolderBelow(path, unfinishedFolder);
  await using folder = await openGuardedFolder(path, unfinishedFolder);
  for (const name of await readdir(folder.pathOf('.')))
    await rm(folder.pathOf(name), { recursive: true, force: true });
}

/** Removes the notes of the writing from a complete part. */
async function tidy(path: string): Promise<void> {
  await rm(join(path, unfinishedFolder), { recursive: true, force: true });
  await removeFile(join(path, identityPath)).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}

async function describeWritten(
  { delivery, part, path }: WritePartOptions,
  unchanged: boolean,
): Promise<WrittenPart> {
  const { totals } = await readMediumHeader(path);
  const { digest: manifest } = await hashWhole(join(path, mediumManifestPath));
  return { mediaId: toMediumId(delivery, part), manifest, ...totals, unchanged };
}
