import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Digest, DigestAlgorithm } from '../base/digest.ts';
import type { Disposal } from '../base/release-memory.ts';
import type { HashOutcome } from '../disk/hash-file.ts';
import type { HashThreads } from '../disk/hash-threads.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { ContentKind } from '../oci/kind.ts';
import type {
  CallOptions,
  ManifestContent,
  ReferrersLister,
  Source,
  TagLister,
  Target,
} from '../oci/ports.ts';

/** How content came to be in the store. */
export type Provenance = 'recipe' | 'import' | 'push' | 'vulnerability-database' | 'local-pack';

/** Who answers for a tag: one of possibly several. `recipe` provenance names the recipe that brought it. */
export interface Owner {
  readonly provenance: Provenance;
  /** `<name>@<version>` and the nominal cookbook, for provenance `recipe`. */
  readonly recipe?: string;
  readonly cookbook?: string;
}

export interface TagRecord {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly kind: ContentKind;
  readonly owners: readonly Owner[];
  /** From an adopted store and not yet reached by a verified recipe: listed by name, nothing else. */
  readonly held: boolean;
}

/** What the index knows of a repository as a whole, in time that does not depend on the bytes of its manifests. */
export interface RepositorySummary {
  /** Tags of versions: those of signatures and fallback indexes are not counted. */
  readonly versions: number;
  readonly kinds: ReadonlyMap<ContentKind, number>;
  readonly owners: readonly Owner[];
  /** Bytes of everything present that the repository reaches, each file once. */
  readonly sizeBytes: number;
  /** There is nothing but what is held: its name is all that may be told. */
  readonly held: boolean;
}

/** What the index knows of a manifest without reading it. */
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

export interface RecipeIngredientRecord {
  readonly name: string;
  readonly kind: ContentKind;
  /** Nominal `<host>/<path>`. */
  readonly ref: string;
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
  readonly platforms?: readonly string[];
}

/** What the last sync that resolved its Retriever recorded. */
export interface SyncRecord {
  readonly zone: string;
  readonly runId: string;
  readonly resolvedAt: string;
}

/** What a put of a manifest means for tag and owner. */
export interface PutOptions {
  readonly owner: Owner;
  /** The kind when the carrier knows it better than the manifest does (a FileSet). */
  readonly kind?: ContentKind;
  /** An index may always lack children; an image manifest must have its blobs in this repository. */
  readonly tag?: string;
}

/** What is written through one repository. */
export interface RepositoryOptions extends Omit<PutOptions, 'tag'> {
  /** Large blobs go past the kernel's page cache: for what is not soon read again. */
  readonly direct?: boolean;
}

/** Receives one blob. Nothing is visible before `commit` has returned. */
export interface BlobWriter {
  readonly received: number;
  /**
   * Takes the next bytes; resolves when more are welcome. Calls may overlap: they count in their order.
   *
   * @param options `disposable`: what becomes of the chunk once it has served; `true` when nobody else uses it
   * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005
   */
  write(chunk: Buffer, options?: { readonly disposable?: Disposal }): Promise<void>;
  /** Begins to make durable what was taken so far, ahead of the commit; promises nothing. Never fails. */
  flush(): Promise<void>;
  /**
   * Ends the blob and makes it part of the store (idempotent over content that is there).
   *
   * @param expected the digest it must have; without it the digest of `algorithm` is taken
   * @returns the digest and size in bytes
   * @throws SVC-SIG-002 when it differs; the temporary file is gone then
   */
  commit(expected?: Digest): Promise<{ readonly digest: Digest; readonly size: number }>;
  /** Drops what was written; after `commit` it does nothing. */
  abort(): Promise<void>;
}

/** One repository of the store through the ports, for the engine. */
export interface LocalRepository extends Source, Target, TagLister, ReferrersLister {
  readonly name: string;
  pushBlob(blob: Descriptor, from: Readable, options?: LocalPushOptions): Promise<void>;
}

