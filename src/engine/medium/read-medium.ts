import type { BigIntStats } from 'node:fs';
import type { HashOutcome } from '../../disk/threads/hash-file.ts';
import { startHashThreadsBeside } from '../../disk/threads/hash-threads.ts';
import { type MediumEntry, type MediumHeader, readMediumManifest } from '../../store/rest/media-manifest.ts';
import { type HashProgress, hashListed, standOf } from './hash-medium.ts';
import { type Listing, listMedium } from './inventory.ts';

/** The medium manifest and what stands in the folder. */
export interface Inventory {
  readonly header: MediumHeader;
  readonly entries: ReadonlyMap<string, MediumEntry>;
  readonly listing: Listing;
}

/** A medium that is being read from its first byte to its last: needs nothing but the folder. */
export interface MediumReading {
  /** What the manifest's file was before it was read. */
  readonly manifest: BigIntStats | undefined;
  /** Rejects with SVC-MED-001 … SVC-MED-004 for a manifest that cannot be used, and SVC-STO-001. */
  readonly inventory: Promise<Inventory>;
  /** What every listed file was. Rejects as the inventory does, and with SVC-STO-007 when a file changes. */
  readonly outcomes: Promise<ReadonlyMap<string, HashOutcome>>;
  /** Has the progress told, from where it is. */
  watch(onProgress: (at: HashProgress) => void): void;
  /** Stops it: what is under way rejects with the reason, and nothing is read any more. */
  stop(reason: unknown): Promise<void>;
}

interface ReadMediumOptions {
  /** Bytes of `media.jsonl` at most; default 256 MiB. */
  readonly maxManifestBytes?: number | undefined;
  /** Nothing else is done meanwhile: the calling thread hashes too. */
  readonly isAlone?: boolean;
}

/** Starts to read a medium: its manifest, its folders, and every byte that the manifest lists. */
export function startReading(root: string, options: ReadMediumOptions = {}): MediumReading {
  const { maxManifestBytes, isAlone } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const threads = isAlone ? startHashThreadsBeside() : undefined;
  let at: HashProgress | undefined;
  let tell: ((at: HashProgress) => void) | undefined;
  const onProgress = (now: HashProgress): void => {
    at = now;
    tell?.(now);
  };
  const manifest = standOf(root, 'media.jsonl');
  const inventory = takeInventory(root, maxManifestBytes);
  const read = async () => {
    try {
      const { entries, listing } = await inventory;
      signal.throwIfAborted();
      return await hashListed(root, entries, listing, { signal, onProgress, threads });
    } catch (error) {
      await threads?.end();
      throw error;
    }
  };
  const outcomes = read();
  // whoever started it may never come to ask
  for (const promise of [inventory, outcomes]) promise.catch(() => undefined);
  return {
    manifest,
    inventory,
    outcomes,
    watch: (onProgress) => {
      tell = onProgress;
      if (at) tell(at);
    },
    stop: async (reason) => {
      stop.abort(reason);
      await outcomes.catch(() => undefined);
    },
  };
}

async function takeInventory(root: string, maxBytes: number | undefined): Promise<Inventory> {
  const { header, entries } = await readMediumManifest(root, maxBytes === undefined ? {} : { maxBytes });
  return { header, entries, listing: await listMedium(root, (path) => entries.has(path)) };
}
