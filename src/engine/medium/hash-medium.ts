import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, digestAlgorithm } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import {
  type HashedFile,
  type HashJob,
  type HashOutcome,
  isUnchanged,
  keptBytes,
} from '../../disk/threads/hash-file.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import { type HashThreads, startHashThreadsBeside } from '../../disk/threads/hash-threads.ts';
import type { MediumEntry } from '../../store/rest/media-manifest.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { type Listing, toBlobDigest } from './inventory.ts';
import { leaveUnread } from './leave-unread.ts';

const smallMedium = 8 << 20;

/** Progress of reading, in files and bytes. */
export interface HashProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/**
 * Hashes every listed file once, in several threads, except for files that {@link leaveUnread} selects, and for those that
 * were read back.
 *
 * @param root real path of the medium
 * @returns one outcome for each listed file
 * @throws SVC-STO-007 when a file changes or is removed meanwhile; the signal's reason
 */
export async function hashListed(
  root: string,
  entries: ReadonlyMap<string, MediumEntry>,
  { files, special }: Listing,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress: (at: HashProgress) => void;
    /** Default: one for a small medium, else as many as there are processors. */
    readonly threads?: HashThreads | undefined;
    /** As of `startReading`. */
    readonly readBack?: ReadonlyMap<string, HashedFile> | undefined;
  },
): Promise<ReadonlyMap<string, HashOutcome>> {
  const { signal, onProgress, readBack } = options;
  const sizes = new Map([...files].map((path) => [path, entries.get(path)!.size]));
  const outcomes = await leaveUnread(root, sizes);
  const sum = (paths: readonly string[]): number => paths.reduce((all, path) => all + sizes.get(path)!, 0);
  const left = [...files].filter((path) => !outcomes.has(path));
  await takeReadBack(root, left, { entries, readBack, outcomes, signal });
  const readable = left.filter((path) => !outcomes.has(path));
  const [totalBytes, toRead] = [sum(left), sum(readable)];
  const reportProgress = (bytes: number) =>
    onProgress({
      ...{ files: outcomes.size, totalFiles: files.size, totalBytes },
      bytes: totalBytes - toRead + bytes,
    });
  // the largest files first, so that all threads finish at about the same time
  const inOrder = readable.sort((a, b) => sizes.get(b)! - sizes.get(a)!);
  function* toJobs(): Generator<HashJob> {
    let room: number = keptBytes.all;
    for (const path of inOrder) {
      const { size, digest } = entries.get(path)!;
      const named = toBlobDigest(path);
      const keep = named !== undefined && size <= Math.min(keptBytes.file, room);
      if (keep) room -= size;
      yield { path, size, algorithm: digestAlgorithm(named ?? digest), keep };
    }
  }
  reportProgress(0);
  const bytes = await hashFiles(root, toJobs(), {
    signal,
    ...toThreads(toRead, options),
    onBytes: reportProgress,
    onOutcome: ({ path }, outcome) => {
      if ('problem' in outcome && (outcome.problem === 'changed' || outcome.problem === 'missing'))
        throw svcError('SVC-STO-007', { path, problem: 'changed' });
      const { digest } = entries.get(path)!;
      // reuse the string of the manifest instead of keeping another copy in memory
      const isSame = 'digest' in outcome && outcome.digest === digest;
      outcomes.set(path, isSame ? { ...outcome, digest } : outcome);
    },
  });
  reportProgress(bytes);
  for (const path of special)
    outcomes.set(path, {
      problem: 'unreadable',
      detail: rule(['not a regular file', fr`pas un fichier ordinaire`]),
    });
  return outcomes;
}

/**
 * Starting a thread takes longer than reading a small medium. One that this process has just written is in the kernel's cache,
 * and this thread does not wait for a disk.
 */
function toThreads(
  toRead: number,
  { threads, readBack }: Pick<Parameters<typeof hashListed>[3], 'threads' | 'readBack'>,
): { readonly threads?: HashThreads | number } {
  if (threads !== undefined) return { threads };
  if (toRead >= smallMedium) return {};
  return { threads: readBack === undefined ? 1 : startHashThreadsBeside(1) };
}

/** Adds the outcomes of files that were hashed before, where their files are the same. @throws the signal's reason */
async function takeReadBack(
  root: string,
  paths: readonly string[],
  {
    entries,
    readBack,
    outcomes,
    signal,
  }: {
    readonly entries: ReadonlyMap<string, MediumEntry>;
    readonly readBack: ReadonlyMap<string, HashedFile> | undefined;
    readonly outcomes: Map<string, HashOutcome>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  if (!readBack?.size) return;
  const pacer = new Pacer();
  for (const path of paths) {
    const file = findReadBack(root, path, toBlobDigest(path) ?? entries.get(path)!.digest, readBack);
    if (file !== undefined) outcomes.set(path, file);
    if (!pacer.isDue()) continue;
    await pacer.rest();
    signal?.throwIfAborted();
  }
}

/** Returns a file as it was read back, where it had the digest and is still the same. */
export function findReadBack(
  root: string,
  path: string,
  digest: Digest,
  readBack: ReadonlyMap<string, HashedFile>,
): HashedFile | undefined {
  const file = readBack.get(path);
  const info = file?.digest === digest ? statFile(root, path) : undefined;
  return info && isUnchanged(info, file!.identity) ? file : undefined;
}

/** Returns the files as they were hashed, with bytes of small ones: of each file that is still the one that was hashed. */
export function selectUnchanged(
  root: string,
  outcomes: ReadonlyMap<string, HashOutcome>,
): (path: string) => HashOutcome | undefined {
  return (path) => {
    const outcome = outcomes.get(path);
    if (outcome === undefined || 'problem' in outcome || !outcome.bytes) return undefined;
    const info = statFile(root, path);
    return info && isUnchanged(info, outcome.identity) ? outcome : undefined;
  };
}

/** Status of a file; undefined when it cannot be read. */
export function statFile(root: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(join(root, path), { bigint: true });
  } catch {
    return undefined;
  }
}

/**
 * Compares the status of every hashed file with that before it was hashed. There is no lock on a medium, and
 * a verdict must describe one state.
 *
 * @throws SVC-STO-007 with the path of a changed file; the signal's reason
 */
export async function requireUnchanged(
  root: string,
  outcomes: ReadonlyMap<string, HashOutcome>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pacer = new Pacer();
  for (const [path, outcome] of outcomes) {
    if (!('identity' in outcome)) continue;
    const info = statFile(root, path);
    if (!info || !isUnchanged(info, outcome.identity))
      throw svcError('SVC-STO-007', { path, problem: 'changed' });
    if (!pacer.isDue()) continue;
    await pacer.rest();
    signal?.throwIfAborted();
  }
}
