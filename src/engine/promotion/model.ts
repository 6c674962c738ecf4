import type { Semaphore } from '../../base/concurrency.ts';
import type { SvcError } from '../../base/error.ts';
import type { Report } from '../../base/report.ts';
import type { CallOptions, Prober, SignedSource, Source } from '../../oci/ports.ts';
import type { RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import type { RecipeRecord } from '../../store/model.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import type { Destination } from '../prepare-sync.ts';

/** A local repository as promotion reads it. */
export type LocalSource = SignedSource & Partial<Prober>;

export interface PromotionOptions extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly destination: Destination;
  readonly policy: TrustPolicy;
  /** A local repository by its name. Bytes are checked again whatever it says. */
  readonly source: (repository: string) => LocalSource;
  /** False refuses what a relaxed scope would admit unsigned. Default: as the policy says. */
  readonly allowUnsigned?: boolean;
  /** Where platforms that are not carried can be had; absent on a medium. */
  readonly upstream?: (nominal: RepositoryReference) => Source;
  /** Ingredients that cross at once. Default 3. */
  readonly parallelism?: number;
  /** Bounds the blobs under way. */
  readonly lanes?: Semaphore;
  readonly report: Report;
  readonly onBytes?: (count: number) => void;
}

/** What became of one artifact at the destination. */
export interface PromotedArtifact {
  /** The ingredient's name; absent for the recipe itself. */
  readonly ingredient?: string;
  readonly reference: string;
  readonly status: 'pushed' | 'up-to-date' | 'failed' | 'skipped';
  readonly pushedBytes: number;
  readonly error?: SvcError;
}

export interface PromotedRecipe {
  readonly recipe: PromotedArtifact;
  readonly ingredients: readonly PromotedArtifact[];
  /** Present when the recipe did not land. */
  readonly error?: SvcError;
}

export type PromotableRecipe = Pick<
  RecipeRecord,
  'name' | 'version' | 'cookbook' | 'repository' | 'digest' | 'ingredients'
>;

/** Pushes complete recipes into one destination; what several share crosses once. */
export interface Promotion {
  /** Never throws but for an aborted signal: the failure is the answer. */
  promote(recipe: PromotableRecipe): Promise<PromotedRecipe>;
}

/** What became of one crossing. */
export interface Crossing {
  readonly status: 'pushed' | 'up-to-date';
  readonly bytes: number;
}
