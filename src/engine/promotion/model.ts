import type { Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { CallOptions, Prober, SignedSource, Source } from '../../oci/ports.ts';
import type { RepositoryReference } from '../../oci/reference.ts';
import type { RemoteRegistry } from '../../remote/model.ts';
import type { SvcError } from '../../text/error.ts';
import type { TrustPolicy } from '../../trust/model.ts';

/** A registry that receives the content of a zone. */
export interface Destination {
  readonly registry: string;
  readonly basePath?: string | undefined;
  readonly cookbook: string;
}

/** A local repository as a source of promotion. */
type LocalSource = SignedSource & Prober;

export interface PromotionOptions extends CallOptions {
  readonly registry: RemoteRegistry;
  readonly destination: Destination;
  readonly policy: TrustPolicy;
  /** Opens a local repository by its name. Its bytes are verified again. */
  readonly source: (repository: string) => LocalSource;
  /** False refuses unsigned content even where a relaxed scope would admit it. Default: decided by the policy. */
  readonly allowUnsigned?: boolean;
  /** Opens the source of platforms that the store does not have; absent for a medium. */
  readonly upstream?: (nominal: RepositoryReference) => Source;
  /** Number of ingredients pushed at the same time. Default 3. */
  readonly parallelism?: number;
  /** Repositories of the destination by blobs that they are known to have; a push mounts from them. */
  readonly holders?: Map<Digest, string>;
  /**
   * Whether the destination is asked for every blob, also below a manifest that it has: each once for a repository. Lost
   * ones are pushed again. Default: a manifest shows its blobs to be there.
   */
  readonly asksForBlobs?: boolean;
  /** Limits the number of blobs that move at the same time. */
  readonly limiter?: Semaphore;
  /** Learns whether the destination takes an index without all of its images. Default: nobody does. */
  readonly onSparse?: (found: SparseFinding) => void;
  readonly report: Report;
  readonly onBytes?: (count: number) => void;
}

/** What a destination did with an index of which images are absent. */
export interface SparseFinding {
  readonly place: RepositoryReference;
  readonly digest: Digest;
  readonly isTaken: boolean;
}

/** Outcome of one artifact. */
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
  /** Present when the recipe was not pushed. */
  readonly error?: SvcError;
}

export type PromotableRecipe = Pick<
  RecipeRecord,
  'name' | 'version' | 'cookbook' | 'repository' | 'digest' | 'documentDigest' | 'ingredients'
>;

/** Pushes complete recipes into one destination; content that several share is pushed once. */
export interface Promotion {
  /**
   * Does not throw except for an aborted signal: an error is part of the result. Of recipes with the same tag
   * at the destination, the first call gets the tag.
   *
   * @param tags tags at the destination, by ingredient, as planned
   */
  promote(recipe: PromotableRecipe, tags: ReadonlyMap<string, string>): Promise<PromotedRecipe>;
}

/** Outcome of one push. */
export interface PushResult {
  readonly status: 'pushed' | 'up-to-date';
  readonly bytes: number;
}
