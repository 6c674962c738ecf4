import type { FileHandle } from 'node:fs/promises';
import { TarError } from '../disk/tar/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions } from '../oci/ports.ts';
import type { SvcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { compressionOf } from './compression-of.ts';
import type { FilesetImage, OpenBlob } from './model.ts';
import { toRefusal } from './to-refusal.ts';
import { openTreeMerge, type TreeMerge } from './tree/tree-merge.ts';
import { unpackPieces } from './unpack-pieces.ts';

/** Bytes read at a time from an uncompressed layer; for small files, most of them are headers. */
const bufferBytes = 1 << 16;

/**
 * Judges whether the layers of an image can be merged to a tree of files, by the rules of serving. Nothing is hashed or
 * kept. The content of files in uncompressed layers is not read, and compressed layers are unpacked in pieces. The tree
 * is a temporary table of SQLite in a thread, which spills to disk beyond 16 MiB.
 *
 * @returns SVC-FIL-004 with the first problem; undefined when the image can be served
 * @throws SVC-STO-001, SVC-STO-014, and the errors of SQLite
 */
export function judgeImage(
  image: FilesetImage,
  openBlob: OpenBlob,
  options: CallOptions = {},
): Promise<SvcError | undefined> {
  return mergeHeaders(image, '', openBlob, options);
}

/**
 * Merges the layers of an image to a tree of files without hashes, as {@link judgeImage} does.
 *
 * @param path of the table to create; empty for a temporary one
 * @returns as {@link judgeImage}
 */
export async function mergeHeaders(
  image: FilesetImage,
  path: string,
  openBlob: OpenBlob,
  options: CallOptions,
): Promise<SvcError | undefined> {
  let at = 'manifest';
  try {
    await using merge = await openTreeMerge(path, { hashes: false });
    for (const [number, layer] of image.layers.entries()) {
      at = layer.digest;
      await merge.beginLayer(number);
      await scanLayer(layer, merge, openBlob, options);
      await merge.endLayer();
    }
    at = 'manifest';
    await merge.end();
    return undefined;
  } catch (error) {
    if (error instanceof TarError) return toRefusal(image, at, error);
    throw error;
  }
}

async function scanLayer(
  layer: Descriptor,
  merge: TreeMerge,
  openBlob: OpenBlob,
  { signal }: CallOptions,
): Promise<void> {
  const compression = compressionOf(layer.mediaType);
  if (compression === undefined)
    throw new TarError(
      rule(['a layer of type {mediaType}', fr`une couche de type {mediaType}`], {
        mediaType: layer.mediaType,
      }),
    );
  const { file, size } = await openBlob(layer.digest);
  try {
    if (compression === 'none') return await scanHeaders(file, size, merge, signal);
    const source = file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 });
    for await (const piece of unpackPieces(source, compression, layer)) {
      signal?.throwIfAborted();
      await merge.write(piece);
    }
  } finally {
    await file.close();
  }
}

/** Reads an uncompressed archive without the content of its larger files. */
async function scanHeaders(
  file: FileHandle,
  size: number,
  merge: TreeMerge,
  signal: AbortSignal | undefined,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, bufferBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    position += await merge.writeAndPass(buffer.subarray(0, bytesRead), size - position);
  }
}
