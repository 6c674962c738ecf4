import type { Digest, DigestAlgorithm } from '../base/digest.ts';
import type { Steps } from '../base/pacer.ts';
import type { SyncOutcome } from '../contract/common.ts';
import type { Owner } from '../contract/content.ts';
import type { RecipeIngredientRecord } from '../contract/recipe.ts';
import type { ContentKind } from '../oci/kind.ts';

export interface TagRecord {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owners: readonly Owner[];
  /** From an adopted store and not yet reached by a verified recipe: only its name is listed. */
  readonly held: boolean;
}

/** A recipe that was published under a tag deleted since: no other content may be published there. */
export interface Publication {
  readonly digest: Digest;
  /** Digest of the recipe document; absent when the manifest could not be read. */
  readonly document?: Digest;
}

/** Totals of a repository, computed in time that does not depend on the bytes of its manifests. */
export interface RepositorySummary {
  /** Number of version tags: those of signatures and fallback indexes are not counted. */
  readonly versions: number;
  readonly kinds: ReadonlyMap<ContentKind, number>;
  readonly owners: readonly Owner[];
  /** Bytes of everything present that the repository reaches, each file counted once. */
  readonly sizeBytes: number;
  /** All content is held: only the name may be shown. */
  readonly held: boolean;
}

/** Facts of a manifest that the index has without reading the manifest. */
export interface ManifestRecord {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly size: number;
  readonly subject?: Digest;
  /** Child manifests of an index, present or not, in order. */
  readonly manifests: readonly Digest[];
  /** Blobs of an image manifest, with their sizes in bytes. */
  readonly blobs: readonly { readonly digest: Digest; readonly size: number }[];
}

/** One line of the recipe ledger: a complete, verified recipe of a run. */
export interface RecipeRecord {
  readonly name: string;
  readonly version: string;
  /** Nominal cookbook, `<host>/<path>`. */
  readonly cookbook: string;
  /** Local repository of the recipe artifact. */
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly documentDigest: Digest;
  readonly runId: string;
  readonly zone: string;
  /** RFC 3339 UTC. */
  readonly resolvedAt: string;
  readonly verified: boolean;
  readonly keyFingerprint?: string;
  readonly trustScope?: string;
  readonly ingredients: readonly RecipeIngredientRecord[];
}

/** Result of the last sync that resolved its Retriever. */
export interface SyncRecord {
  readonly zone: string;
  readonly runId: string;
  readonly resolvedAt: string;
  /** `partial`: some recipes failed; `failure`: all of them did. Absent in records of earlier versions. */
  readonly outcome?: SyncOutcome;
}

export const syncResults = ['success', 'partial', 'failure'] as const;

/** Facts of a manifest that is not in the store yet; sizes in bytes. */
export interface ArrivingManifest {
  readonly digest: Digest;
  readonly size: number;
  readonly manifests: readonly Digest[];
  readonly blobs: readonly { readonly digest: Digest; readonly size: number }[];
}

/** A tag that is added or removed, by the manifest it names. */
export interface TagPlace {
  readonly repository: string;
  readonly digest: Digest;
  /** In the shadow of the repository: from an adopted store, and not served. */
  readonly held: boolean;
}

/** Tags that change, and content that arrives with them. */
export interface ReachChange {
  readonly arriving: Iterable<ArrivingManifest>;
  readonly coming: Iterable<TagPlace>;
  readonly leaving: Iterable<TagPlace>;
}

/** Content that would be reached after a change of tags. */
interface ReachProjection {
  /** Bytes of everything present below a manifest, itself included. */
  sizeBelow(root: Digest): number;
  /** Bytes that the change would free, each file counted once. */
  readonly freedBytes: number;
}

/**
 * Content that a served or held manifest needs and whose file is gone or in quarantine. Content that never came is not among
 * it: platforms that an index leaves out, layers that may not be distributed.
 */
export interface LostContent {
  countLost(): number;
  /** The lost content that a manifest needs directly or indirectly, itself included. */
  lostBelow(root: Digest): readonly Digest[];
  /** Whether `lostBelow` lists anything: a second question about the same manifest walks nothing. */
  isLostBelow(root: Digest): boolean;
  /** Whether a repository needs lost content. */
  isLostIn(repository: string): boolean;
}

