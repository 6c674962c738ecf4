import type { Digest } from '../base/digest.ts';
import type { Disposal } from '../base/release-memory.ts';
import type { StoreIndex, SyncRecord } from '../catalog/model.ts';
import type { Owner } from '../contract/content.ts';
import type { Place } from '../disk/place/place.ts';
import type { HashOutcome } from '../disk/threads/hash-file.ts';
import type { HashThreads } from '../disk/threads/hash-threads.ts';
import type { ContentKind } from '../oci/kind.ts';
import type { ReferrersLister, Source, TagLister, Target } from '../oci/ports.ts';
import type { Rule } from '../text/rule.ts';
import type { StoreCore } from './store-core.ts';

/** Tag and owner of a manifest put. */
export interface PutOptions {
  readonly owner: Owner;
  /** The kind, where the caller knows it and the manifest does not say it (a FileSet). */
  readonly kind?: ContentKind;
  /** One or several tags; all are set or none. */
  readonly tag?: string | readonly string[];
  /** Called in the step that records the tags, when no other put can change them; throws to cancel it. */
  readonly require?: () => void;
}

/** Result of a put for one tag. */
export interface PutTag {
  readonly tag: string;
  /** False when the tag keeps its digest: it has the same recipe document, or more signatures. */
  readonly isSet: boolean;
  /** The digest before the put. */
  readonly previous?: Digest;
}

/** Conditions of a deletion. */
export interface DeleteOptions {
  /** Called in the exclusive step that records the deletion; throws to cancel it. */
  readonly require?: () => void;
}

/** A tag whose digest was changed. */
export interface RePointedTag {
  readonly repository: string;
  readonly tag: string;
  /** The digest before the change. */
  readonly previous: Digest;
  readonly digest: Digest;
}

/** Options for all writes through one repository. */
export interface RepositoryOptions extends Omit<PutOptions, 'tag'> {
  /** Called for each tag that was changed to another digest, after the change is recorded. */
  readonly onRePointed?: (tag: RePointedTag) => void;
  /** Write large blobs without the page cache of the kernel: for content that is not read again soon. */
  readonly direct?: boolean;
}

/** Writes one blob. The blob is not visible before `commit` has returned. */
export interface BlobWriter {
  readonly received: number;
  /** Bytes received and not yet written to the file; 0 after the writer has ended. */
  readonly pending: number;
  /**
   * Adds bytes; resolves when more can be added. Calls may overlap: their order is the order of the bytes.
   *
   * @param options `disposable`: treatment of the memory of the chunk after use; `true` when no other code uses it
   * @throws SVC-STO-002, SVC-STO-004, SVC-STO-005
   */
  write(chunk: Buffer, options?: { readonly disposable?: Disposal }): Promise<void>;
  /** Starts syncing the bytes received so far, to shorten the commit. Gives no guarantee. Never fails. */
  flush(): Promise<void>;
  /**
   * Completes the blob and adds it to the store; idempotent when the store has it already.
   *
   * @param expected the required digest; without it the digest of `algorithm` is used
   * @returns the digest and size in bytes
   * @throws SVC-SIG-002 when the digest differs; the temporary file is removed
   */
  commit(expected?: Digest): Promise<{ readonly digest: Digest; readonly size: number }>;
  /** Discards the written bytes; has no effect after `commit`. */
  abort(): Promise<void>;
}

/** One repository of the store, as source and target of copies. */
export interface LocalRepository extends Source, Target, TagLister, ReferrersLister {
  readonly name: string;
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

/** One finding of a check. */
export interface CheckProblem {
  /**
   * `damaged`: the bytes do not match the digest in the name. `missing`: needed content is absent. `record`:
   * a ledger, `index.json`, `media.jsonl` or a manifest contradicts another. `stray`: an entry that is not
   * content, or that nothing needs. `leftover`: blobs of an earlier copy, all in one finding.
   */
  readonly kind: 'damaged' | 'missing' | 'record' | 'stray' | 'leftover';
  /** Relative to the root. */
  readonly path: string;
  readonly problem: Rule | string;
  /** Digest of the damaged or missing content. */
  readonly digest?: Digest;
  /** Result of reading a damaged blob. */
  readonly outcome?: HashOutcome;
  /** Number of leftovers and their total bytes. */
  readonly leftovers?: { readonly files: number; readonly bytes: number };
}

export interface CheckStep {
  readonly name: 'format' | 'ledgers' | 'folders' | 'manifests' | 'blobs' | 'reachability' | 'rest';
  readonly checked: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Findings that affect content or records of the store. */
  readonly problems: readonly CheckProblem[];
  /** Findings without effect: unknown entries, leftovers of interrupted writes and earlier copies, damage of unneeded blobs. */
  readonly notes: readonly CheckProblem[];
}

export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for every blob whose bytes match its digest. */
  readonly onWhole?: ((digest: Digest) => void) | undefined;
  /** Called while the blobs are read. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Hash threads to use; they are ended when the blobs have been read. */
  readonly threads?: HashThreads | undefined;
}

