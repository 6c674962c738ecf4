import type { KeyedSerial } from '../base/concurrency.ts';
import type { Report } from '../base/report.ts';
import type { Content } from '../catalog/content.ts';
import type { ContentGraph } from '../catalog/content-graph.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import type { Holds } from '../catalog/holds.ts';
import type { StoreIndex } from '../catalog/model.ts';
import type { RecipeBook, RecipeChange } from '../catalog/recipe-book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Corrections } from './adoption/correct-facts.ts';
import type { BlobFiles } from './blobs/blob-files.ts';
import type { ChangeGate } from './change-gate.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { Standing } from './model.ts';
import type { RestKeeper } from './rest/rest-keeper.ts';
import type { StoreParts } from './store-parts.ts';

/** What an open store comes to be in the course of its changes. */
export interface StoreState {
  mediaId: string;
  standing: Standing;
  /** This process may write: timers run, and closing writes the rest. */
  isWriter: boolean;
  /** Bytes of all blobs that are present. */
  bytes: number;
  /** Hashed by this process, and not yet vouched for in the ledger. */
  readonly hashed: Set<Content>;
  /** Under way: the record of what pulls have hashed. */
  vouching: Promise<void> | undefined;
  /** Where the ledger of a foreign store contradicts the bytes of its manifests. */
  corrections: Corrections;
}

/** What the verbs of the store work with. Nothing outside src/store reads it. */
export interface StoreCore {
  readonly root: string;
  readonly report: Report;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly graph: ContentGraph;
  readonly index: StoreIndex;
  readonly files: BlobFiles;
  readonly holds: Holds;
  readonly cache: ManifestCache;
  readonly book: RecipeBook;
  readonly gate: ChangeGate;
  /** Each tag is put by one writer at a time. Entered within the gate, never the other way round. */
  readonly tagging: KeyedSerial;
  readonly keeper: RestKeeper;
  readonly contentLedger: Ledger<ContentChange>;
  readonly recipeLedger: Ledger<RecipeChange>;
  /** What opening found out. */
  readonly parts: StoreParts;
  readonly state: StoreState;
  /** Whether an upload of this time (milliseconds since the epoch) still stands. */
  readonly isStanding: (at: number) => boolean;
  /** @throws SVC-STO-002 (closed or read-only), SVC-CFG-001 (under another key) */
  requireChangeable(): void;
  /**
   * Refuses where no change would be made: asked before what a change is about is judged. Nothing is adopted.
   *
   * @throws SVC-STO-002 (closed or read-only), SVC-MED-030 (foreign, with a zone), SVC-CFG-001 (under another key)
   */
  requireAdoptable(): void;
  /** Makes a foreign store ours; calls that overlap share one adoption. @throws SVC-STO-002, SVC-STO-007, SVC-CFG-001 */
  adopt(): Promise<void>;
  /**
   * Refuses, or adopts a foreign store that may be adopted by any change; awaited before anything else is done.
   *
   * @throws SVC-STO-002 (read-only), SVC-MED-030 (foreign, with a zone), SVC-CFG-001 (under another key)
   */
  requireWritable(): Promise<void>;
  /**
   * Makes records durable and then true, in one order for both.
   *
   * @returns content that is left without any holder
   */
  record(changes: readonly ContentChange[]): Promise<readonly Content[]>;
}
