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

/** One name of a tree. */
export interface TreeEntry {
  /** From the root of the tree, one character per byte. */
  readonly path: string;
  /** Of a link: as written, one character per byte. */
  readonly target?: string;
  /** The target of the name: a file, or the path of a folder; absent for a link that leads nowhere. */
  readonly to?: FilesetFile | { readonly folder: string };
}

/** Place of a name in the order of the listings of a tree. */
export interface ListingPlace {
  readonly folder: number;
  readonly rank: number;
  readonly name: Uint8Array;
}

/** Some of the names of a tree that contain a text. */
export interface TreeMatches {
  /** Names that matched. */
  readonly count: number;
  readonly entries: readonly TreeEntry[];
  /** Where to go on; absent at the end. */
  readonly next?: ListingPlace;
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
  /**
   * Lists one page of a folder, its folders first, each in the order of the bytes of their names.
   *
   * @param path as of `find`; empty for the root
   * @param page `skip` names, then at most `limit`
   * @returns undefined when there is no such folder; `path` is without links on the way
   */
  list(
    path: string,
    page: { readonly skip: number; readonly limit: number },
  ): { readonly path: string; readonly total: number; readonly entries: readonly TreeEntry[] } | undefined;
  /**
   * Looks through the next names for those that contain a text, without regard to the case of ASCII letters. Names some
   * thousands at a time, so that the caller can let others take turns.
   *
   * @param within path of the folder to look below, without links on the way; empty for the root
   * @param page matches of these names to skip, and to return at most
   */
  search(
    text: string,
    within: string,
    after: ListingPlace | undefined,
    page: { readonly skip: number; readonly limit: number },
  ): TreeMatches;
  /** Lists the paths of the indexes of package repositories in any folder, sorted; at most ten thousand. */
  packageIndexes(): readonly string[];
  /** Lists the `repomd.xml` of the repositories that have a package without a signature of its own, sorted. */
  unsignedRepositories(): readonly string[];
}
