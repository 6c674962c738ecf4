import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { Credentials, RemoteRegistry, Transport } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';

/** Name of the only choice of content without a platform. */
export const anyPlatform = 'any';

/** A choice of an inspection, as requested by an import. */
export interface ImportChoice {
  readonly name: string;
  readonly digest: Digest;
}

/** Collaborators of inspections and imports. */
export interface ImportCollaborators {
  readonly registry: RemoteRegistry;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly store: Store;
  readonly report: Report;
  readonly signal?: AbortSignal | undefined;
}

export interface ImportSettings {
  readonly basePrefix?: string | undefined;
  /** Number of retries after a transient failure. */
  readonly retries: number;
}
