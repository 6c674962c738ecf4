import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { ChartDependency } from '../../chart/embedded-dependencies.ts';
import type { ContentKind } from '../../oci/kind.ts';
import type { Credentials, RemoteRegistry, Transport } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import type { ContentStatus } from '../sync/model.ts';

/** Name of the only choice of content without a platform. */
export const anyPlatform = 'any';

/** One choice that an artifact offers. Children of an index that share a platform are one choice. */
export interface InspectedPlatform {
  /** `os/architecture[/variant]`, or `any`. */
  readonly name: string;
  readonly os?: string;
  readonly architecture?: string;
  readonly variant?: string;
  /** Digest of the manifest for this platform. An import requires the same digest. */
  readonly digest: Digest;
  /** Bytes of all content that it reaches. */
  readonly sizeBytes: number;
  /** Compared with the local store. */
  readonly status: ContentStatus;
}

/** Result of an inspection: what an import would store. */
export interface Inspection {
  /** Canonical form; a version constraint is resolved. */
  readonly reference: string;
  /** The reference that was contacted, where it differs from the nominal one. */
  readonly effective?: string;
  /** Local repository and tag. */
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly mediaType: string;
  readonly kind: ContentKind;
  readonly multiPlatform: boolean;
  readonly platforms: readonly InspectedPlatform[];
  readonly signatures: readonly {
    readonly layout: 'classic' | 'bundle' | 'provenance';
    readonly digest: Digest;
  }[];
  /** Dependencies that a chart declares, and whether each is embedded. */
  readonly dependencies?: readonly ChartDependency[];
}

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
