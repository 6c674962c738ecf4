import type { FileHandle } from 'node:fs/promises';
import type { Disposal } from '../base/release-memory.ts';
import { directAlignment, directLeast } from './aligned-memory.ts';
import { type DirectWrite, openDirectWrite } from './direct-write.ts';
import { createWriteBehind } from './write-behind.ts';

/** Bytes after which a file of unknown length counts as large. */
const largeBytes = 16 << 20;
const earlySyncBytes = 64 << 20;

/** Writes a new file from its beginning. */
export interface BulkWrite {
  /**
   * Takes a chunk; resolves when more are welcome. Calls may overlap.
   *
   * @param disposable what becomes of the chunk when it has served; `true` when nobody else uses it
   * @throws what a write has failed with; nothing is written after that
   */
  write(chunk: Buffer, disposable?: Disposal): Promise<void>;
  /** Begins to make durable what was taken so far: it spreads the work, and promises nothing. Never fails. */
  flush(): Promise<void>;
  /** Waits until everything taken is written; nothing more is taken. @throws what a write has failed with */
  finish(): Promise<void>;
  /** Lets go of the file. Never fails. */
  abort(): Promise<void>;
}

export interface BulkWriteOptions {
  /** A large file goes past the page cache, where the filesystem can: for what is not soon read again. */
  readonly direct: boolean;
  /** Bytes that will come, where that is known. */
  readonly size?: number | undefined;
}

/** For a file that the caller opened, syncs and closes. */
export async function openBulkWrite(
  path: string,
  file: FileHandle,
  { direct, size = 0 }: BulkWriteOptions,
): Promise<BulkWrite> {
  if (direct && size >= directLeast) {
    const whole = await openDirectWrite(path, file);
    // what went past the cache is on the device: nothing gathers that could be synced early
    if (whole !== undefined) return { ...whole, flush: async () => {} };
  }
  return createGrowingWrite(path, file, direct);
}

/** Begins through the page cache, and goes past it once the file has become large. */
function createGrowingWrite(path: string, file: FileHandle, mayChange: boolean): BulkWrite {
  let taken = 0;
  let synced = 0;
  let early: Promise<void> | undefined;
  let opening: Promise<void> | undefined;
  let prepared: DirectWrite | undefined;
  let direct: DirectWrite | undefined;

  const behind = createWriteBehind(file, 0, () => syncEarly(earlySyncBytes));
  /** Only spreads the work: the sync that counts comes after the last byte and reports every failure. */
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
  /** Both roads lead into one file: they meet on a boundary that no page shares. */
  const change = async (chunk: Buffer, disposable: Disposal, to: DirectWrite): Promise<void> => {
    const head = (directAlignment - (taken % directAlignment)) % directAlignment;
    if (chunk.length <= head) return behind.write(chunk, disposable);
    direct = to;
    direct.startAt(taken + head);
    await Promise.all([
      // the rest may have served before
      ...(head > 0 ? [behind.write(Buffer.from(chunk.subarray(0, head)))] : []),
      direct.write(head > 0 ? chunk.subarray(head) : chunk, disposable),
    ]);
  };

  return {
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
