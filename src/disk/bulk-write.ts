import type { FileHandle } from 'node:fs/promises';
import type { Disposal } from '../base/release-memory.ts';
import { directAlignment, directLeast } from './aligned-memory.ts';
import { type DirectWrite, openDirectWrite } from './direct-write.ts';
import { createWriteBehind } from './write-behind.ts';

/** Bytes after which a file of unknown length counts as large. */
const largeBytes = 16 << 20;
const earlySyncBytes = 64 << 20;

/** Writes a new file from its beginning. */
interface BulkWrite {
  /** Accepted bytes that are in the file. */
  readonly written: number;
  /**
   * Accepts a chunk; resolves when the next one may be written. Calls may overlap.
   *
   * @param disposable treatment of the chunk after use; `true` when nothing else uses it
   * @throws the error of a failed write; nothing is written after that
   */
  write(chunk: Buffer, disposable?: Disposal): Promise<void>;
  /** Starts to make the accepted bytes durable, to spread the work; guarantees nothing. Never fails. */
  flush(): Promise<void>;
  /** Waits until every accepted byte is written; accepts nothing more. @throws the error of a failed write */
  finish(): Promise<void>;
  /** Releases the file. Never fails. */
  abort(): Promise<void>;
}

interface BulkWriteOptions {
  /** Whether a large file bypasses the page cache, where the filesystem can: for a file that is not read again soon. */
  readonly direct: boolean;
  /** Expected bytes, if known. */
  readonly size?: number | undefined;
}

/** Opens a writer for a file that the caller opened, syncs and closes. */
export async function openBulkWrite(
  path: string,
  file: FileHandle,
  { direct, size = 0 }: BulkWriteOptions,
): Promise<BulkWrite> {
  if (direct && size >= directLeast) {
    const whole = await openDirectWrite(path, file);
    // bytes that bypass the cache are already on the device: there is nothing to sync early
    if (whole !== undefined) return Object.assign(whole, { flush: async () => {} });
  }
  return createGrowingWrite(path, file, direct);
}

/** Writes through the page cache at first, and past it once the file has become large. */
function createGrowingWrite(path: string, file: FileHandle, mayChange: boolean): BulkWrite {
  let taken = 0;
  let synced = 0;
  let early: Promise<void> | undefined;
  let opening: Promise<void> | undefined;
  let prepared: DirectWrite | undefined;
  let direct: DirectWrite | undefined;

  const behind = createWriteBehind(file, 0, () => syncEarly(earlySyncBytes));
  /** Spreads the work only: the sync after the last byte reports every failure. */
  const syncEarly = (bytes: number): void => {
    if (early !== undefined || behind.written - synced < bytes) return;
    synced = behind.written;
    early = file
      .datasync()
      .catch(() => {})
      .finally(() => {
        early = undefined;
      });
  };
  const prepare = async (): Promise<void> => {
    prepared = await openDirectWrite(path, file);
  };
  /** Changes from cached to direct writes at a boundary that no page shares. */
  const change = async (chunk: Buffer, disposable: Disposal, to: DirectWrite): Promise<void> => {
    const head = (directAlignment - (taken % directAlignment)) % directAlignment;
    if (chunk.length <= head) return behind.write(chunk, disposable);
    direct = to;
    direct.startAt(taken + head);
    await Promise.all([
      // a copy, as the other half of the chunk may be disposed of first
      ...(head > 0 ? [behind.write(Buffer.from(chunk.subarray(0, head)))] : []),
      direct.write(head > 0 ? chunk.subarray(head) : chunk, disposable),
    ]);
  };

  return {
    get written() {
      return behind.written + (direct?.written ?? 0);
    },
    write(chunk, disposable = false) {
      if (mayChange && opening === undefined && taken >= largeBytes) opening = prepare();
      const work =
        direct !== undefined
          ? direct.write(chunk, disposable)
          : prepared !== undefined
            ? change(chunk, disposable, prepared)
            : behind.write(chunk, disposable);
      taken += chunk.length;
      return work;
    },
    async flush() {
      await behind.settle().catch(() => {});
      syncEarly(1);
    },
    async finish() {
      await opening;
      await behind.settle();
      await early;
      const [used, spare] = [direct, prepared];
      prepared = undefined;
      if (used !== undefined) await used.finish();
      else await spare?.abort();
    },
    async abort() {
      await opening;
      await prepared?.abort();
      await behind.settle().catch(() => {});
      await early;
    },
  };
}