export interface CheckProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** A blob that was moved to quarantine. */
export interface QuarantinedBlob {
  readonly digest: Digest;
  /** Path of the moved file, relative to the root; absent when the file no longer existed. */
  readonly path?: string;
  /** Size of the moved file in bytes. */
  readonly size: number;
  /** The defect. */
  readonly problem: Rule | string;
}

/** How the store relates to this instance (see docs/media.md). */
export type Standing = 'ours' | 'foreign';

/** Why a store is foreign. `older` and `altered` apply to a store under the key of this instance. */
export type ForeignReason = 'unkeyed' | 'keyed' | 'other-key' | 'not-remembered' | 'altered' | 'older';

/**
 * The store on disk. A write that has returned survives a kill of the process. A manifest that was put
 * survives a power cut, with everything it reaches.
 */
export interface Store extends AsyncDisposable {
  readonly root: string;
  /** Tells a disk that was pulled out from a fault of a file. */
  readonly place: Place;
  readonly mediaId: string;
  readonly standing: Standing;
  /** Why the store is foreign; undefined for a store of this instance. */
  readonly reason: ForeignReason | undefined;
  /** Why changes are impossible: a read-only volume, a damaged ledger, a missing key, a shared lock. */
  readonly readOnly: Rule | undefined;
  /** Notices about the opening, for the operator: no lock taken, a truncated tail, damage at an offset. */
  readonly notices: readonly Rule[];
  /**
   * Medium identifier of the store that this instance wrote before, while this one is new and empty: the former disk
   * may not be mounted.
   */
  readonly earlier: string | undefined;
  /**
   * Ledgers with batches that do not verify; the index contains the records before the damage. The check of a medium
   * uses this.
   */
  readonly damage: readonly {
    readonly ledger: 'content' | 'recipes';
    readonly path: string;
    readonly detail: Rule;
  }[];
  /**
   * Number of manifests of a foreign store whose bytes differ from its ledger, or that an image index names
   * and the ledger does not. The bytes are authoritative.
   */
  readonly contradicted: number;
  /** The current generation of each ledger, as paths relative to the root. */
  readonly ledgers: { readonly content: string; readonly recipes: string };
  readonly index: StoreIndex;
  readonly lastSync: SyncRecord | undefined;
  /** Changes when a ledger changes; a clearance of the gate is valid for one value. */
  readonly head: string;

  /** Internals for the functions of the store; code outside src/store does not read it. */
  readonly core: StoreCore;
}

export interface OpenStoreOptions {
  readonly root: string;
  /** Folder of the key and the remembered ledger states; without it the store is unkeyed. */
  readonly stateRoot?: string | undefined;
  readonly zone?: string | undefined;
  /** In mirror mode `media.jsonl` is written with `index.json`. */
  readonly mode?: 'passthrough' | 'mirror' | undefined;
  /**
   * - `write`: exclusive lock; created when missing.
   * - `serve`: exclusive for a store of this instance, shared and read-only for a foreign store with a zone;
   *   created when missing.
   * - `read`: shared lock.
   * - `peek`: no lock; ledgers are read to their last complete batch; never created (`openStore` then returns
   *   undefined).
   */
  readonly access: 'write' | 'serve' | 'read' | 'peek';
  /** Whether `write` and `serve` create a missing store. Default true; false for a store on a carried disk. */
  readonly create?: boolean | undefined;
  /** Whether every record of the ledgers is read, and none is taken from the saved index. Default false. */
  readonly isThorough?: boolean;
  readonly producer: { readonly version: string };
  readonly report: import('../base/report.ts').Report;
  /** Name of the lock holder in the message to other processes. */
  readonly holder?: string;
  /**
   * Whether a queued or running task may resume from unreachable content of an earlier process. The
   * collection one hour after the open waits until this is false.
   */
  readonly isBusy?: () => boolean;
  /**
   * Returns the bytes of a blob as this process has just read them from the folder, where its file is still the same. A
   * manifest of a foreign store is then not read again. Default: none.
   */
  readonly bytesOf?: ((digest: Digest) => Buffer | undefined) | undefined;
  /** The clock, for tests: milliseconds since the epoch. */
  readonly now?: () => number;
}
