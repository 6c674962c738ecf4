import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';

/** Opens a blob of the store; the caller closes it. @throws SVC-STO-001 */
export type OpenBlob = (digest: Digest) => Promise<{ readonly file: FileHandle; readonly size: number }>;

/** An image whose layers, merged, are the tree. */
export interface FilesetImage {
  /** Names it in errors. */
  readonly reference: string;
  /** Of its manifest: the same digest is always the same tree. */
  readonly digest: Digest;
  /** The lowest first. */
  readonly layers: readonly Descriptor[];
}

/** A file of the tree. */
export interface FilesetFile {
  /** SHA-256 of its bytes. */
  readonly digest: Digest;
  readonly size: number;
  /** The layer that has the bytes, and where they begin in its plain archive. */
  readonly layer: Descriptor;
  readonly offset: number;
}

/** The merged tree of an image, open. */
export interface FilesetTree extends Disposable {
  readonly digest: Digest;
  /**
   * The file of a path, through the links of the tree; undefined when there is none.
   *
   * @param path one character a byte, without a slash at its begin, decoded
   */
  find(path: string): FilesetFile | undefined;
}
