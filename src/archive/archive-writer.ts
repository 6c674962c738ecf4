import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Digest } from '../base/digest.ts';
import { giveName } from '../disk/give-name.ts';
import { removeLeftovers } from '../disk/remove-leftovers.ts';
import { syncFolder } from '../disk/sync-folder.ts';
import { writeAll } from '../disk/write-all.ts';
import { toWriteError } from '../disk/write-error.ts';
import { svcError } from '../text/error.ts';
import { collectBlob } from './collect-blob.ts';
import { requireDestination } from './destination.ts';
import { type LayoutWriter, type WriterOptions, WrittenContent } from './layout-writer.ts';
import type { LayoutContents } from './model.ts';
import { type ArchivePlace, planArchive, toLead } from './plan-archive.ts';
import { requireCopied } from './require-copied.ts';

/** Filesystems that fill a gap with zeros when bytes are written after it: everything is written in order. */
const inOrder: ReadonlySet<string> = new Set(['vfat', 'exfat']);
/** Bytes after which a sync starts while more is written. */
const earlySyncBytes = 64 << 20;
const concurrency = 8;

/**
 * Opens an archive for writing, beside its later name. The position of every byte is planned before the first one is
 * written. Files can arrive in any order, and the archive is always the same.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
export async function openArchiveWriter(
  contents: LayoutContents,
  { path, overwrite, volume }: WriterOptions,
): Promise<LayoutWriter> {
  const plan = planArchive(contents);
  const written = new WrittenContent(plan.places.keys());
  await removeLeftovers(path);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error, path, { size: plan.size });
    }
  };
  const file: FileHandle = await guard(
    open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644),
  );
  let isOpen = true;
  let unsynced = 0;
  let early: Promise<void> | undefined;

  const put = async (pieces: readonly Buffer[], at: number): Promise<void> =>
    guard(writeAll(file, pieces, at));
  const note = (digest: Digest, bytes: number): void => {
    written.add(digest);
    unsynced += bytes;
    if (early !== undefined || unsynced < earlySyncBytes) return;
    unsynced = 0;
    // spreads the work only: the last sync reports every failure
    early = file
      .datasync()
      .catch(() => {})
      .finally(() => {
        early = undefined;
      });
  };
  const placeOf = (digest: Digest, size: number): ArchivePlace => {
    const place = plan.places.get(digest);
    if (place?.size !== size) throw new Error(`${digest} of ${size} bytes is not part of the plan`);
    return place;
  };
  const putSmall = async (digest: Digest, bytes: Buffer): Promise<void> => {
    const place = placeOf(digest, bytes.length);
    await put([toLead(place), bytes], place.at - place.padding);
    note(digest, bytes.length);
  };
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await early;
    await file.close();
  };

  try {
    await put([plan.head], 0);
  } catch (error) {
    await close();
    await unlink(temporary).catch(() => {});
    throw error;
  }
  return {
    concurrency: inOrder.has(volume.type) ? 1 : concurrency,
    target: {
      hasBlob: async ({ digest }) => written.has(digest),
      hasManifest: async (digest) => written.has(digest),
      pushBlob: async (blob, from, { onBytes } = {}) => {
        await putSmall(blob.digest, await collectBlob(blob, from));
        onBytes?.(blob.size);
      },
      pushManifest: async (_reference, { descriptor, bytes }) => {
        if (!written.has(descriptor.digest)) await putSmall(descriptor.digest, bytes);
      },
    },
    async takeFile(blob, source, pool) {
      const { digest, size } = blob;
      const place = placeOf(digest, size);
      await put([toLead(place)], place.at - place.padding);
      const algorithm = digest.startsWith('sha512') ? 'sha512' : 'sha256';
      const target = { fd: file.fd, position: place.offset };
      const outcome = await pool.copy({ source, size, algorithm, target });
      requireCopied(outcome, blob, { source, target: path, unreadable: 'SVC-STO-001' });
      note(digest, size);
    },
    async finish() {
      written.requireAll();
      await put([plan.tail.bytes], plan.tail.at);
      await early;
      await guard(file.datasync());
      await close();
      if (overwrite) {
        // another file may have taken the name in the meantime
        await requireDestination(path, 'tar', true);
        await guard(rename(temporary, path));
      } else if (!(await guard(giveName(temporary, path)))) throw svcError('SVC-LAY-003', { path });
      await guard(syncFolder(dirname(path)));
      return plan.size;
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      await unlink(temporary).catch(() => {});
    },
  };
}
