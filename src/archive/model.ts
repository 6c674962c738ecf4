import type { Digest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { Prober, Source } from '../oci/ports.ts';

/** Where bytes lie: a file below a root, or a part of one. */
export interface Place {
  readonly root: string;
  readonly path: string;
  readonly offset?: number;
  /** Bytes; absent where the file has not been looked at yet. */
  readonly size?: number;
}

/** The files of a layout, by what they are. */
export interface LayoutFiles {
  readonly marker: Place | undefined;
  readonly index: Place | undefined;
  readonly blobs: ReadonlyMap<Digest, Place> | ReadonlySet<Digest>;
}

/** An image layout that is read: its entries, and everything else by digest. Nothing has been verified. */
export interface Layout extends AsyncDisposable {
  /** Real path. */
  readonly path: string;
  readonly format: 'tar' | 'directory';
  /** What `index.json` lists, in its order. */
  readonly entries: readonly Descriptor[];
  /** Knows manifests and blobs by digest, and no tags. */
  readonly source: Source & Prober;
  /** Where a blob lies, for whoever copies files; undefined when it is not there. */
  locate(digest: Digest): Place | undefined;
}

/** A manifest or blob of a layout. */
export interface Content {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** Everything that a layout is written of. */
export interface LayoutContents {
  /** The bytes of `index.json`. */
  readonly index: Buffer;
  /** Manifests and blobs, each once, in the order in which they are best written. */
  readonly contents: readonly Content[];
}
