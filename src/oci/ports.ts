import type { Readable } from 'node:stream';
import type { Digest } from '../base/digest.ts';
import type { Descriptor } from './descriptor.ts';

/**
 * The capabilities of one repository, one method each; a consumer asks for the intersection it uses. The store, a
 * remote registry and an archive all offer them. Nothing here implies trust: whoever takes bytes checks them.
 */

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A manifest with the very bytes that were read and judged. */
export interface ManifestContent {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** Tag or digest → descriptor, without the content. `undefined` says "not there", an error says "could not be asked". */
export interface Resolver {
  resolve(reference: string, options?: CallOptions): Promise<Descriptor | undefined>;
}

/** The bytes of a manifest by tag or digest, at most 4 MiB. When asked by digest, success says that the bytes have it. */
export interface ManifestFetcher {
  fetchManifest(reference: string, options?: CallOptions): Promise<ManifestContent | undefined>;
}

/** The bytes of a blob as a stream, not yet verified: pipe them through `verified`. */
export interface BlobFetcher {
  fetchBlob(blob: Descriptor, options?: CallOptions): Promise<Readable>;
}

/** Whether content can be skipped: success says "whole and reachable in this repository", however it got there. */
export interface Prober {
  hasBlob(blob: Descriptor, options?: CallOptions): Promise<boolean>;
  hasManifest(digest: Digest, options?: CallOptions): Promise<boolean>;
}

/** Accepts the bytes of a blob and makes it visible only when they hash to its digest. */
export interface BlobPusher {
  /** @param from consumed to its end or destroyed */
  pushBlob(blob: Descriptor, from: Readable, options?: CallOptions): Promise<void>;
}

/** Takes a blob from another repository of the same target without moving bytes. False: not possible here. */
export interface BlobMounter {
  mountBlob(blob: Descriptor, fromRepository: string, options?: CallOptions): Promise<boolean>;
}

/** Accepts a manifest whose children are present (an index may lack children where the target allows it). */
export interface ManifestPusher {
  /** @param reference a tag, or the manifest's own digest */
  pushManifest(reference: string, manifest: ManifestContent, options?: CallOptions): Promise<void>;
}

export interface TagLister {
  /** All tags; at most 100 000 names and 32 MiB. */
  listTags(options?: CallOptions): Promise<readonly string[]>;
}

export interface ReferrersLister {
  /** Manifests whose `subject` is this digest, through the API or the fallback tag. */
  listReferrers(
    subject: Digest,
    artifactType?: string,
    options?: CallOptions,
  ): Promise<readonly Descriptor[]>;
}

export type Source = Resolver & ManifestFetcher & BlobFetcher;
export type SignedSource = Source & ReferrersLister;
export type Target = Prober & BlobPusher & ManifestPusher & Partial<BlobMounter>;
