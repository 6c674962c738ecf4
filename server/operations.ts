import type { SyncRecord } from '../src/catalog/model.ts';
import type { Inspection } from '../src/engine/import/model.ts';
import type { PublishedRecipe } from '../src/engine/publish/publish-recipe.ts';
import type { MediumReport, PlanAnswer, VerificationState } from '../src/engine/sync/model.ts';
import type { LayoutFormat, LayoutPlan } from '../src/operation/export-layout.ts';
import type { ServedFilesets } from '../src/operation/filesets.ts';
import type { AskedImport } from '../src/operation/import-artifact.ts';
import type { ListedRecipe } from '../src/operation/list-recipes.ts';
import type { MappingRequest, RecipeMapping } from '../src/operation/map-recipe.ts';
import type { PackedFileset } from '../src/operation/pack-fileset.ts';
import type { PrunePreview, PruneProjection } from '../src/operation/prune-preview.ts';
import type { ResetResult, ResetStoreInput } from '../src/operation/reset-store.ts';
import type { ScrubView } from '../src/operation/scrub-store.ts';
import type { Task } from '../src/task/model.ts';
import type { TrustRoot } from '../src/trust/model.ts';

/** Waivers that a media request carries; only an administrator's get here. */
export interface MediaRequest {
  readonly allowZoneMismatch: boolean;
  readonly allowStale: boolean;
  readonly actor: string;
  /** Where the request came from, for audit records. */
  readonly origin: string;
}

/** The record of `GET /api/v1/media`. */
interface MediaRecord {
  readonly zone: string;
  readonly root: string;
  readonly mediaId?: string;
  readonly lastImport?: {
    readonly mediaId: string;
    readonly resolvedAt: string;
    readonly importedAt: string;
    readonly runId: string;
  };
}

export interface MediaOperations {
  state(): Promise<MediaRecord>;
  verification(): VerificationState;
  /** The walk goes on when the client leaves. @throws SVC-MED-031 while one walks */
  verify(request: MediaRequest): Promise<MediumReport>;
  /** @throws SVC-MED-031, SVC-TSK-002, SVC-CFG-001 */
  submitImport(request: MediaRequest): Promise<Task>;
}

/** The static part of the Retriever administration record; interval and occupancy are added by the surface. */
export interface RetrieverRecord {
  readonly source?: string;
  readonly mode: 'passthrough' | 'mirror';
  readonly zone?: string;
  readonly destination?: string;
  readonly cookbook?: string;
  readonly relaxedScopes: readonly {
    readonly name: string;
    readonly repositories: readonly string[];
    readonly allowUnsigned: boolean;
    readonly roots?: readonly string[];
  }[];
  readonly anonymousFilesets: readonly string[];
  readonly prune: boolean;
  readonly scrub?: ScrubView;
  readonly lastSync?: SyncRecord;
}

export interface OccupancyView {
  readonly bytes: number;
  readonly thresholdBytes?: number;
  readonly monitored: boolean;
  readonly exceeded: boolean;
  readonly sampledAt: string;
}

/** The outbound side of the network screen; nothing secret is in it. */
export interface EgressRecord {
  /** Host and port of the forward proxy. */
  readonly proxy?: string;
  readonly proxyAuthenticated: boolean;
  /** How many extra certificate authorities are configured. */
  readonly extraRoots: number;
  readonly exclusiveTrust: boolean;
}

interface LayoutRequest {
  readonly format: LayoutFormat;
  readonly recipes: readonly string[];
  readonly repositories: readonly string[];
  readonly overwrite: boolean;
}

