import { type Digest, fingerprintOf } from '../base/digest.ts';
import type { OccupancyRecord, Store } from './model.ts';

/** The current size of all blobs of the store, in bytes. */
export function occupancyOf({ core }: Store): OccupancyRecord {
  return { bytes: core.state.bytes, sampledAt: new Date(core.parts.wall()).toISOString() };
}

/** The content that emptying a store would remove. */
export interface StoreContent {
  readonly mediaId: string;
  readonly repositories: number;
  /** Version tags; those of signatures and fallback indexes are not counted. */
  readonly tags: number;
  /** Bytes of all blobs. */
  readonly bytes: number;
  /** Passed to the reset, it makes a reset of other content fail. */
  readonly fingerprint: Digest;
}

/** Counts the content of a store, from memory. The fingerprint covers the names and the counts. */
export function countContent(store: Store): StoreContent {
  const { index, mediaId } = store;
  const names = index.repositories();
  const tags = index.versions();
  const { bytes } = occupancyOf(store);
  const fingerprint = fingerprintOf([mediaId, names, tags, bytes]);
  return { mediaId, repositories: names.length, tags, bytes, fingerprint };
}
