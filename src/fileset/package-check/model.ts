/** Fault of a package, of a file that an index of a package repository names, or of the index. */
export type PackageFault =
  /** It is not there. */
  | 'absent'
  | 'size'
  | 'hash'
  /** The index has no SHA-256 or SHA-512 for the file. */
  | 'weak'
  /** Its name leads out of the repository. */
  | 'outside'
  /** It does not have the expected form. */
  | 'form'
  /** It is compressed in a way that cannot be read here. */
  | 'compression'
  /** No index of the repository names a package. */
  | 'empty'
  /** A package does not end where its headers say. */
  | 'broken'
  /** A package that no index names. */
  | 'unlisted'
  /** It has no signature. */
  | 'unsigned'
  /** Its signature is not valid, or not of the wanted key; a revoked or expired key signs nothing. */
  | 'signer';

export interface PackageFinding {
  /** Below the checked folder. */
  readonly path: string;
  readonly fault: PackageFault;
}

export interface PackageReport {
  /** Repositories that were checked, by their folder; '' is the checked folder itself. */
  readonly repositories: readonly { readonly folder: string; readonly kind: 'apt' | 'rpm' }[];
  /** Packages and indexes that are named, each once. */
  readonly files: number;
  readonly bytes: number;
  readonly packages: number;
  /** Paths of the packages by the path of the index that names them. */
  readonly named: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sorted by path, at most {@link mostFindings}. */
  readonly findings: readonly PackageFinding[];
}

/** More findings are not kept. */
export const mostFindings = 1000;
/** Maximum bytes of a Release file, a line or stanza of an index, or `repomd.xml`. */
export const documentBytes = 16 << 20;

/** A file as an index names it. */
export interface NamedFile {
  readonly path: string;
  readonly size: number;
  readonly hash: Hash | undefined;
}

export interface Hash {
  readonly algorithm: 'sha256' | 'sha512';
  readonly hex: string;
}

/** The tree that is checked. Paths are relative, with `/`, and were checked to stay below its root. */
export interface PackageTree {
  /** Every file, sorted. Links that lead out of the tree are none of its files. */
  readonly paths: readonly string[];
  /** Those of them that are symbolic links. */
  readonly links: ReadonlySet<string>;
  /** Size in bytes; undefined when there is no such file. */
  sizeOf(path: string): Promise<number | undefined>;
  hash(path: string, algorithm: Hash['algorithm']): Promise<string>;
  /** When its content was written, in milliseconds since 1970. */
  modifiedAt(path: string): Promise<number>;
  /** Whether a package of rpm has no signature of its own. */
  isUnsigned(path: string): Promise<boolean>;
  /** Whether a package ends where its headers say. */
  isWhole(path: string): Promise<boolean>;
  /** Opens a file decompressed by the end of its name. @returns undefined when its compression cannot be read */
  read(path: string): Promise<AsyncIterable<Buffer> | undefined>;
}

/** A text in an index that is not of the form of the index. */
export class FormError extends Error {
  override name = 'FormError';
}

/** Reads a hexadecimal hash. */
export function toHash(algorithm: Hash['algorithm'], text: string | undefined): Hash | undefined {
  const length = algorithm === 'sha256' ? 64 : 128;
  const hex = text?.toLowerCase() ?? '';
  return hex.length === length && /^[0-9a-f]+$/.test(hex) ? { algorithm, hex } : undefined;
}

/** Reads a size in bytes. @throws FormError */
export function toSize(text: string | undefined): number {
  if (text === undefined || !/^[0-9]{1,15}$/.test(text)) throw new FormError('not a size');
  return Number(text);
}
