import type { Report } from '../base/report.ts';
import type { ContentGraph } from '../catalog/content-graph.ts';
import type { ContentChange } from '../catalog/content-records.ts';
import type { RecipeBook, RecipeChange } from '../catalog/recipe-book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { VolumeLimits } from './blobs/require-space.ts';
import type { ForeignReason, Standing } from './model.ts';

/** What opening found out. */
export interface StoreParts {
  readonly root: string;
  readonly graph: ContentGraph;
  readonly book: RecipeBook;
  readonly contentLedger: Ledger<ContentChange>;
  readonly recipeLedger: Ledger<RecipeChange>;
  readonly mediaId: string;
  readonly standing: Standing;
  /** Another made the store, and this instance has never had it: its content ledger may be damaged or missing. */
  readonly isCarried: boolean;
  readonly reason: ForeignReason | undefined;
  readonly readOnly: string | undefined;
  /** It is under a key, and without a state root there can be none. */
  readonly needsStateRoot: boolean;
  /** Whether work may go on from content that nothing reaches yet. */
  readonly isBusy: () => boolean;
  /** The recipe ledger is another medium's. */
  readonly isMixed: boolean;
  readonly notices: readonly string[];
  readonly limits: VolumeLimits;
  readonly zone: string | undefined;
  readonly mode: 'passthrough' | 'mirror' | undefined;
  readonly producerVersion: string;
  readonly report: Report;
  /** Milliseconds since the epoch, on a clock that never jumps: for what is kept for a while. */
  readonly now: () => number;
  /** Milliseconds since the epoch as the machine has it: for what is told. */
  readonly wall: () => number;
  /** Whether this process may write: temporary files were cleared, timers run, and the end leaves a rest. */
  readonly isWriter: boolean;
  /** Takes the lock and the key that changing a foreign store needs. @throws SVC-STO-007 */
  readonly prepareAdoption: () => Promise<Buffer | undefined>;
  /** Keeps the ledgers' states in the state root, so that the next opening knows the store as ours. */
  readonly remember: (mediaId: string) => Promise<void>;
  /** Gives back what opening took; the last thing that happens. */
  readonly release: () => Promise<void>;
}
