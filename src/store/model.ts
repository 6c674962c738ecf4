import type { Digest } from '../base/digest.ts';
import type { Disposal } from '../base/release-memory.ts';
import type { Owner, StoreIndex, SyncRecord } from '../catalog/model.ts';
import type { HashOutcome } from '../disk/threads/hash-file.ts';
import type { HashThreads } from '../disk/threads/hash-threads.ts';
import type { ContentKind } from '../oci/kind.ts';
import type { ReferrersLister, Source, TagLister, Target } from '../oci/ports.ts';
import type { StoreCore } from './store-core.ts';

/** What a put of a manifest means for tag and owner. */
export interface PutOptions {
  readonly owner: Owner;
  /** The kind when the carrier knows it better than the manifest does (a FileSet). */
  readonly kind?: ContentKind;
  /** A tag, or several of which all are set or none. */
  readonly tag?: string | readonly string[];
}

/** What a put has done with a tag. */
export interface PutTag {
  readonly tag: string;
  /** False where the tag stays at what it named: the same recipe document, or signatures that say more. */
  readonly isSet: boolean;
  /** What the tag named before. */
  readonly previous?: Digest;
}

/** What a deletion is bound to. */
export interface DeleteOptions {
  /** Asked in the step that records the deletion, while nothing else changes; throws to keep what is there. */
  readonly require?: () => void;
}

/** A tag that names other content than before. */
export interface RePointedTag {
  readonly repository: string;
  readonly tag: string;
  /** What the tag named before. */
  readonly previous: Digest;
  readonly digest: Digest;
}

/** What is written through one repository. */
export interface RepositoryOptions extends Omit<PutOptions, 'tag'> {
  /** Called for each tag that was pointed at other content, once that is recorded. */
  readonly onRePointed?: (tag: RePointedTag) => void;
  /** Large blobs go past the kernel's page cache: for what is not soon read again. */
  readonly direct?: boolean;
}

/** Receives one blob. Nothing is visible before `commit` has returned. */
export interface BlobWriter {
  readonly received: number;
  /** Bytes received that the file still has to take; 0 once the writer has ended. */
  readonly pending: number;
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
  /**
   * Manifests of a foreign store whose bytes say something else than its ledger, or of which it says nothing although an
   * index names them. The bytes count.
   */
  readonly contradicted: number;
  /** The ledger files that count, relative to the root. */
  readonly ledgers: { readonly content: string; readonly recipes: string };
  readonly index: StoreIndex;
  readonly lastSync: SyncRecord | undefined;
  /** Changes when ledgers change: binds a clearance to what was verified. */
  readonly head: string;

  /** What the verbs of the store work with; nothing outside src/store reads it. */
  readonly core: StoreCore;
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
