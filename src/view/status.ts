import type { SyncResult } from '../catalog/model.ts';
import type { Notice } from '../contract/status.ts';
import type { LoweredRecipe } from '../engine/sync/model.ts';
import type { LinkView } from '../link/show-link.ts';
import type { TaskHead } from '../task/storage.ts';
import type { ErrorCode } from '../text/errors/registry.ts';

export interface OccupancyView {
  readonly bytes: number;
  readonly thresholdBytes?: number;
  readonly monitored: boolean;
  readonly exceeded: boolean;
  readonly sampledAt: string;
}

/** Room on the volume of the store, in bytes. */
export interface VolumeView {
  /** At most one per cent away from what is free. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export interface StatusView {
  readonly version: string;
  readonly mode: 'passthrough' | 'mirror';
  readonly zone?: string;
  readonly authentication: { readonly disabled: boolean };
  readonly gate: {
    /** Whether content is served only after a verification. */
    readonly guarded: boolean;
    readonly serving: 'open' | 'closed';
    /** Why it is closed. */
    readonly code?: 'SVC-MED-030' | 'SVC-MED-032' | 'SVC-MED-033';
    /** Why the last verification refused the medium, without repetition; absent where it did not. */
    readonly reasons?: readonly ErrorCode[];
  };
  readonly occupancy: Omit<OccupancyView, 'sampledAt'>;
  /** Absent while the volume is away or cannot be asked. */
  readonly volume?: VolumeView;
  /** The last sync that resolved its Retriever. */
  readonly lastSync?: { readonly runId: string; readonly resolvedAt: string; readonly outcome?: SyncResult };
  /** The last recorded import of the medium that is here, also by the command; `importedAt` is RFC 3339 UTC. */
  readonly lastImport?: { readonly mediaId: string; readonly importedAt: string; readonly runId: string };
  /** When the next synchronization of the schedule starts (RFC 3339 UTC); absent when none will. */
  readonly nextSync?: string;
  /** How fast, and when, transfers run; absent where an older instance does not say. */
  readonly link?: LinkView;
  /** The task that ended last. */
  readonly lastTask?: TaskHead;
  /** The task that runs. */
  readonly running?: TaskHead;
  /** Tasks that wait. */
  readonly pending: number;
  /** Whether the medium is being verified. */
  readonly verifying: boolean;
  /** Whether the medium was verified, and has not been imported yet as it was written. */
  readonly unimported: boolean;
  /** Recipes of which the source offered a lower version at the last run than is here; absent: none. */
  readonly lowered?: readonly LoweredRecipe[];
  readonly notices: readonly Notice[];
  /** Configured FileSets that cannot be served; absent without one. */
  readonly unservedFilesets?: readonly UnservedFilesetView[];
}

/** A configured FileSet that cannot be served. */
export interface UnservedFilesetView {
  readonly name: string;
  /** Why; the list of the FileSets has the whole error. */
  readonly code: ErrorCode;
}
