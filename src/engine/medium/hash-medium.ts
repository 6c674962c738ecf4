import { type BigIntStats, lstatSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { digestAlgorithm } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { Pacer } from '../../base/pacer.ts';
import { type HashJob, type HashOutcome, isUnchanged } from '../../disk/threads/hash-file.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import type { HashThreads } from '../../disk/threads/hash-threads.ts';
import type { MediumEntry } from '../../store/rest/media-manifest.ts';
import { type Listing, toBlobDigest } from './inventory.ts';

const smallMedium = 8 << 20;
/** Documents are small, and judged by the very bytes that were hashed; what is more is read again. */
const kept = { fileBytes: 64 << 10, bytes: 16 << 20 } as const;

const tooLarge: HashOutcome = {
  problem: 'unreadable',
  detail: 'recorded as larger than its volume',
};

/** How far the reading is. */
export interface HashProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/**
 * Reads every listed file once, on all processors. A file that takes no room may have any size, and reading it any
 * time: what could not lie on the volume in whole is not read.
 *
 * @throws SVC-STO-007 when one changes or goes meanwhile; the signal's reason
 */
export async function hashListed(
  root: string,
  entries: ReadonlyMap<string, MediumEntry>,
  { files, special }: Listing,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress: (at: HashProgress) => void;
    /** Default: as many as the medium is worth. */
    readonly threads?: HashThreads | undefined;
  },
): Promise<ReadonlyMap<string, HashOutcome>> {
  const { signal, onProgress, threads } = options;
  const outcomes = new Map<string, HashOutcome>();
  const { blocks, bsize } = await statfs(root);
  const capacity = blocks * bsize || Number.POSITIVE_INFINITY;
  const readable: string[] = [];
  let totalBytes = 0;
  for (const path of files) {
    const { size } = entries.get(path)!;
    if (size > capacity) outcomes.set(path, tooLarge);
    else {
      readable.push(path);
      totalBytes += size;
    }
  }
  const tell = (bytes: number) =>
    onProgress({ files: outcomes.size, totalFiles: files.size, bytes, totalBytes });
  // the largest first: at the end no thread waits for another's long file
  const inOrder = readable.sort((a, b) => entries.get(b)!.size - entries.get(a)!.size);
  function* toJobs(): Generator<HashJob> {
    let room: number = kept.bytes;
    for (const path of inOrder) {
      const { size, digest } = entries.get(path)!;
      const named = toBlobDigest(path);
      const keep = named !== undefined && size <= Math.min(kept.fileBytes, room);
      if (keep) room -= size;
      yield { path, size, algorithm: digestAlgorithm(named ?? digest), keep };
    }
  }
  tell(0);
  const bytes = await hashFiles(root, toJobs(), {
    signal,
    // a thread takes longer to start than to read this
    ...(threads ? { threads } : totalBytes < smallMedium ? { threads: 1 } : {}),
    onBytes: tell,
    onOutcome: ({ path }, outcome) => {
      if ('problem' in outcome && (outcome.problem === 'changed' || outcome.problem === 'missing'))
        throw svcError('SVC-STO-007', { path });
      const { digest } = entries.get(path)!;
      // the text that is there already, not another copy of it
      const isSame = 'digest' in outcome && outcome.digest === digest;
      outcomes.set(path, isSame ? { ...outcome, digest } : outcome);
    },
  });
  tell(bytes);
  for (const path of special) outcomes.set(path, { problem: 'unreadable', detail: 'not a regular file' });
  return outcomes;
}

/** What a file is now; undefined when none can be seen. */
export function standOf(root: string, path: string): BigIntStats | undefined {
  try {
    return lstatSync(join(root, path), { bigint: true });
  } catch {
    return undefined;
  }
}

/**
 * Looks at every hashed file once more: without a lock nobody is kept from writing meanwhile, and a verdict must be
 * about one state.
 *
 * @throws SVC-STO-007 naming the file; the signal's reason
 */
export async function requireUnchanged(
  root: string,
  outcomes: ReadonlyMap<string, HashOutcome>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pacer = new Pacer();
  for (const [path, outcome] of outcomes) {
    if (!('identity' in outcome)) continue;
    const info = standOf(root, path);
    if (!info || !isUnchanged(info, outcome.identity)) throw svcError('SVC-STO-007', { path });
    if (!pacer.isDue()) continue;
    await pacer.rest();
    signal?.throwIfAborted();
  }
}
