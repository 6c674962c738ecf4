import type { KeyedSerial } from '../base/concurrency.ts';
import type { Report } from '../base/report.ts';
import type { Content } from '../catalog/content.ts';
import type { ContentGraph } from '../catalog/content-graph.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import type { Holds } from '../catalog/holds.ts';
import type { StoreIndex } from '../catalog/model.ts';
import type { RecipeBook, RecipeChange } from '../catalog/recipe-book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Rule } from '../text/rule.ts';
import type { Corrections } from './adoption/correct-facts.ts';
import type { BlobFiles } from './blobs/blob-files.ts';
import type { ChangeGate } from './change-gate.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { Standing } from './model.ts';
import type { RestKeeper } from './rest/rest-keeper.ts';
import type { StoreParts } from './store-parts.ts';

/** State of an open store that changes while it is open. */
export interface StoreState {
  mediaId: string;
  standing: Standing;
  /**
   * Whether this process may write: timers run, and closing the store writes `index.json` and `media.jsonl`.
   */
  isWriter: boolean;
  /** Why nothing can be written until the store is opened again; set by a reset that wrote one of two ledgers. */
  unfinished: Rule | undefined;
  /** Bytes of all blobs that are present. */
  bytes: number;
  /** Content hashed by this process that the ledger does not vouch for yet. */
  readonly hashed: Set<Content>;
  /** The write that vouches for hashed content, while it is under way. */
  vouching: Promise<void> | undefined;
  /** Differences between the ledger of a foreign store and the bytes of its manifests. */
  corrections: Corrections;
}

/** Internals for the functions of the store. Code outside src/store does not read them. */
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
  /** Serializes puts of the same tag. Entered within the gate, never in the reverse order. */
  readonly tagging: KeyedSerial;
  readonly keeper: RestKeeper;
  readonly contentLedger: Ledger<ContentChange>;
  readonly recipeLedger: Ledger<RecipeChange>;
  /** Parts found when the store was opened. */
  readonly parts: StoreParts;
  readonly state: StoreState;
  /** Whether an upload recorded at this time (milliseconds since the epoch) is unexpired. */
  readonly isStanding: (at: number) => boolean;
  /** @throws SVC-STO-002 (closed or read-only), SVC-CFG-001 (under another key) */
  requireChangeable(): void;
  /**
   * Checks that a change could be made, without adopting the store; called before the change itself is
   * judged.
   *
   * @throws SVC-STO-002 (closed or read-only), SVC-MED-030 (foreign, with a zone), SVC-CFG-001 (under another
   *   key)
   */
  requireAdoptable(): void;
  /**
   * Adopts a foreign store; overlapping calls share one adoption.
   *
   * @throws SVC-STO-002, SVC-STO-007, SVC-CFG-001
   */
  adopt(): Promise<void>;
  /**
   * Checks that the store can be changed, and adopts a foreign store without a zone. A change awaits this
   * first.
   *
   * @throws SVC-STO-002 (read-only), SVC-STO-014 (its folder is away), SVC-MED-030 (foreign, with a zone), SVC-CFG-001
   *   (under another key)
   */
  requireWritable(): Promise<void>;
  /**
   * Appends records to the content ledger and, when they are durable, applies them to the catalog in the same
   * order.
   *
   * @param options `awaitSync`: see `Ledger.append`. Without, the records need only survive a kill of the process
   * @returns content that nothing references any more
   */
  record(
    changes: readonly ContentChange[],
    options?: { readonly awaitSync?: boolean },
  ): Promise<readonly Content[]>;
}
