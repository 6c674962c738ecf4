import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, isDigest } from '../../base/digest.ts';
import { Pacer } from '../../base/pacer.ts';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';
import { hashFiles } from '../../disk/threads/hash-pool.ts';
import { blobPath } from '../../oci/layout.ts';
import type { CheckOptions } from '../model.ts';
import { listBlobNames } from './list-blob-names.ts';

/** A thread takes longer to start than to read this. */
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
  /** What stands among the blobs and is none, relative to the root. */
  readonly strangers: readonly string[];
}

/** What the folders and the bytes of the blobs say. */
export interface BlobScan {
  readonly files: readonly BlobFile[];
  /** Whether there is a file of this digest, whatever its bytes. */
  isFound(digest: Digest): boolean;
  /** Whether its bytes are right. */
  isWhole(id: number): boolean;
  /** Bytes that are right, where they were kept. */
  bytesOf(id: number): Buffer | undefined;
}

/** Lists the blob files by name, without reading any. @throws SVC-STO-001 */
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
 * @param options `sizeOf` is the size that a blob must have, where it is known: compared before a byte is read
 * @returns bytes read
 * @throws the signal's reason
 */
export async function hashBlobFiles(
  root: string,
  { files, bytes }: BlobListing,
  options: CheckOptions & {
    readonly sizeOf?: (digest: Digest) => number | undefined;
    /** Whose bytes the outcome shall bring; only such as one read gives. */
    readonly keeps?: (file: BlobFile) => boolean;
    readonly onOutcome: (file: BlobFile, outcome: HashOutcome) => void;
  },
): Promise<number> {
  const { signal, onProgress, onOutcome, sizeOf, keeps, threads } = options;
  let done = 0;
  // the largest first: at the end no thread waits for another's long file
  const inOrder = files.toSorted((a, b) => b.size - a.size);
  const tell = (read: number): void =>
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
  tell(0);
  return hashFiles(root, toJobs(), {
    signal,
    ...(threads ? { threads } : bytes < smallBytes ? { threads: 1 } : {}),
    onBytes: tell,
    onOutcome: ({ file }, outcome) => {
      done += 1;
      onOutcome(file, outcome);
    },
  });
}
