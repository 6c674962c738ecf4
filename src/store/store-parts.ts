import type { Report } from '../base/report.ts';
import type { ContentGraph } from '../catalog/content-graph.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import type { RecipeBook, RecipeChange } from '../catalog/recipe-book.ts';
import type { Place } from '../disk/place/place.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Rule } from '../text/rule.ts';
import type { VolumeLimits } from './blobs/require-space.ts';
import type { ForeignReason, OpenStoreOptions, Standing } from './model.ts';
import type { AwayTimes } from './opening/away-times.ts';

/** Parts found when the store was opened. */
export interface StoreParts {
  readonly root: string;
  readonly graph: ContentGraph;
  readonly book: RecipeBook;
  readonly contentLedger: Ledger<ContentChange>;
  readonly recipeLedger: Ledger<RecipeChange>;
  readonly mediaId: string;
  readonly standing: Standing;
  /**
   * Whether another instance made the store and this instance does not remember it: its content ledger may be damaged
   * or missing.
   */
  readonly isCarried: boolean;
  readonly reason: ForeignReason | undefined;
  readonly bytesOf: OpenStoreOptions['bytesOf'];
  readonly readOnly: Rule | undefined;
  /** Whether the store is under a key and there is no state root that could contain one. */
  readonly needsStateRoot: boolean;
  /** Whether a task may resume from unreachable content. */
  readonly isBusy: () => boolean;
  /** Whether the recipe ledger belongs to another medium. */
  readonly isMixed: boolean;
  readonly notices: readonly Rule[];
  /** Medium identifier of the store that this instance wrote before; only in a new store. */
  readonly earlier?: string | undefined;
  readonly limits: VolumeLimits;
  /** Where the folder of the store was when it was opened. */
  readonly place: Place;
  readonly zone: string | undefined;
  readonly mode: 'passthrough' | 'mirror' | undefined;
  readonly producerVersion: string;
  readonly report: Report;
  /** Milliseconds since the epoch on a steady clock; used for expiry times. */
  readonly now: () => number;
  /** Milliseconds since the epoch on the clock of the system; used for output. */
  readonly wall: () => number;
  /**
   * Whether this process may write: temporary files were removed, timers run, and closing the store writes
   * `index.json` and `media.jsonl`.
   */
  readonly isWriter: boolean;
  /** Acquires the lock and the key for an adoption. @throws SVC-STO-007 */
  readonly prepareAdoption: () => Promise<Buffer | undefined>;
  /** Times at which this instance did not have the store open; none in a store that it has no memory of. */
  readonly away: AwayTimes;
  /**
   * Stores the ledgers' states in the state root, so that the next opening recognizes the store as this
   * instance's.
   */
  readonly remember: (mediaId: string) => Promise<void>;
  /**
   * Saves the index, if reading the changes since it was saved would take long. Does nothing without a state root.
   *
   * @param signal aborted when a change of the store starts
   * @throws as `saveIndex`, and SVC-STO-001 when the key cannot be read
   */
  readonly saveIndex: (mediaId: string, signal: AbortSignal) => Promise<void>;
  /** Releases the lock; the last step of closing. */
  readonly release: () => Promise<void>;
}
