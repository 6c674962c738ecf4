import type { Report } from '../base/report.ts';
import type { BlobFiles } from './blob-files.ts';
import type { ChangeGate } from './change-gate.ts';
import type { Content } from './content.ts';
import type { ContentGraph } from './content-graph.ts';
import type { ContentChange } from './content-records.ts';
import type { Holds } from './holds.ts';
import type { Ledger } from './ledger.ts';
import type { ManifestCache } from './manifest-cache.ts';
import type { StoreIndex } from './model.ts';
import type { RecipeBook, RecipeChange } from './recipe-book.ts';
import type { RestKeeper } from './rest-keeper.ts';

/** What the parts of an open store share. */
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
  readonly keeper: RestKeeper;
  readonly contentLedger: Ledger<ContentChange>;
  readonly recipeLedger: Ledger<RecipeChange>;
  /** Whether an upload of this time (milliseconds since the epoch) still stands. */
  readonly isStanding: (at: number) => boolean;
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
