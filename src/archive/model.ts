import type { Digest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Prober, Source } from '../oci/ports.ts';
import type { Rule } from '../text/rule.ts';

/** Location of bytes: a file below a root, or a part of one. */
export interface Place {
  readonly root: string;
  readonly path: string;
  readonly offset?: number;
  /** Bytes; absent when the file was not inspected yet. */
  readonly size?: number;
}

/** The files of a layout by role. */
export interface LayoutFiles {
  readonly marker: Place | undefined;
  readonly index: Place | undefined;
  readonly blobs: ReadonlyMap<Digest, Place> | ReadonlySet<Digest>;
}

/** An entry of an `index.json` that cannot be used, with its readable members. */
export interface LostEntry {
  /** In the list, from 0. */
  readonly position: number;
  /** As written, at most 512 characters. */
  readonly name?: string;
  readonly digest?: Digest;
  /** The rule that it breaks. */
  readonly rule: Rule;
}

/** An open image layout: its entries, and all other content by digest. Nothing has been verified. */
export interface Layout extends AsyncDisposable {
  /** Real path. */
  readonly path: string;
  readonly format: 'tar' | 'directory';
  /** The usable entries of `index.json`, in their order. */
  readonly entries: readonly Descriptor[];
  /** The others, in their order. */
  readonly lost: readonly LostEntry[];
  /** Digests of all files of the layout but its marker and its index. */
  readonly blobs: Iterable<Digest>;
  /** Offers manifests and blobs by digest, and no tags. */
  readonly source: Source & Prober;
  /** Returns the location of a blob, for copying files; undefined when it is absent. */
  locate(digest: Digest): Place | undefined;
}

/** A manifest or blob of a layout. */
export interface LayoutContent {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** Everything from which a layout is written. */
export interface LayoutContents {
  /** The bytes of `index.json`. */
  readonly index: Buffer;
  /** Manifests and blobs, each once, in the preferred order of writing. */
  readonly contents: readonly LayoutContent[];
}
