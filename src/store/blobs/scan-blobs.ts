import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, isDigest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import { blobPath } from '../../oci/layout.ts';
import type { CheckOptions } from '../model.ts';
import { listBlobNames } from './list-blob-names.ts';

/** Total bytes below which one thread is faster than starting several. */
const smallBytes = 8 << 20;

export interface BlobFile {
  readonly digest: Digest;
  readonly size: number;
}

interface BlobListing {
  readonly files: readonly BlobFile[];
  readonly bytes: number;
}

interface BlobFolders extends BlobListing {
  /** Entries of the blob folders that are not blobs, relative to the root. */
  readonly strangers: readonly string[];
}

/** Result of listing and hashing all blobs. */
export interface BlobScan {
  readonly files: readonly BlobFile[];
  /** Whether a file with this digest as its name exists, intact or not. */
  isFound(digest: Digest): boolean;
  /** Whether its bytes match its digest. */
  isWhole(id: number): boolean;
  /** Intact bytes, where they were kept. */
  bytesOf(id: number): Buffer | undefined;
}

/** Lists the blob files without reading their content. @throws SVC-STO-001 */
export async function listBlobFiles(root: string): Promise<BlobFolders> {
  const files: BlobFile[] = [];
  const strangers: string[] = [];
  const pacer = new Pacer();
  let bytes = 0;
  for (const algorithm of ['sha256', 'sha512'] as const) {
    for await (const names of listBlobNames(root, algorithm)) {
      for (const name of names) {
        const digest = `${algorithm}:${name}`;
        if (!isDigest(digest)) {
          strangers.push(`blobs/${algorithm}/${name}`);
          continue;
        }
        const info = lstatSync(join(root, blobPath(digest)), { throwIfNoEntry: false });
        if (info === undefined) continue;
        const size = info.isFile() ? info.size : 0;
        bytes += size;
        files.push({ digest, size });
        if (pacer.isDue()) await pacer.rest();
      }
    }
  }
  return { files, bytes, strangers };
}

/**
 * Hashes blob files on all processors.
 *
 * @param options `sizeOf` returns the required size of a blob, where it is known; compared before a byte is
 *   read
 * @returns bytes read
 * @throws the signal's reason
 */
export async function hashBlobFiles(
  root: string,
  { files, bytes }: BlobListing,
  options: CheckOptions & {
    readonly sizeOf?: (digest: Digest) => number | undefined;
    /** Files whose bytes the outcome contains; only files that fit in one read. */
    readonly keeps?: (file: BlobFile) => boolean;
    readonly onOutcome: (file: BlobFile, outcome: HashOutcome) => void;
  },
): Promise<number> {
  const { signal, onProgress, onOutcome, sizeOf, keeps, threads } = options;
  let done = 0;
  // the largest files first, so that no thread works alone on a large file at the end
  const inOrder = files.toSorted((a, b) => b.size - a.size);
  const report = (read: number): void =>
    onProgress?.({ files: done, totalFiles: files.length, bytes: read, totalBytes: bytes });
  function* toJobs() {
    for (const file of inOrder)
      yield {
        path: blobPath(file.digest),
        algorithm: digestAlgorithm(file.digest),
        size: sizeOf?.(file.digest),
        keep: keeps?.(file),
        file,
      };
  }
  report(0);
  return hashFiles(root, toJobs(), {
    signal,
    ...(threads ? { threads } : bytes < smallBytes ? { threads: 1 } : {}),
    onBytes: report,
    onOutcome: ({ file }, outcome) => {
      done += 1;
      onOutcome(file, outcome);
    },
  });
}
