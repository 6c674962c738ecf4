import type { BigIntStats } from 'node:fs';
import type { Digest } from '../../base/digest.ts';
import type { HashedFile, HashOutcome } from '../../disk/threads/hash-file.ts';
import type { HashThreads } from '../../disk/threads/hash-threads.ts';
import { listProgramFolders } from '../../store/rest/carried-program.ts';
import type { MediumEntry, MediumHeader } from '../../store/rest/media-manifest.ts';
import { readManifestOf } from './find-medium.ts';
import { type HashProgress, hashListed, statFile } from './hash-medium.ts';
import { type Listing, listMedium } from './inventory.ts';

/** The medium manifest and the names in the folder. */
export interface Inventory {
  readonly header: MediumHeader;
  readonly entries: ReadonlyMap<string, MediumEntry>;
  readonly listing: Listing;
  /** Digest of the manifest. */
  readonly digest: Digest;
}

/** A medium whose files are being hashed. Needs only the folder, not an open store. */
export interface MediumReading {
  /** Status of `media.jsonl` before it was read. */
  readonly manifest: BigIntStats | undefined;
  /** Rejects with SVC-MED-001 to SVC-MED-004 for an unusable manifest, and with SVC-STO-001. */
  readonly inventory: Promise<Inventory>;
  /** Result for every listed file. Rejects like `inventory`, and with SVC-STO-007 when a file changes. */
  readonly outcomes: Promise<ReadonlyMap<string, HashOutcome>>;
  /** Calls the listener with the progress, at once and at each change. */
  watch(onProgress: (at: HashProgress) => void): void;
  /** Stops reading: pending promises reject with the reason. Resolves when no file is open any more. */
  stop(reason: unknown): Promise<void>;
}

interface ReadMediumOptions {
  /** Limit of `media.jsonl` in bytes; default 256 MiB. */
  readonly maxManifestBytes?: number | undefined;
  /** They end with the reading. Default: as many as the size of the medium is worth. */
  readonly threads?: HashThreads;
  /** Files that this process has hashed, by path: one that did not change is not hashed again. */
  readonly readBack?: ReadonlyMap<string, HashedFile>;
}

/** Starts to read a medium: its manifest, its folders, and every byte that the manifest lists. */
export function startReading(root: string, options: ReadMediumOptions = {}): MediumReading {
  const { maxManifestBytes, threads, readBack } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let at: HashProgress | undefined;
  let listener: ((at: HashProgress) => void) | undefined;
  const onProgress = (now: HashProgress): void => {
    at = now;
    listener?.(now);
  };
  const manifest = statFile(root, 'media.jsonl');
  const inventory = takeInventory(root, maxManifestBytes);
  const read = async () => {
    try {
      const { entries, listing } = await inventory;
      signal.throwIfAborted();
      return await hashListed(root, entries, listing, { signal, onProgress, threads, readBack });
    } catch (error) {
      await threads?.end();
      throw error;
    }
  };
  const outcomes = read();
  // the caller may never await these promises
  for (const promise of [inventory, outcomes]) promise.catch(() => undefined);
  return {
    manifest,
    inventory,
    outcomes,
    watch: (onProgress) => {
      listener = onProgress;
      if (at) listener(at);
    },
    stop: async (reason) => {
      stop.abort(reason);
      await outcomes.catch(() => undefined);
    },
  };
}

async function takeInventory(root: string, maxBytes: number | undefined): Promise<Inventory> {
  const { header, entries, digest } = await readManifestOf(root, maxBytes === undefined ? {} : { maxBytes });
  const listing = await listMedium(root, (path) => entries.has(path), listProgramFolders(entries.keys()));
  return { header, entries, digest, listing };
}
