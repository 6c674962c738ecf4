import { writeFile } from 'node:fs/promises';
import { blobPath } from '../../../../src/oci/layout.ts';
import type { ErrorCode } from '../../../../src/text/errors/registry.ts';
import { toFolder, toMember, toTar } from './tar-members.ts';
import { toFiles, toIndex } from './victim.ts';

/** Files of a layout by path, in the order in which an archive has them. */
export type Files = Map<string, Buffer>;

/** One fault of a layout, and the required report of it. */
export interface Mutation {
  readonly name: string;
  readonly code: ErrorCode;
  /** Whether the layout is refused whole; otherwise each entry is lost with the code. */
  readonly whole: boolean;
  /** Makes the archive or folder at this path. */
  make(path: string): Promise<void>;
}

export const archive = (name: string, code: ErrorCode, bytes: () => Buffer, whole = true): Mutation => ({
  name: `archive: ${name}`,
  code,
  whole,
  make: async (path) => writeFile(path, bytes()),
});
export const folder = (
  name: string,
  code: ErrorCode,
  prepare: (root: string) => Promise<void>,
  whole = true,
): Mutation => ({
  name: `folder: ${name}`,
  code,
  whole,
  make: async (path) => {
    await toFolder(toFiles(), path);
    await prepare(path);
  },
});
/** The same files as archive and as folder. */
export const both = (name: string, code: ErrorCode, files: () => Files, whole: boolean): Mutation[] => [
  archive(name, code, () => toTar(files()), whole),
  { name: `folder: ${name}`, code, whole, make: async (path) => toFolder(files(), path) },
];
export const without = (path: string): Files => {
  const files = toFiles();
  files.delete(path);
  return files;
};
export const having = (path: string, bytes: Buffer | string, files: Files = toFiles()): Files =>
  files.set(path, Buffer.from(bytes as string));
export const blobOf = (blob: {
  readonly descriptor: { readonly digest: `sha256:${string}` | `sha512:${string}` };
}): string => blobPath(blob.descriptor.digest);
export const marked = (text: string): Files => having('oci-layout', text);
export const indexed = (entries: readonly unknown[], more?: Record<string, unknown>): Files =>
  having('index.json', toIndex(entries, more));
export const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1]! ^= 0xff;
  return copy;
};
export const member = (path: string): Buffer => toMember(path, Buffer.from('planted'));
