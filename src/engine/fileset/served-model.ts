import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '../../base/digest.ts';
import type { FilesetFile, FilesetTree } from '../../fileset/model.ts';
import type { FilesetSetting, SelectedFileset } from './select-fileset.ts';
import type { UnservedFileset } from './unserved-board.ts';

/** A file found in a FileSet. */
export interface FoundFile extends FilesetFile {
  /** True: its bytes are in a blob of the store. False: they are in an unpacked copy in the state root. */
  readonly isBlob: boolean;
}

/** A version of a FileSet in the store, served or not. */
export interface BrowsedVersion extends SelectedFileset {
  /** `os/architecture[/variant]`; needed where an index has several. */
  readonly platform?: string | undefined;
}

/** The FileSets of an instance. */
export interface ServedFilesets extends AsyncDisposable {
  /** Configured FileSets by name. */
  readonly settings: ReadonlyMap<string, FilesetSetting>;
  /** Returns the repository of the store that holds a FileSet. @throws SVC-DST-001 */
  repositoryOf(setting: FilesetSetting): string;
  /** Returns the nominal name of a repository of the store. */
  nominalOf(repository: string): string;
  /** Selects the version to serve. @throws the errors of `selectFileset` */
  select(setting: FilesetSetting): SelectedFileset;
  /**
   * Checks that files of a FileSet can be served, without reading layers.
   *
   * @throws the errors of `selectFileset` and `resolveFileset`; the error of a recent failure to read the
   *   layers
   */
  requireServable(setting: FilesetSetting): Promise<void>;
  /**
   * Finds a file by its path. The first call reads all layers of the image.
   *
   * @param path one character for each byte
   * @param patience maximum time to wait in milliseconds; the reading continues after it
   * @returns undefined when the FileSet has no such file
   * @throws the errors of `selectFileset` and `resolveFileset`; SVC-FIL-004 when the image cannot be served,
   *   SVC-CFG-001 without `state.root`, SVC-SRV-006 when the patience has ended, SVC-SIG-002, SVC-STO-00x
   */
  find(setting: FilesetSetting, path: string, patience?: number): Promise<FoundFile | undefined>;
  /**
   * Reads from the tree of any version, for its pages. The first call reads all layers of the image. The trees
   * of a few versions are kept.
   *
   * @param into must not throw
   * @param patience as of `find`
   * @throws the errors of `find`; SVC-SRV-006 also while as many versions are being read as are kept
   */
  browse<T>(version: BrowsedVersion, into: (tree: FilesetTree) => T, patience?: number): Promise<T>;
  /**
   * Opens the file that contains the bytes, from offset `start`. The caller closes it. @throws the errors of
   * `find`
   */
  open(file: FoundFile): Promise<{ readonly file: FileHandle; readonly start: number }>;
  /**
   * Logs and audits every FileSet that serves another version, digest or provenance than at the last review.
   *
   * @param actor actor of the change of the store
   * @param origin client address of the change
   */
  review(actor: string, origin?: string): void;
  /**
   * Soon judges again which FileSets can be served, and logs the changes. Called when the gate may admit other content.
   */
  assess(): void;
  /**
   * Lists the configured FileSets that cannot be served, as they were judged last: after a change, they are judged again soon.
   * Empty while the gate is closed, as nothing is served then.
   */
  unserved(): readonly UnservedFileset[];
  /**
   * Lists the FileSets that can be served, with the files by which package managers find repositories in them. A FileSet
   * that cannot be served is left out. @param patience as of `find`
   */
  listIndexes(patience?: number): Promise<readonly FilesetIndexes[]>;
  /** Reads every FileSet, and logs which ones are served. */
  prepare(): Promise<void>;
}

/** Where package managers find repositories in a FileSet. */
export interface FilesetIndexes {
  readonly name: string;
  readonly anonymous: boolean;
  readonly repository: string;
  /** Digest of the manifest or index that is served. */
  readonly digest: Digest;
  /** Paths of the indexes of package repositories. */
  readonly indexes: readonly string[];
  /** Those of `repomd.xml` in whose repository a package has no signature of its own. */
  readonly unsigned: readonly string[];
}
