import type { Holder, Rank } from '../src/base/shares/shares.ts';
import type { Egress } from '../src/contract/access.ts';
import type { Inspection } from '../src/contract/content.ts';
import type { PackedFileset } from '../src/contract/fileset.ts';
import type { LayoutImportPlan, LayoutPlan } from '../src/contract/layout.ts';
import type { Media, MediumReport, VerificationState } from '../src/contract/medium.ts';
import type { PlanAnswer } from '../src/contract/plan.ts';
import type { Occupancy, PrunePreview, PublishedRecipe, RetrieverRecord } from '../src/contract/recipe.ts';
import type { ResetResult } from '../src/contract/store.ts';
import type { Task } from '../src/contract/task.ts';
import type { ChartViews } from '../src/engine/fileset/chart-views.ts';
import type { ServedFilesets } from '../src/engine/fileset/served-model.ts';
import type { LayoutFormat } from '../src/operation/export-layout.ts';
import type { AskedImport } from '../src/operation/import-artifact.ts';
import type { PruneProjection } from '../src/operation/prune-preview.ts';
import type { ResetStoreInput } from '../src/operation/reset-store.ts';
import type { HostReview, HostUse } from '../src/remote/transport/review-hosts.ts';
import type { ViewOperations } from '../src/view/parts.ts';
import type { AuthoringOperations } from './authoring-operations.ts';

/** Waivers of a media request. The role was checked: only those of administrators are present. */
export interface MediaRequest {
  readonly allowZoneMismatch: boolean;
  readonly allowStale: boolean;
  readonly actor: string;
  /** Of the actor, for its share of the queue. */
  readonly rank: Rank;
  /** Client address, for audit records. */
  readonly origin: string;
  /** Correlation identifier of the request. */
  readonly requestId: string;
}

export interface MediaOperations {
  state(): Promise<Media>;
  verification(): VerificationState;
  /**
   * Verifies the medium. The verification continues when the client disconnects. @throws SVC-MED-031 while
   * one runs
   */
  verify(request: MediaRequest): Promise<MediumReport>;
  /** Begins a verification without waiting for it. @throws SVC-MED-031 while one runs */
  beginVerification(request: MediaRequest): void;
  /** @throws SVC-MED-031, SVC-TSK-002, SVC-CFG-001 */
  submitImport(request: MediaRequest): Promise<Task>;
}

export interface LayoutRequest {
  readonly format: LayoutFormat;
  readonly recipes: readonly string[];
  readonly repositories: readonly string[];
  readonly overwrite: boolean;
}

/** Operations on OCI image layouts on the machine of the instance. Paths are absolute. */
export interface LayoutOperations {
  /** @throws SVC-REG-005, SVC-MED-03x; with an output SVC-FIL-003, SVC-LAY-003, SVC-STO-004, SVC-STO-005 */
  plan(request: LayoutRequest & { readonly output?: string | undefined }): Promise<LayoutPlan>;
  /** @throws SVC-FIL-003, SVC-LAY-003, SVC-MED-03x, SVC-TSK-002, SVC-VAL-001 */
  submitExport(
    request: LayoutRequest & {
      readonly output: string;
      readonly actor: string;
      readonly origin: string;
      readonly requestId: string;
    },
  ): Promise<Task>;
  /** @throws SVC-FIL-003, SVC-LAY-001, SVC-LAY-002, SVC-MED-030, SVC-REG-001, SVC-VAL-001 */
  planImport(request: {
    readonly input: string;
    readonly repository?: string | undefined;
  }): Promise<LayoutImportPlan>;
  /**
   * @param request.fingerprint of the plan that was confirmed
   * @throws SVC-FIL-003, SVC-MED-030, SVC-REG-001, SVC-TSK-002, SVC-VAL-001; with a fingerprint SVC-SRV-007 and what
   *   `planImport` throws
   */
  submitImport(request: {
    readonly input: string;
    readonly repository?: string | undefined;
    readonly fingerprint?: string | undefined;
    readonly actor: string;
    readonly origin: string;
    readonly requestId: string;
  }): Promise<Task>;
}

