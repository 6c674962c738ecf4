import type { Digest } from '../../base/digest.ts';
import type { Spool } from '../../remote/model.ts';
import type { TaskJournal } from '../../task/model.ts';
import type { ImportChoice, ImportCollaborators, ImportSettings } from './model.ts';

interface ImportRunSettings extends ImportSettings {
  /** Blobs that move at once. */
  readonly parallelism: number;
  /** Bytes from which a blob is downloaded resumably; 0: never. */
  readonly resumeThreshold: number;
  readonly marginPercent: number;
  readonly preflightDisabled: boolean;
  readonly stateRoot?: string | undefined;
}

export interface ImportRun extends ImportCollaborators {
  readonly settings: ImportRunSettings;
  /** Whom audit records name. */
  readonly actor: string;
  readonly journal: TaskJournal;
  readonly spool?: Spool | undefined;
  readonly chosen: readonly ImportChoice[];
  readonly vendorDependencies: boolean;
}

export interface ImportOutcome {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly movedBytes: number;
  /** Whether something may lie in the store now that nothing reaches. */
  readonly leavesContent: boolean;
}
