import type { Digest } from '../../base/digest.ts';
import type { RemoteAccess } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';

/** Name of the only choice of content without a platform. */
export const anyPlatform = 'any';

/** A choice of an inspection, as requested by an import. */
export interface ImportChoice {
  readonly name: string;
  readonly digest: Digest;
}

/** Collaborators of inspections and imports. */
export interface ImportCollaborators extends RemoteAccess {
  readonly store: Store;
}

export interface ImportSettings {
  readonly basePrefix?: string | undefined;
  /** Number of retries after a transient failure. */
  readonly retries: number;
}
