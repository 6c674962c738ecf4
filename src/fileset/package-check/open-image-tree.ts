import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { CallOptions } from '../../oci/ports.ts';
import { compressionOf } from '../compression-of.ts';
import { mergeHeaders } from '../judge-image.ts';
import type { FilesetImage, FilesetTree, OpenBlob } from '../model.ts';
import { openTree } from '../tree/tree.ts';
import type { PackageTree } from './model.ts';

/** Whether every layer of an image is an uncompressed archive, in which files can be read at their place. */
export function hasPlainLayers({ layers }: FilesetImage): boolean {
  return layers.every(({ mediaType }) => compressionOf(mediaType) === 'none');
}

/** The package repositories of an image. */
interface ImageTree extends Disposable {
  /** Paths of their indexes; none: the image has no repository. */
  readonly indexes: readonly string[];
  readonly tree: PackageTree;
}

/** Bytes of one read. */
const readBytes = 1 << 18;

/** A text as the tree has it: one character per byte. */
const toBytes = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');
const toText = (path: string): string => Buffer.from(path, 'latin1').toString('utf8');

/**
 * Opens the merged tree of an image to check its package repositories. Only headers of the layers are read at first. The
 * tree lists the indexes alone: packages that no index names are not looked for.
 *
 * @param image has plain layers
 * @param path of the table of the tree, which is created
 * @throws SVC-FIL-004 when the image cannot be served, SVC-STO-001, the errors of SQLite
 */
export async function openImageTree(
  image: FilesetImage,
  openBlob: OpenBlob,
  path: string,
  options: CallOptions = {},
): Promise<ImageTree> {
  const refusal = await mergeHeaders(image, path, openBlob, options);
  if (refusal !== undefined) throw refusal;
  const files = openTree(path, image);
  if (files === undefined) throw new Error('the index that was just made has another format');
  const indexes = files.packageIndexes().map(toText);
  return {
    indexes,
    tree: toPackageTree(files, indexes, openBlob),
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

function toPackageTree(files: FilesetTree, paths: readonly string[], openBlob: OpenBlob): PackageTree {
  async function* content(path: string): AsyncGenerator<Buffer> {
    const found = files.find(toBytes(path));
    if (found === undefined) return;
    const { file } = await openBlob(found.layer.digest);
    try {
      const end = found.offset + found.size;
      for (let at = found.offset; at < end; ) {
        const buffer = Buffer.allocUnsafe(Math.min(readBytes, end - at));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }
  return {
    paths,
    links: new Set(),
    sizeOf: async (path) => files.find(toBytes(path))?.size,
    hash: async (path, algorithm) => {
      const hash = createHash(algorithm);
      for await (const chunk of content(path)) hash.update(chunk);
      return hash.digest('hex');
    },
    modifiedAt: async () => 0,
    isUnsigned: async () => false,
    isWhole: async () => true,
    read: async (path) => {
      if (/\.(?:xz|bz2|lzma|lz4)$/.test(path)) return undefined;
      if (path.endsWith('.gz')) return unpackThrough(content(path), createGunzip());
      if (path.endsWith('.zst')) return unpackThrough(content(path), createZstdDecompress());
      return content(path);
    },
  };
}

function unpackThrough(
  bytes: AsyncIterable<Buffer>,
  stage: ReturnType<typeof createGunzip>,
): AsyncIterable<Buffer> {
  const from = Readable.from(bytes);
  from.on('error', (error) => stage.destroy(error));
  stage.on('close', () => from.destroy());
  return from.pipe(stage) as AsyncIterable<Buffer>;
}
