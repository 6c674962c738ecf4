import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, isDigest } from '../base/digest.ts';
import { isAbsent } from '../disk/is-absent.ts';
import type { HeldTree } from '../disk/place/held-tree.ts';
import type { CopyPool } from '../disk/threads/copy-pool.ts';
import type { CopyJob, ReadBack } from '../disk/threads/copy-range.ts';
import type { FileIdentity, HashedFile, HashJob } from '../disk/threads/hash-file.ts';
import { hashFiles } from '../disk/threads/hash-pool.ts';
import { identifyMoved } from '../disk/threads/moved-file.ts';
import { toWriteError } from '../disk/write-error.ts';
import { blobPath } from '../oci/layout.ts';
import { WrittenContent } from './layout-writer.ts';
import type { LayoutContent } from './model.ts';
import { requireCopied } from './require-copied.ts';

/** The `blobs` of a folder that is being written. A blob has its name only when it is whole and durable. */
export interface BlobFolder {
  /** What is there; blobs of an interrupted writing were hashed. */
  readonly written: WrittenContent;
  /** Blobs of an interrupted writing, as they were hashed. */
  readonly kept: readonly HashedFile[];
  /** Paths of blobs that are not planned, relative to the root. */
  readonly stale: readonly string[];
  /** Names of the folders below `blobs` that are needed. */
  readonly algorithms: readonly string[];
  /** Writes a small blob. @throws SVC-STO-002, SVC-STO-004, SVC-STO-005 */
  put(digest: Digest, bytes: Buffer): Promise<void>;
  /**
   * Writes small blobs, and reads them back from their disk.
   *
   * @returns each file, where it has the bytes of its blob; undefined where the disk returns other ones
   * @throws as `put`
   */
  putAndReadBack(
    blobs: readonly { readonly digest: Digest; readonly bytes: Buffer }[],
    pool: Pick<CopyPool, 'writeSmall'>,
  ): Promise<readonly (FileIdentity | undefined)[]>;
  /** Copies a file. @throws as `LayoutWriter.takeFile` */
  takeFile(blob: LayoutContent, source: CopyJob['source'], pool: Pick<CopyPool, 'copy'>): Promise<void>;
  /**
   * As {@link takeFile}, and reads the file back from its disk.
   *
   * @returns the file, where it has the bytes of the blob; undefined where the disk returns other ones
   */
  takeAndReadBack(
    blob: LayoutContent,
    source: CopyJob['source'],
    pool: Pick<CopyPool, 'copy'>,
  ): Promise<FileIdentity | undefined>;
  /** Makes the names durable. @throws SVC-STO-002 */
  sync(): Promise<void>;
}