export interface LocalPushOptions extends CallOptions {
  /** Told of the bytes as they are taken. */
  readonly onBytes?: (count: number) => void;
}

/** Who has visible content where, for the registry surface; all answers come from memory. */
export interface StoreIndex {
  /** Repository names in byte order, after `last`, at most `limit`. */
  repositories(options?: { readonly last?: string; readonly limit?: number }): readonly string[];
  hasRepository(repository: string): boolean;
  /** How many versions of each kind a repository has; empty when there is none. */
  kindsOf(repository: string): ReadonlyMap<ContentKind, number>;
  summaryOf(repository: string): RepositorySummary | undefined;
  /** Tags in byte order (attachment tags included). */
  tags(
    repository: string,
    options?: { readonly last?: string; readonly limit?: number },
  ): readonly TagRecord[];
  tag(repository: string, tag: string): TagRecord | undefined;
  /** All tag records that point at this manifest, in any repository. */
  tagsOf(digest: Digest): readonly TagRecord[];
  manifest(digest: Digest): ManifestRecord | undefined;
  /** Whether this manifest belongs to this repository: put there, or a child of one that was. */
  isManifestIn(repository: string, digest: Digest): boolean;
  /** Whether this blob is visible in this repository (a manifest of it reaches it, or an upload or mount stands). */
  isBlobIn(repository: string, digest: Digest): boolean;
  /** Whether a manifest of this repository needs this blob, so that it cannot be deleted from it. */
  isBlobNeeded(repository: string, digest: Digest): boolean;
  /** Size in bytes of a whole blob or manifest that is present in the store, in whatever repository. */
  sizeOf(digest: Digest): number | undefined;
  referrers(repository: string, subject: Digest): readonly ManifestRecord[];
  /** Whether every signature of a subject that this repository has known is whole: its manifest and blobs are there. */
  areSignaturesWhole(repository: string, subject: Digest): boolean;
  recipes(): readonly RecipeRecord[];
  /** Manifests and blobs reachable from a manifest, present ones only, itself included. */
  reach(root: Digest): ReadonlySet<Digest>;
  /** Bytes of all that `reach` names. */
  sizeBelow(root: Digest): number;
}

export interface CollectionResult {
  readonly blobs: number;
  readonly bytes: number;
}

export interface RemovedTag {
  readonly repository: string;
  readonly tag: string;
  readonly digest: Digest;
}

export interface OccupancyRecord {
  readonly bytes: number;
  /** RFC 3339 UTC. */
  readonly sampledAt: string;
}

/** One thing that is not as it should be. */
export interface CheckProblem {
  /**
   * `damaged`: bytes that are not what their name says. `missing`: content that something needs. `record`: a ledger, a
   * file of the rest or a manifest that contradicts another. `stray`: what is no content, or nothing needs.
   */
  readonly kind: 'damaged' | 'missing' | 'record' | 'stray';
  /** Relative to the root. */
  readonly path: string;
  /** In English words, for people. */
  readonly problem: string;
  /** Of the content at fault. */
  readonly digest?: Digest;
  /** What the reading of a damaged blob gave. */
  readonly outcome?: HashOutcome;
}

export interface CheckStep {
  readonly name: 'format' | 'ledgers' | 'folders' | 'manifests' | 'blobs' | 'reachability' | 'rest';
  readonly checked: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** What content or records of the store suffer from. */
  readonly problems: readonly CheckProblem[];
  /** What nothing suffers from: strangers, leftovers of interrupted writes, damage that nothing needs. */
  readonly notes: readonly CheckProblem[];
}

export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of every blob whose bytes are right. */
  readonly onWhole?: ((digest: Digest) => void) | undefined;
  /** Told while the blobs are read, in bytes. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Threads that have been started for it; they are ended with the reading of the blobs. */
  readonly threads?: HashThreads | undefined;
}

