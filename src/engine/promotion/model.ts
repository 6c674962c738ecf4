import type { Semaphore } from '../../base/concurrency.ts';
import type { SvcError } from '../../base/error.ts';
import type { Report } from '../../base/report.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { CallOptions, Prober, SignedSource, Source } from '../../oci/ports.ts';
import type { RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import type { TrustPolicy } from '../../trust/model.ts';
import type { Destination } from '../sync/prepare-sync.ts';

/** A local repository as promotion reads it. */
type LocalSource = SignedSource & Prober;

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
  readonly limiter?: Semaphore;
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
  'name' | 'version' | 'cookbook' | 'repository' | 'digest' | 'documentDigest' | 'ingredients'
>;

/** Pushes complete recipes into one destination; what several share crosses once. */
export interface Promotion {
  /**
   * Never throws but for an aborted signal: the failure is the answer. Of recipes that would have one tag at the
   * destination, the first that is handed over has it.
   *
   * @param tags at the destination, by ingredient, as they were planned
   */
  promote(recipe: PromotableRecipe, tags: ReadonlyMap<string, string>): Promise<PromotedRecipe>;
}

/** What became of one crossing. */
export interface Crossing {
  readonly status: 'pushed' | 'up-to-date';
  readonly bytes: number;
}
