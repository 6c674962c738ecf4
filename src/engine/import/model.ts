import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { ChartDependency } from '../../chart/embedded-dependencies.ts';
import type { ContentKind } from '../../oci/kind.ts';
import type { Credentials, RemoteRegistry, Transport } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import type { ContentStatus } from '../sync/model.ts';

/** The name of the one choice that content without a platform offers. */
export const anyPlatform = 'any';

/** One choice that an artifact offers; children of an index that share a platform are one. */
export interface InspectedPlatform {
  /** `os/architecture[/variant]`, or `any`. */
  readonly name: string;
  readonly os?: string;
  readonly architecture?: string;
  readonly variant?: string;
  /** Of the manifest for this platform: what an import must find again. */
  readonly digest: Digest;
  /** Of everything it reaches. */
  readonly sizeBytes: number;
  /** Against the local store. */
  readonly status: ContentStatus;
}

/** What a unit import would bring. */
export interface Inspection {
  /** In its canonical form, a constraint resolved. */
  readonly reference: string;
  /** The place that was asked, where it is not the nominal one. */
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
  /** Of a chart: what it declares, and whether it carries it. */
  readonly dependencies?: readonly ChartDependency[];
}

/** A choice of an inspection, as it is asked for. */
export interface ImportChoice {
  readonly name: string;
  readonly digest: Digest;
}

/** Whom inspections and imports work with. */
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
  /** How often a transient failure is tried again. */
  readonly retries: number;
}
