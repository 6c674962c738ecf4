import type { Readable } from 'node:stream';
import type { Digest } from '../base/digest.ts';
import type { SvcError } from '../text/error.ts';
import type { Descriptor } from './descriptor.ts';
import type { AcceptsEntry } from './list-entries.ts';

/**
 * Capabilities of one repository, one method each; a consumer requires the intersection that it uses. The store, a
 * remote registry and an archive offer them. They imply no trust: a consumer verifies the bytes that it takes.
 */

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A manifest with exactly the bytes that were read and judged. */
export interface ManifestContent {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** Resolves a tag or digest to a descriptor, without the content. `undefined` means absent; an error, unknown. */
export interface Resolver {
  resolve(reference: string, options?: CallOptions): Promise<Descriptor | undefined>;
}

/** Fetches the bytes of a manifest by tag or digest, at most 4 MiB. By digest, bytes that are returned have the digest. */
export interface ManifestFetcher {
  fetchManifest(reference: string, options?: CallOptions): Promise<ManifestContent | undefined>;
}

/** Fetches the bytes of a blob as a stream, not yet verified: pipe it through `verified`. */
export interface BlobFetcher {
  fetchBlob(blob: Descriptor, options?: CallOptions): Promise<Readable>;
}

/** Returns whether content can be skipped because it is already whole and reachable in this repository. */
export interface Prober {
  hasBlob(blob: Descriptor, options?: CallOptions): Promise<boolean>;
  hasManifest(digest: Digest, options?: CallOptions): Promise<boolean>;
}

export interface PushOptions extends CallOptions {
  /** Called with the number of bytes accepted, as they arrive; a repeated attempt does not tell them again. */
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** Accepts the bytes of a blob, and makes the blob visible only if they have its digest. */
export interface BlobPusher {
  /**
   * Writes a blob.
   *
   * @param from read to its end or destroyed; bytes beyond `blob.size` are refused as they arrive
   * @throws SVC-SIG-002 when the bytes do not match the descriptor
   */
  pushBlob(blob: Descriptor, from: Readable, options?: PushOptions): Promise<void>;
}

/** Mounts a blob from another repository of the same target without transferring bytes. False when not possible. */
export interface BlobMounter {
  mountBlob(blob: Descriptor, fromRepository: string, options?: CallOptions): Promise<boolean>;
}

export interface ManifestPushOptions extends CallOptions {
  /**
   * Called with the entry of a referrer that the target does not list by itself. The caller adds all entries to the
   * fallback index in one write. Default: the target adds the entry.
   */
  readonly onUnlisted?: ((entry: Descriptor) => void) | undefined;
}

/** Accepts a manifest whose children are present (an index may lack children where the target allows it). */
export interface ManifestPusher {
  /** @param reference a tag, or the manifest's own digest */
  pushManifest(reference: string, manifest: ManifestContent, options?: ManifestPushOptions): Promise<void>;
}

export interface TagLister {
  /** All tags; at most 100 000 names and 32 MiB. */
  listTags(options?: CallOptions): Promise<readonly string[]>;
}

/** Why a list of referrers is not complete. */
export interface ListFault {
  /** `transfer`: the source did not answer; `list`: the rest of the list cannot be used; `entries`: some entries cannot. */
  readonly kind: 'transfer' | 'list' | 'entries';
  readonly error: SvcError;
  /** Whether a signature may have been in the part that was not read. */
  readonly mayBeSignature: boolean;
}

export interface ListOptions extends CallOptions {
  /** Selects the entries that are returned; others do not count for the limits. Default: all. */
  readonly accepts?: AcceptsEntry | undefined;
  /** Called for each fault; the entries read so far are returned. Without it a fault other than `entries` is thrown. */
  readonly onFault?: ((fault: ListFault) => void) | undefined;
}

export interface ReferrersLister {
  /** Returns the manifests whose `subject` is this digest, through the API or the fallback tag. */
  listReferrers(
    subject: Digest,
    artifactType?: string,
    options?: ListOptions,
  ): Promise<readonly Descriptor[]>;
}

/** Content that a target does not remove until this is disposed. */
export interface ContentKeeper extends Disposable {
  /** Keeps content, present or still to come. With a manifest, the content below it is kept. */
  add(digest: Digest): void;
}

/** Keeps content from removal by others while a copy needs it. */
interface Keeper {
  keepContent(): Promise<ContentKeeper>;
}

/** Distinguishes local content from content that has to be requested over a network. */
interface NearProber {
  isNear(digest: Digest): boolean;
}

export type Source = Resolver & ManifestFetcher & BlobFetcher & Partial<NearProber>;
export type SignedSource = Source & ReferrersLister;
export type Target = Prober & BlobPusher & ManifestPusher & Partial<BlobMounter> & Partial<Keeper>;
