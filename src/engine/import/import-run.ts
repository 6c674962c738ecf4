import type { Digest } from '../../base/digest.ts';
import type { Spool } from '../../remote/model.ts';
import type { TaskJournal } from '../../task/model.ts';
import type { ImportChoice, ImportCollaborators, ImportSettings } from './model.ts';

interface ImportRunSettings extends ImportSettings {
  /** Number of artifacts that move at the same time; each moves some blobs at once. */
  readonly parallelism: number;
  /** Bytes. Larger blobs are downloaded resumably; 0: none. */
  readonly resumeThreshold: number;
  readonly marginPercent: number;
  readonly preflightDisabled: boolean;
  readonly stateRoot?: string | undefined;
}

export interface ImportRun extends ImportCollaborators {
  readonly settings: ImportRunSettings;
  /** Identity in audit records. */
  readonly actor: string;
  readonly journal: TaskJournal;
  readonly spool?: Spool | undefined;
  readonly chosen: readonly ImportChoice[];
  readonly vendorDependencies: boolean;
  /** As of `fingerprintTag`: the content of the tag when the import was confirmed. */
  readonly replaces?: string | undefined;
}

export interface ImportOutcome {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly movedBytes: number;
  /** Whether the store may now have content that no tag reaches. */
  readonly leavesContent: boolean;
}
