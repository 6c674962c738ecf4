import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';

/** Opens a blob of the store; the caller closes it. @throws SVC-STO-001 */
export type OpenBlob = (digest: Digest) => Promise<{ readonly file: FileHandle; readonly size: number }>;

/** An image whose merged layers are the tree. */
export interface FilesetImage {
  /** Name of the image in errors. */
  readonly reference: string;
  /** Digest of its manifest: the same digest always gives the same tree. */
  readonly digest: Digest;
  /** Lowest layer first. */
  readonly layers: readonly Descriptor[];
}

/** A file of the tree. */
export interface FilesetFile {
  /** SHA-256 of its bytes. */
  readonly digest: Digest;
  readonly size: number;
  /** The layer that has the bytes, and their offset in its uncompressed archive. */
  readonly layer: Descriptor;
  readonly offset: number;
}

/** The open merged tree of an image. */
export interface FilesetTree extends Disposable {
  readonly digest: Digest;
  /**
   * Finds the file of a path, following the links of the tree; undefined when there is no file.
   *
   * @param path decoded, one character per byte, without a leading slash
   */
  find(path: string): FilesetFile | undefined;
  /** Lists the paths of the indexes of package repositories in any folder, sorted; at most ten thousand. */
  packageIndexes(): readonly string[];
  /** Lists the `repomd.xml` of the repositories that have a package without a signature of its own, sorted. */
  unsignedRepositories(): readonly string[];
}