export interface CheckProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** A blob that was taken out of service. */
export interface QuarantinedBlob {
  readonly digest: Digest;
  /** Where the file is now, relative to the root; absent when there was none any more. */
  readonly path?: string;
  /** Bytes that lie there. */
  readonly size: number;
  /** What was wrong, in English words. */
  readonly problem: string;
}

/** A tag, or a repository, that does not work without some digest, and the recipes that answer for it. */
export interface AffectedContent {
  readonly repository: string;
  readonly tag?: string;
  readonly recipes: readonly string[];
}

/** How the store relates to this instance (see docs/media.md). */
export type Standing = 'ours' | 'foreign';

/** `older` and `altered` are told of a store under our own key. */
export type ForeignReason = 'unkeyed' | 'keyed' | 'other-key' | 'not-remembered' | 'altered' | 'older';

/**
 * The store on disk. A write that has returned survives a kill of the process; a manifest that was put, and all it
 * reaches, survives a power cut.
 */
export interface Store extends AsyncDisposable {
  readonly root: string;
  readonly mediaId: string;
  readonly standing: Standing;
  /** Why a store is foreign; undefined for our own. */
  readonly reason: ForeignReason | undefined;
  /** Set when changes are impossible: a read-only volume, a damaged ledger, a key we do not have, a shared lock. */
  readonly readOnly: string | undefined;
  /** What must be said about the opening: no lock taken, torn tail dropped, damage at an offset… */
  readonly notices: readonly string[];
  /** Batches of a ledger that do not verify; the index holds what stands before them. A medium is judged by it. */
  readonly damage: readonly {
    readonly ledger: 'content' | 'recipes';
    readonly path: string;
    readonly detail: string;
  }[];
  /** The ledger files that count, relative to the root. */
  readonly ledgers: { readonly content: string; readonly recipes: string };
  readonly index: StoreIndex;
  readonly lastSync: SyncRecord | undefined;
  /** Changes when ledgers change: binds a clearance to what was verified. */
  readonly head: string;

  repository(name: string, options: RepositoryOptions): LocalRepository;

  /** The bytes of a manifest through a bounded cache, checked against its digest when read from disk. */
  readManifest(digest: Digest): Promise<ManifestContent | undefined>;
  /** Guarded open of a whole blob (or manifest); the caller closes it. @throws SVC-STO-001 */
  openBlob(digest: Digest): Promise<{ readonly file: FileHandle; readonly size: number }>;

  createBlobWriter(options?: {
    readonly algorithm?: DigestAlgorithm;
    readonly size?: number;
    /** A large blob goes past the kernel's page cache: for what is not soon read again. */
    readonly direct?: boolean;
  }): Promise<BlobWriter>;
  /**
   * The path of a file that is not there yet, on the store's volume, for content that `adoptFile` takes; whoever makes it
   * and does not hand it in removes it.
   *
   * @param size bytes that will be written
   * @throws SVC-STO-004, SVC-STO-005
   */
  newTemporary(size: number): Promise<string>;
  /**
   * Takes a complete file on the store's volume as a blob by renaming it; its digest has been computed by the caller
   * over every byte since its first.
   */
  adoptFile(path: string, digest: Digest, size: number): Promise<void>;
  /** Records that an identity uploaded a blob into a repository. */
  recordUpload(repository: string, digest: Digest, actor: string): Promise<void>;
  /** Makes a blob of another repository visible here. False: not there. */
  mountBlob(repository: string, digest: Digest, from: string, actor: string): Promise<boolean>;
  /** Holds blobs and manifests against collection for 24 h, in memory. */
  lease(digest: Digest): void;
  /**
   * Stores a manifest whose bytes have the digest, and points the tag at it once all it reaches is durable.
   *
   * @throws SVC-SIG-002 (wrong digest), ManifestError, MissingBlobsError, SVC-STO-00x
   */
  putManifest(repository: string, manifest: ManifestContent, options: PutOptions): Promise<void>;
  /** Adds owners to, or re-points, tags whose content is present: one batch for all. */
  putTags(tags: readonly (Omit<TagRecord, 'held' | 'owners'> & { readonly owner: Owner })[]): Promise<void>;