/** Visible content by repository, for the registry; all answers come from memory. */
export interface StoreIndex extends LostContent {
  /** Repository names in byte order, after `last`, at most `limit`. */
  repositories(options?: { readonly last?: string; readonly limit?: number }): readonly string[];
  hasRepository(repository: string): boolean;
  /** Number of versions in all repositories: tags of signatures and fallback indexes are not counted. */
  versions(): number;
  /** Names of the repositories that have versions of a kind, in byte order. */
  repositoriesOf(kind: ContentKind): readonly string[];
  /** Returns an object that is another one after any tag of this kind has changed. */
  markOf(kind: ContentKind): object;
  /** Whether a repository has versions of a kind. */
  isOfKind(repository: string, kind: ContentKind): boolean;
  /** Number of versions of each kind in a repository; empty when the repository does not exist. */
  kindsOf(repository: string): ReadonlyMap<ContentKind, number>;
  summaryOf(repository: string): RepositorySummary | undefined;
  /**
   * Name of the newest version: attachment tags are left out, and texts that are no versions come before all that are. The
   * first call reads every tag of the repository, later ones none until that version goes.
   */
  newestOf(repository: string): string | undefined;
  /** Tags in byte order (attachment tags included). */
  tags(
    repository: string,
    options?: { readonly last?: string; readonly limit?: number },
  ): readonly TagRecord[];
  /** Names of the tags in byte order (attachment tags included). */
  tagNames(repository: string): readonly string[];
  tag(repository: string, tag: string): TagRecord | undefined;
  /**
   * Place of a tag and its content in the order in which this store got its tags: a lower one was there before. Neither
   * clients nor content choose it. Undefined when there is no such tag.
   */
  sinceOf(repository: string, tag: string): number | undefined;
  /** Aliases whose owners had this tag before other owners pointed it elsewhere. */
  displacedFrom(repository: string, tag: string): readonly TagRecord[];
  /** The recipe published under a tag that has been deleted since. */
  publication(repository: string, tag: string): Publication | undefined;
  /** Whether anything published in this repository has been deleted since. */
  hasPublications(repository: string): boolean;
  /** All tag records that point at this manifest, in any repository. */
  tagsOf(digest: Digest): readonly TagRecord[];
  manifest(digest: Digest): ManifestRecord | undefined;
  /** Whether this manifest belongs to this repository: put there, or a child of one that was. */
  isManifestIn(repository: string, digest: Digest): boolean;
  /**
   * Whether this blob is visible in this repository: one of its manifests reaches the blob, or an upload or mount
   * exists.
   */
  isBlobIn(repository: string, digest: Digest): boolean;
  /** Whether a manifest of this repository needs this blob, so that it cannot be deleted from it. */
  isBlobNeeded(repository: string, digest: Digest): boolean;
  /**
   * Digests of present blobs and manifests, in any repository, whose hexadecimal part begins with a text.
   *
   * @param beginning `hex` has at least 7 lower-case hexadecimal digits; without `algorithm` both count
   */
  digestsBeginning(beginning: {
    readonly hex: string;
    readonly algorithm?: DigestAlgorithm | undefined;
    readonly limit: number;
  }): readonly Digest[];
  /** Size in bytes of a whole blob or manifest that is present in the store, in any repository. */
  sizeOf(digest: Digest): number | undefined;
  /** In the order of their digests. */
  referrers(repository: string, subject: Digest): readonly ManifestRecord[];
  /** The same in no order, each found on request: there may be any number. */
  eachReferrer(
    repository: string,
    subject: Digest,
  ): Iterable<Pick<ManifestRecord, 'digest' | 'artifactType'>>;
  /** Whether every known signature of a subject in this repository is whole: its manifest and blobs are present. */
  areSignaturesWhole(repository: string, subject: Digest): boolean;
  /** The manifests of these signatures and their blobs, also those whose files are gone. */
  signatureFiles(repository: string, subject: Digest): readonly Digest[];
  /** The records of the recipe ledger; the same list until the ledger changes. */
  recipes(): readonly RecipeRecord[];
  /** Manifests and blobs reachable from a manifest, present ones only, itself included. */
  reach(root: Digest): ReadonlySet<Digest>;
  /** Bytes of everything that `reach` returns. */
  sizeBelow(root: Digest): number;
  /** Computes the effect of a change of tags on reachable content, without changing anything. */
  project(change: ReachChange): Steps<ReachProjection>;
}