/**
 * Opens the `blobs` of a folder for writing. Blobs that are already there are hashed and kept, so that an interrupted
 * writing resumes; those that are not whole are removed.
 *
 * @param tree the folder, held open
 * @param contents everything that will be there
 * @param parts existing folder of unfinished files below the root, for this writer alone
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function openBlobFolder(
  tree: HeldTree,
  contents: readonly LayoutContent[],
  parts: string,
  signal?: AbortSignal,
): Promise<BlobFolder> {
  const { root } = tree;
  const sizes = new Map(contents.map(({ digest, size }) => [digest, size]));
  const algorithms = [...new Set(contents.map(({ digest }) => digestAlgorithm(digest)))];
  const written = new WrittenContent(sizes.keys());
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error, root);
    }
  };
  const folders = ['blobs', ...algorithms.map((algorithm) => join('blobs', algorithm))];
  for (const folder of folders) await guard(tree.folder(folder));
  const { stale, kept } = await guard(takeStock(tree, sizes, written, signal));
  let serial = 0;
  /** A name for an unfinished file, which no other file has. */
  const nextPart = async (): Promise<string> => {
    serial += 1;
    return tree.pathOf(`${parts}/${serial}.part`);
  };
  const requirePlanned = (digest: Digest, size: number): void => {
    if (sizes.get(digest) !== size) throw new Error(`${digest} of ${size} bytes is not part of the plan`);
  };
  const settle = async (digest: Digest, part: string): Promise<void> => {
    await rename(part, await tree.pathOf(blobPath(digest)));
    written.add(digest);
  };
  const take = async (
    blob: LayoutContent,
    source: CopyJob['source'],
    pool: Pick<CopyPool, 'copy'>,
    expected?: Digest,
  ): Promise<ReadBack | undefined> => {
    const { digest, size } = blob;
    requirePlanned(digest, size);
    const part = await guard(nextPart());
    const target = { path: part, durable: true, expected };
    const outcome = await pool.copy({ source, size, algorithm: digestAlgorithm(digest), target });
    requireCopied(outcome, blob, { source, target: root, unreadable: 'SVC-STO-001' });
    await guard(settle(digest, part));
    return 'digest' in outcome ? outcome.readBack : undefined;
  };
  const put = async (digest: Digest, bytes: Buffer): Promise<void> => {
    requirePlanned(digest, bytes.length);
    const part = await nextPart();
    const file = await open(part, 'wx', 0o644);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await settle(digest, part);
  };
  const putAll = async (
    blobs: Parameters<BlobFolder['putAndReadBack']>[0],
    pool: Pick<CopyPool, 'writeSmall'>,
  ): ReturnType<BlobFolder['putAndReadBack']> => {
    for (const { digest, bytes } of blobs) requirePlanned(digest, bytes.length);
    const files = await Promise.all(
      blobs.map(async ({ digest, bytes }) => ({
        temporary: await nextPart(),
        path: await tree.pathOf(blobPath(digest)),
        digest,
        size: bytes.length,
      })),
    );
    const size = files.reduce((sum, one) => sum + one.size, 0);
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const one of blobs) {
      bytes.set(one.bytes, at);
      at += one.bytes.length;
    }
    const outcome = await pool.writeSmall({ files, bytes });
    if ('code' in outcome)
      throw toWriteError(Object.assign(new Error(outcome.detail), { code: outcome.code }), root, { size });
    for (const { digest } of blobs) written.add(digest);
    return outcome.readBack;
  };
  return {
    written,
    kept,
    stale,
    algorithms,
    put: (digest, bytes) => guard(put(digest, bytes)),
    putAndReadBack: (blobs, pool) => guard(putAll(blobs, pool)),
    async takeFile(blob, source, pool) {
      await take(blob, source, pool);
    },
    async takeAndReadBack(blob, source, pool) {
      const readBack = await take(blob, source, pool, blob.digest);
      if (readBack === undefined) return undefined;
      return guard(identifyMoved(await tree.pathOf(blobPath(blob.digest)), readBack));
    },
    async sync() {
      for (const folder of folders.toReversed()) await (await tree.folder(folder)).sync();
    },
  };
}

/**
 * Hashes the planned blobs that are in the folder, and removes those that are not whole.
 *
 * @returns `stale`: paths of blobs that are not in the plan
 */
async function takeStock(
  tree: HeldTree,
  sizes: ReadonlyMap<Digest, number>,
  written: WrittenContent,
  signal: AbortSignal | undefined,
): Promise<Pick<BlobFolder, 'stale' | 'kept'>> {
  const { root } = tree;
  const blobs = await tree.folder('blobs');
  const stale: string[] = [];
  const jobs: (HashJob & { readonly digest: Digest })[] = [];
  for (const algorithm of ['sha256', 'sha512'] as const) {
    const names = (await blobs.list()).includes(algorithm)
      ? await (await tree.folder(`blobs/${algorithm}`)).list()
      : [];
    for (const name of names) {
      const digest = `${algorithm}:${name}`;
      const size = isDigest(digest) ? sizes.get(digest) : undefined;
      if (size === undefined) stale.push(join('blobs', algorithm, name));
      else jobs.push({ path: blobPath(digest as Digest), algorithm, size, digest: digest as Digest });
    }
  }
  const damaged: string[] = [];
  const kept: HashedFile[] = [];
  if (jobs.length > 0) {
    await hashFiles(root, jobs, {
      onOutcome: ({ path, digest }, outcome) => {
        if ('identity' in outcome && outcome.digest === digest) {
          written.add(digest);
          kept.push(outcome);
        } else damaged.push(path);
      },
      signal,
    });
  }
  for (const path of damaged) await tree.remove(path);
  return { stale, kept };
}

/** Removes a file that may be absent. @throws the operating system's error */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