  /** Removes a tag with all its owners, and collects what it alone held. */
  deleteTag(repository: string, tag: string): Promise<CollectionResult | undefined>;
  deleteManifest(repository: string, digest: Digest): Promise<CollectionResult | undefined>;
  /** Ends the visibility of a blob in a repository; the bytes go when nothing holds them. */
  deleteBlob(repository: string, digest: Digest): Promise<boolean>;
  /** Removes one owner from tags; a tag without owners is removed and what it alone held is collected. */
  releaseOwners(
    releases: readonly { readonly repository: string; readonly tag: string; readonly owner: Owner }[],
  ): Promise<{ readonly removed: readonly RemovedTag[] } & CollectionResult>;

  /** Replaces the recipe ledger's live set by the run's complete recipes plus those kept, and records the run. */
  recordSync(sync: SyncRecord, recipes: readonly RecipeRecord[]): Promise<void>;

  /** Full mark in slices of at most 10 ms, then sweep. Any read error aborts with nothing deleted. */
  collect(): Promise<CollectionResult>;
  /** Makes a foreign store ours: new ledger generation, tags held. Does nothing when it is ours. */
  adopt(): Promise<void>;
  /** Lifts the hold of tags whose bytes have been hashed for a verified recipe. */
  releaseHeld(tags: readonly { readonly repository: string; readonly tag: string }[]): Promise<void>;
  /** Empties content and both ledgers under a new medium id. */
  reset(): Promise<{ readonly repositories: number; readonly bytes: number }>;

  /** Writes `index.json` (and in mirror mode `media.jsonl`) now. */
  rest(): Promise<void>;
  occupancy(): OccupancyRecord;
  /** Whole-store check as named steps; hashes every byte. Changes nothing. */
  check(options?: CheckOptions): AsyncIterable<CheckStep>;
  /** Digests of all blob files that are present, in the order of their names after `last`, in small batches. */
  listBlobs(last?: Digest): AsyncIterable<readonly { readonly digest: Digest; readonly size: number }[]>;
  /**
   * Takes blobs out of service whose bytes are not what they are called, after a look of its own; they count as absent
   * from here on. @throws SVC-STO-002, SVC-MED-030
   */
  quarantine(
    suspects: Iterable<{ readonly digest: Digest; readonly outcome?: HashOutcome | undefined }>,
  ): Promise<readonly QuarantinedBlob[]>;
  /** Records that these blobs, which the caller has just hashed, are whole; they are made durable first. */
  vouch(digests: Iterable<Digest>): Promise<number>;
  /** What does not work without these: tags, repositories, recipes. */
  affected(digests: readonly Digest[]): Promise<ReadonlyMap<Digest, readonly AffectedContent[]>>;
}

export interface OpenStoreOptions {
  readonly root: string;
  /** Where the key and the remembered ledger states live; without it the store is unkeyed. */
  readonly stateRoot?: string | undefined;
  readonly zone?: string | undefined;
  /** In mirror mode the rest writes the medium manifest. */
  readonly mode?: 'passthrough' | 'mirror' | undefined;
  /**
   * `write`: exclusive lock, created when missing. `serve`: exclusive for ours, shared and read-only for foreign with a
   * zone, created when missing. `read`: shared. `peek`: no lock, ledgers up to their last whole batch, never created
   * (`openStore` then returns undefined when there is none).
   */
  readonly access: 'write' | 'serve' | 'read' | 'peek';
  readonly producer: { readonly version: string };
  readonly report: import('../base/report.ts').Report;
  /** Names the holder in the lock's message. */
  readonly holder?: string;
  /**
   * Whether work waits or runs that may go on from content that nothing reaches yet, as an earlier process left it: the
   * collection an hour after the open waits for its end.
   */
  readonly isBusy?: () => boolean;
  /** For tests: milliseconds since the epoch. */
  readonly now?: () => number;
}