/** Operations of an instance. The surfaces depend on this interface only. */
export interface InstanceOperations extends ViewOperations {
  /**
   * @param request.fingerprint of the preview of the prune that was confirmed; the sources are asked before the task is
   *   created
   * @param request.projection what `projectPrune` found, for a request that names no fingerprint
   * @param request.patience milliseconds to wait for the sources then; the run compares the fingerprint in any case
   * @param request.signal aborted when the client gives up; no task is recorded then
   * @throws the reason of the signal, SVC-TSK-002, SVC-CFG-001, SVC-MED-030; with a fingerprint SVC-SRV-007 and what `prunePreview` throws
   */
  submitSync(request: {
    readonly actor: string;
    /** Of the actor, for its share of the queue. The schedule has none. */
    readonly rank?: Rank;
    /** Client address, for audit records. The schedule has none. */
    readonly origin?: string;
    /** Correlation identifier of the request. The schedule has none. */
    readonly requestId?: string;
    readonly prune?: boolean;
    readonly fingerprint?: string | undefined;
    readonly projection?: PruneProjection | undefined;
    readonly patience?: number;
    readonly signal?: AbortSignal | undefined;
  }): Promise<Task>;
  /**
   * Lists what a unit import would copy. @throws SVC-REG-001, SVC-REG-004, SVC-SRV-006 when no place is free in time, and
   * the errors of the inspection
   */
  inspect(request: {
    readonly reference: string;
    readonly holder: Holder;
    readonly signal: AbortSignal;
  }): Promise<Inspection>;
  /** @throws SVC-REG-001, SVC-POL-001, SVC-VAL-001, SVC-TSK-002, SVC-MED-030 */
  submitImport(
    request: AskedImport & {
      readonly actor: string;
      readonly rank: Rank;
      readonly origin: string;
      readonly requestId: string;
    },
  ): Promise<Task>;
  /**
   * Publishes a recipe to this registry or another one. @throws SVC-REG-001, SVC-VAL-001, SVC-VAL-002,
   * SVC-POL-004
   */
  publish(request: {
    readonly reference: string;
    readonly document: Buffer;
    /** Hosts under which the client knows this instance. */
    readonly hosts: readonly string[];
    readonly actor: string;
    readonly origin: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<PublishedRecipe>;
  /**
   * Lists what a prune would remove. Throws when the Retriever cannot be resolved; never returns an empty
   * list instead.
   */
  prunePreview(): Promise<PrunePreview>;
  /**
   * Computes what a sync with the default prune setting would prune, or the reason why that is unknown.
   * Undefined where such a sync prunes nothing. Never throws.
   *
   * @param patience milliseconds to wait for the sources
   */
  projectPrune(patience: number): Promise<PruneProjection | undefined>;
  /** Makes a plan. Problems are part of the answer. @throws SVC-SRV-006 when no place is free in time */
  plan(request: {
    readonly document?: string;
    readonly skipDestination?: boolean;
    readonly holder: Holder;
    readonly signal: AbortSignal;
  }): Promise<PlanAnswer>;
  retriever(): RetrieverRecord;
  occupancy(): Occupancy;
  egress(): Egress;
  /**
   * Compares the allowlist with the hosts that the configuration needs, those requested since the start, and the given ones.
   *
   * @param named hosts as documents name them, before substitution
   * @param planned hosts that a plan contacts, after substitution
   */
  reviewHosts(request: {
    readonly named: readonly { readonly host: string; readonly role: 'cookbook' | 'ingredient' }[];
    readonly planned: readonly HostUse[];
  }): HostReview;
  readonly filesets: Pick<
    ServedFilesets,
    | 'settings'
    | 'select'
    | 'requireServable'
    | 'repositoryOf'
    | 'nominalOf'
    | 'review'
    | 'unserved'
    | 'listIndexes'
  >;
  /** Generated trees that are served beside the FileSets. */
  readonly views: Pick<ChartViews, 'settings' | 'index' | 'review'>;
  /** Whether `files.packRoots` allows folders to be packed on request. */
  readonly packEnabled: boolean;
  /** Whether a run that the volumes do not fit is reported only. */
  readonly preflightDisabled: boolean;
  readonly layout: LayoutOperations;
  readonly authoring: AuthoringOperations;
  /**
   * Packs a folder below `files.packRoots`. @throws SVC-FIL-001…003, SVC-POL-002, SVC-SRV-007 and the errors of the store
   */
  packFileset(request: {
    readonly source: string;
    readonly name: string;
    readonly version: string;
    /** As of `fingerprintTag`: the version that was shown before. */
    readonly replaces?: string | undefined;
    readonly actor: string;
    readonly origin: string;
    readonly correlationId: string;
    readonly signal: AbortSignal;
  }): Promise<PackedFileset>;
  /** Where a version of a FileSet is stored. @throws SVC-FIL-001 for an unusable name or version */
  filesetPlace(fileset: { readonly name: string; readonly version: string }): {
    readonly repository: string;
    readonly tag: string;
  };
  /** Empties the store. @throws SVC-STO-006, SVC-TSK-003, SVC-MED-031 and the errors of the store */
  resetStore(request: ResetStoreInput): Promise<ResetResult>;
  /** Path of the configuration document, for commands on the machine of the instance; absent where there is none. */
  readonly configPath?: string | undefined;
  /** Absent on an instance without `zone`. */
  readonly media: MediaOperations | undefined;
}
