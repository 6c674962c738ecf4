import { open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm, isDigest } from '../base/digest.ts';
import { writeFileAtomic } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { makeFolder } from '../disk/make-folder.ts';
import type { PlaceLock } from '../disk/place-lock.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import type { HashJob } from '../disk/threads/hash-file.ts';
import { hashFiles } from '../disk/threads/hash-pool.ts';
import { toWriteError } from '../disk/write-error.ts';
import { blobPath, indexPath, layoutPath, layoutText } from '../oci/layout.ts';
import { collectBlob } from './collect-blob.ts';
import { type LayoutWriter, type WriterOptions, WrittenContent } from './layout-writer.ts';
import type { LayoutContents } from './model.ts';
import { requireCopied } from './require-copied.ts';

/** Folder of unfinished files; other tools use the same name. */
export const ingestFolder = 'ingest';
/** Name of the lock in that folder. */
export const lockName = 'lock';
const concurrency = 8;

/**
 * Opens a folder for writing a layout. Blobs that are already there are hashed and kept, so that an interrupted export
 * resumes. `index.json` is written last; until then the folder is no layout, or still the old one.
 *
 * @param lock held on the place: parts that are there are of exports that were killed
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function openFolderWriter(
  { index, contents }: LayoutContents,
  { path: root, volume }: WriterOptions,
  lock: Pick<PlaceLock, 'names' | 'release'>,
  signal?: AbortSignal,
): Promise<LayoutWriter> {
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
  for (const folder of [ingestFolder, ...folders]) await guard(makeFolder(join(root, folder)));
  const removeParts = async (): Promise<void> => {
    for (const name of await readdir(join(root, ingestFolder)))
      if (!lock.names.has(name)) await rm(join(root, ingestFolder, name), { force: true });
  };
  /** Ends the lock, which is in that folder. Where the next export has begun since, the folder is its own. */
  const removeIngest = async (): Promise<void> => {
    await removeParts();
    await lock.release();
    await rmdir(join(root, ingestFolder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && !isAbsent(error)) throw error;
    });
  };
  await guard(removeParts());
  const stale = await guard(takeStock(root, sizes, written, signal));
  /** Manifests whose content is written, too: an earlier one may have lost some content. */
  const whole = new Set<Digest>();

  let isFinished = false;
  let serial = 0;
  const nextPart = (): string => {
    serial += 1;
    return join(root, ingestFolder, `${serial}.part`);
  };
  const requirePlanned = (digest: Digest, size: number): void => {
    if (sizes.get(digest) !== size) throw new Error(`${digest} of ${size} bytes is not part of the plan`);
  };
  const settle = async (digest: Digest, part: string): Promise<void> => {
    await rename(part, join(root, blobPath(digest)));
    written.add(digest);
  };
  const putSmall = async (digest: Digest, bytes: Buffer): Promise<void> => {
    requirePlanned(digest, bytes.length);
    const part = nextPart();
    const file = await open(part, 'wx', 0o644);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await settle(digest, part);
  };

  return {
    concurrency,
    target: {
      hasBlob: async ({ digest }) => written.has(digest),
      hasManifest: async (digest) => whole.has(digest),
      pushBlob: async (blob, from, { onBytes } = {}) => {
        await guard(putSmall(blob.digest, await collectBlob(blob, from)));
        onBytes?.(blob.size);
      },
      pushManifest: async (_reference, { descriptor, bytes }) => {
        if (!written.has(descriptor.digest)) await guard(putSmall(descriptor.digest, bytes));
        whole.add(descriptor.digest);
      },
    },
    async takeFile(blob, source, pool) {
      const { digest, size } = blob;
      requirePlanned(digest, size);
      const part = nextPart();
      const target = { path: part, durable: true };
      const outcome = await pool.copy({ source, size, algorithm: digestAlgorithm(digest), target });
      requireCopied(outcome, blob, { source, target: root, unreadable: 'SVC-STO-001' });
      await guard(settle(digest, part));
    },
    async finish() {
      written.requireAll();
      for (const folder of folders.toReversed()) await guard(syncFolder(join(root, folder)));
      for (const [name, text] of [
        [layoutPath, layoutText],
        [indexPath, index],
      ] as const) {
        // a rename over a file is not atomic on FAT and exFAT
        if (volume.type === 'vfat' || volume.type === 'exfat') await guard(remove(join(root, name)));
        await writeFileAtomic(join(root, name), text, {
          mode: 0o644,
          temporaryFolder: join(root, ingestFolder),
        });
      }
      for (const path of stale) await guard(remove(join(root, path)));
      for (const name of await guard(readdir(join(root, 'blobs'))))
        if (!algorithms.includes(name as (typeof algorithms)[number]))
          await guard(rmdir(join(root, 'blobs', name)));
      await guard(removeIngest());
      isFinished = true;
      await guard(syncFolder(root));
      const sum = contents.reduce((total, { size }) => total + size, 0);
      return sum + index.length + layoutText.length;
    },
    // written blobs stay: the next export to this folder resumes with them
    [Symbol.asyncDispose]: async () => {
      // the folder of parts may be that of the next export then
      if (isFinished) return;
      await removeIngest().catch(() => {});
    },
  };
}

/**
 * Hashes the planned blobs that are in the folder, and removes those that are not whole.
 *
 * @returns paths of blobs that are not in the plan
 */
async function takeStock(
  root: string,
  sizes: ReadonlyMap<Digest, number>,
  written: WrittenContent,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const stale: string[] = [];
  const jobs: (HashJob & { readonly digest: Digest })[] = [];
  for (const algorithm of ['sha256', 'sha512'] as const) {
    for (const name of await readdir(join(root, 'blobs', algorithm)).catch(() => [])) {
      const digest = `${algorithm}:${name}`;
      const size = isDigest(digest) ? sizes.get(digest) : undefined;
      if (size === undefined) stale.push(join('blobs', algorithm, name));
      else jobs.push({ path: blobPath(digest as Digest), algorithm, size, digest: digest as Digest });
    }
  }
  const damaged: string[] = [];
  if (jobs.length > 0) {
    await hashFiles(root, jobs, {
      onOutcome: ({ path, digest }, outcome) => {
        if ('identity' in outcome && outcome.digest === digest) written.add(digest);
        else damaged.push(path);
      },
      signal,
    });
  }
  for (const path of damaged) await remove(join(root, path));
  return stale;
}

async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}