/** OCI image layouts on the machine of the instance; paths are absolute. */
export interface LayoutOperations {
  /** @throws SVC-REG-005, SVC-MED-03x; with an output SVC-FIL-003, SVC-LAY-003, SVC-STO-004, SVC-STO-005 */
  plan(request: LayoutRequest & { readonly output?: string | undefined }): Promise<LayoutPlan>;
  /** @throws SVC-FIL-003, SVC-LAY-003, SVC-MED-03x, SVC-TSK-002, SVC-VAL-001 */
  submitExport(
    request: LayoutRequest & { readonly output: string; readonly actor: string; readonly origin: string },
  ): Promise<Task>;
  /** @throws SVC-FIL-003, SVC-MED-030, SVC-REG-001, SVC-TSK-002, SVC-VAL-001 */
  submitImport(request: {
    readonly input: string;
    readonly repository?: string | undefined;
    readonly actor: string;
    readonly origin: string;
  }): Promise<Task>;
}

/** What an instance can be asked to do; the surfaces stand on this and know nothing of how it is done. */
export interface InstanceOperations {
  /** @throws SVC-TSK-002, SVC-CFG-001, SVC-MED-030 */
  submitSync(request: {
    readonly actor: string;
    /** Where the request came from; the schedule has none. */
    readonly origin?: string;
    readonly prune?: boolean;
  }): Promise<Task>;
  /** Looks at what a unit import would bring. @throws SVC-REG-001, SVC-REG-004, and what looking throws */
  inspect(request: { readonly reference: string; readonly signal: AbortSignal }): Promise<Inspection>;
  /** @throws SVC-REG-001, SVC-POL-001, SVC-VAL-001, SVC-TSK-002, SVC-MED-030 */
  submitImport(request: AskedImport & { readonly actor: string; readonly origin: string }): Promise<Task>;
  /** Publishes a recipe in this registry or another. @throws SVC-REG-001, SVC-VAL-001, SVC-VAL-002, SVC-POL-004 */
  publish(request: {
    readonly reference: string;
    readonly document: Buffer;
    /** Names under which the client reaches this instance. */
    readonly hosts: readonly string[];
    readonly actor: string;
    readonly origin: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<PublishedRecipe>;
  /** The error of a Retriever that cannot be resolved is thrown, never an empty list returned. */
  prunePreview(): Promise<PrunePreview>;
  /**
   * What a synchronization that is triggered without a choice would prune, or why that cannot be said; undefined where
   * it prunes nothing. Never throws.
   */
  projectPrune(): Promise<PruneProjection | undefined>;
  /** Always an answer; only a request that cannot be understood throws. @throws SVC-SRV-006 */
  plan(request: {
    readonly document?: string;
    readonly skipDestination?: boolean;
    /** Each has one plan at once. */
    readonly actor: string;
    readonly signal: AbortSignal;
  }): Promise<PlanAnswer>;
  recipes(): Promise<readonly ListedRecipe[]>;
  /** Public keys that are trusted, with the predicate types that approve under them. */
  readonly roots: readonly TrustRoot[];
  /** @throws SVC-REG-005 when there are no records */
  mapRecipe(records: readonly ListedRecipe[], request: MappingRequest): RecipeMapping;
  retriever(): RetrieverRecord;
  occupancy(): OccupancyView;
  egress(): EgressRecord;
  readonly filesets: Pick<
    ServedFilesets,
    'settings' | 'select' | 'requireServable' | 'repositoryOf' | 'nominalOf' | 'review'
  >;
  /** Whether folders of the machine may be packed on request. */
  readonly packEnabled: boolean;
  readonly layout: LayoutOperations;
  /** Packs a folder below `files.packRoots`. @throws SVC-FIL-001…003, SVC-POL-002 and what the store throws */
  packFileset(request: {
    readonly source: string;
    readonly name: string;
    readonly version: string;
    readonly actor: string;
    readonly origin: string;
    readonly correlationId: string;
    readonly signal: AbortSignal;
  }): Promise<PackedFileset>;
  /** Empties the store. @throws SVC-STO-006, SVC-TSK-003, SVC-MED-031 and what the store throws */
  resetStore(request: ResetStoreInput): Promise<ResetResult>;
  /** Absent on an instance without `zone`. */
  readonly media: MediaOperations | undefined;
}
