import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Digest } from '../base/digest.ts';
import { writeFileAtomic } from '../disk/atomic-file.ts';
import { isAbsent } from '../disk/is-absent.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { openHeldTree } from '../disk/place/held-tree.ts';
import type { PlaceLock } from '../disk/place-lock.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { toWriteError } from '../disk/write-error.ts';
import { indexPath, layoutPath, layoutText } from '../oci/layout.ts';
import { openBlobFolder, removeFile } from './blob-folder.ts';
import { collectBlob } from './collect-blob.ts';
import type { LayoutWriter, WriterOptions } from './layout-writer.ts';
import type { LayoutContents } from './model.ts';

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
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error, root);
    }
  };
  await guard(makeFolder(join(root, ingestFolder)));
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
  const tree = await openHeldTree(root);
  const blobs = await openBlobFolder(tree, contents, ingestFolder, signal).catch(async (error: unknown) => {
    await tree[Symbol.asyncDispose]();
    throw error;
  });
  const { written } = blobs;
  /** Manifests whose content is written, too: an earlier one may have lost some content. */
  const whole = new Set<Digest>();
  let isFinished = false;

  return {
    concurrency,
    target: {
      hasBlob: async ({ digest }) => written.has(digest),
      hasManifest: async (digest) => whole.has(digest),
      pushBlob: async (blob, from, { onBytes } = {}) => {
        await blobs.put(blob.digest, await guard(collectBlob(blob, from)));
        onBytes?.(blob.size);
      },
      pushManifest: async (_reference, { descriptor, bytes }) => {
        if (!written.has(descriptor.digest)) await blobs.put(descriptor.digest, bytes);
        whole.add(descriptor.digest);
      },
    },
    takeFile: blobs.takeFile,
    async finish() {
      written.requireAll();
      await blobs.sync();
      for (const [name, text] of [
        [layoutPath, layoutText],
        [indexPath, index],
      ] as const) {
        // a rename over a file is not atomic on FAT and exFAT
        if (volume.type === 'vfat' || volume.type === 'exfat') await guard(removeFile(join(root, name)));
        await writeFileAtomic(join(root, name), text, {
          mode: 0o644,
          temporaryFolder: join(root, ingestFolder),
        });
      }
      for (const path of blobs.stale) await guard(removeFile(await tree.pathOf(path)));
      // before a held folder is removed
      await tree.requireInPlace();
      for (const name of await (await tree.folder('blobs')).list())
        if (!blobs.algorithms.includes(name)) await guard(rmdir(await tree.pathOf(join('blobs', name))));
      await tree[Symbol.asyncDispose]();
      await guard(removeIngest());
      isFinished = true;
      await guard(syncFolder(root));
      const sum = contents.reduce((total, { size }) => total + size, 0);
      return sum + index.length + layoutText.length;
    },
    // written blobs stay: the next export to this folder resumes with them
    [Symbol.asyncDispose]: async () => {
      await tree[Symbol.asyncDispose]();
      // the folder of parts may be that of the next export then
      if (isFinished) return;
      await removeIngest().catch(() => {});
    },
  };
}
