import type { Digest } from '../../base/digest.ts';
import type { SyncRecord } from '../../catalog/model.ts';
import type { HashedFile } from '../../disk/threads/hash-file.ts';
import type { MediumHeader } from '../../store/rest/media-manifest.ts';
import type { RecipeClosure } from './close.ts';
import type { PlannedPart } from './partition.ts';
import type { DeliveryContent } from './plan.ts';
import type { CarriedProgram } from './program/read-program.ts';

/** A delivery with all decisions, before anything is written. */
export interface Delivery {
  /** `dlv_<12 hex>`: the same for the same plan. */
  readonly id: string;
  readonly zone: string;
  readonly base?: MediumHeader['base'];
  /** The run that resolved the recipes. */
  readonly sync: SyncRecord;
  /** Sorted by name and version. */
  readonly closures: readonly RecipeClosure[];
  readonly content: DeliveryContent;
  readonly parts: readonly PlannedPart[];
  /** The release of svc on every part. */
  readonly program?: CarriedProgram | undefined;
}

/** Bytes. Smaller blobs are read at once, where another thread would cost more. */
export const smallBytes: number = 64 << 10;

/** Figures of a written part. */
export interface WrittenPart {
  readonly mediaId: string;
  /** Digest of `media.jsonl`. */
  readonly manifest: Digest;
  /** Files of the medium, and their bytes; without `media.jsonl`. */
  readonly files: number;
  readonly bytes: number;
  /** Whether the part was complete before. */
  readonly unchanged: boolean;
  /** Files of the complete part that its disk had lost or changed, before they were written again; absent without any. */
  readonly damaged?: readonly string[] | undefined;
  /** Files of the medium that were read from the disk and have their digests, as they were then, by path. */
  readonly readBack: ReadonlyMap<string, HashedFile>;
}
