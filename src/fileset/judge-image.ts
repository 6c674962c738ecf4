import type { FileHandle } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import type { SvcError } from '../base/error.ts';
import { TarError } from '../disk/tar/error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions } from '../oci/ports.ts';
import { compressionOf } from './compression-of.ts';
import { createLayerScanner, type LayerScanner } from './layer-scanner.ts';
import { filesetLimits } from './limits.ts';
import type { FilesetImage, OpenBlob } from './model.ts';
import { toRefusal } from './to-refusal.ts';
import { TreeBuilder } from './tree-builder.ts';
import { unpackPieces } from './unpack-pieces.ts';

/** Bytes read at a time from an uncompressed layer; for small files, most of them are headers. */
const bufferBytes = 1 << 16;

/**
 * Judges whether the layers of an image can be merged to a tree of files, by the rules of serving. Nothing is hashed or
 * kept: the content of files in uncompressed layers is not read, compressed layers are unpacked in pieces, and the tree
 * is a temporary table of SQLite that spills to disk beyond 16 MiB.
 *
 * @returns SVC-FIL-004 with the first problem; undefined when the image can be served
 * @throws SVC-STO-001, and the errors of SQLite
 */
export async function judgeImage(
  image: FilesetImage,
  openBlob: OpenBlob,
  options: CallOptions = {},
): Promise<SvcError | undefined> {
  let at = 'manifest';
  const database = new DatabaseSync('');
  try {
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384');
    database.exec('BEGIN EXCLUSIVE');
    const builder = new TreeBuilder(database);
    const budget = { left: filesetLimits.entries };
    for (const [number, layer] of image.layers.entries()) {
      at = layer.digest;
      builder.beginLayer(number);
      const scanner = createLayerScanner(builder, budget, { hashes: false });
      await scanLayer(layer, scanner, openBlob, options);
      scanner.end();
    }
    return undefined;
  } catch (error) {
    if (error instanceof TarError) return toRefusal(image, at, error);
    throw error;
  } finally {
    database.close();
  }
}

async function scanLayer(
  layer: Descriptor,
  scanner: LayerScanner,
  openBlob: OpenBlob,
  { signal }: CallOptions,
): Promise<void> {
  const compression = compressionOf(layer.mediaType);
  if (compression === undefined) throw new TarError(`a layer of type ${layer.mediaType}`);
  const { file, size } = await openBlob(layer.digest);
  try {
    if (compression === 'none') return await scanHeaders(file, size, scanner, signal);
    const source = file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 });
    for await (const piece of unpackPieces(source, compression, layer)) {
      signal?.throwIfAborted();
      scanner.write(piece);
    }
  } finally {
    await file.close();
  }
}

/** Reads an uncompressed archive without the content of its larger files. */
async function scanHeaders(
  file: FileHandle,
  size: number,
  scanner: LayerScanner,
  signal: AbortSignal | undefined,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, bufferBytes, position);
    if (bytesRead === 0) return;
    scanner.write(buffer.subarray(0, bytesRead));
    position += bytesRead;
    position += scanner.passContent(size - position);
  }
}
