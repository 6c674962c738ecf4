import type { FileHandle } from 'node:fs/promises';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Digest, digestAlgorithm } from '../base/digest.ts';
import { type SvcError, svcError } from '../base/error.ts';
import type { Report } from '../base/report.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { TarError } from '../disk/tar-error.ts';
import { toWriteError } from '../disk/write-error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions } from '../oci/ports.ts';
import { compressionOf } from './compression-of.ts';
import { createLayerScanner, type EntryBudget } from './layer-scanner.ts';
import { filesetLimits } from './limits.ts';
import type { FilesetFile, FilesetImage, FilesetTree, OpenBlob } from './model.ts';
import { hashPlain, readPlain } from './read-plain.ts';
import { openTree } from './tree.ts';
import { TreeBuilder } from './tree-builder.ts';
import { TreeFiles } from './tree-files.ts';
import { type Room, UnpackedLayers } from './unpacked-layers.ts';

export interface FilesetShelfOptions {
  /** A folder of its own, made when it is missing, that only this process uses. */
  readonly folder: string;
  readonly openBlob: OpenBlob;
  readonly room: Room;
  readonly report: Report;
}

/** An open file that has the bytes of a file of a tree, from `start` on; the caller closes it. */
export interface OpenContent {
  readonly file: FileHandle;
  readonly start: number;
}

/** What serving file sets keeps on disk: merged indexes and unpacked layers. All of it can be made again. */
export interface FilesetShelf {
  /**
   * The merged tree of an image; its layers are read and checked once, and again only when the index is gone or damaged.
   *
   * @throws SVC-FIL-004 when the image cannot be served, SVC-SIG-002 when a layer is not what it was, SVC-STO-00x
   */
  openTree(image: FilesetImage, options?: CallOptions): Promise<FilesetTree>;
  /** The bytes of a file. @throws as `openTree` */
  openContent(file: FilesetFile, options?: CallOptions): Promise<OpenContent>;
  /** Removes what is kept of an image, but for layers that these others have too. */
  forget(image: FilesetImage, others: readonly FilesetImage[]): Promise<void>;
  /** Removes what is kept of all images but these. */
  retain(images: readonly FilesetImage[]): Promise<void>;
}

/** @throws SVC-STO-002, SVC-STO-004 */
export async function openFilesetShelf(options: FilesetShelfOptions): Promise<FilesetShelf> {
  const { folder, openBlob } = options;
  try {
    await makeFolder(folder, 0o700);
    // what a kill left unfinished
    for (const name of await readdir(folder))
      if (/\.tmp(?:-journal)?$/.test(name)) await unlink(join(folder, name));
  } catch (error) {
    throw toWriteError(error, folder);
  }
  const trees = new TreeFiles(folder);
  const unpacked = new UnpackedLayers(options);
  const unpacking = new Map<Digest, Promise<void>>();

  /** One unpacking of a layer at a time. */
  const unpackOnce = (layer: Descriptor, more: CallOptions): Promise<void> => {
    const compression = compressionOf(layer.mediaType);
    if (compression === undefined || compression === 'none')
      throw new Error(`${layer.mediaType} is not compressed`);
    const work =
      unpacking.get(layer.digest) ??
      unpacked
        .unpack(layer, { openBlob, compression, signal: more.signal })
        .finally(() => unpacking.delete(layer.digest));
    unpacking.set(layer.digest, work);
    return work;
  };

  /** The plain archive of a layer. @param bytes how many it must have at least */
  const openArchive = async (layer: Descriptor, bytes: number, more: CallOptions): Promise<FileHandle> => {
    if (compressionOf(layer.mediaType) === 'none') {
      const { file, size } = await openBlob(layer.digest);
      if (size === layer.size) return file;
      await file.close();
      const actual = `${size} bytes instead of ${layer.size}`;
      throw svcError('SVC-SIG-002', { reference: layer.digest, expected: layer.digest, actual });
    }
    for (;;) {
      const file = await unpacked.open(layer.digest, bytes);
      if (file) return file;
      await unpackOnce(layer, more);
    }
  };

  const readLayer = async (
    layer: Descriptor,
    builder: TreeBuilder,
    budget: EntryBudget,
    more: CallOptions,
  ): Promise<void> => {
    const scanner = createLayerScanner(builder, budget);
    const compression = compressionOf(layer.mediaType);
    if (compression === undefined) throw new TarError(`a layer of type ${layer.mediaType}`);
    if (compression === 'none') {
      await using archive = disposable(await openArchive(layer, 0, more));
      await readChecked(archive.file, layer, (piece) => scanner.write(piece), more);
    } else {
      const known = await unpacked.open(layer.digest);
      if (known) {
        await using archive = disposable(known);
        await readPlain(archive.file, (piece) => scanner.write(piece), more);
      } else {
        const take = (piece: Buffer) => scanner.write(piece);
        await unpacked.unpack(layer, { openBlob, compression, take, signal: more.signal });
      }
    }
    scanner.end();
  };

  const buildTree = async (image: FilesetImage, more: CallOptions): Promise<string> => {
    const temporary = trees.temporary();
    let at = 'manifest';
    try {
      const database = new DatabaseSync(temporary);
      try {
        // nobody sees the file before it is whole and has been synced
        database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384');
        database.exec('BEGIN EXCLUSIVE');
        const builder = new TreeBuilder(database);
        const budget = { left: filesetLimits.entries };
        for (const [number, layer] of image.layers.entries()) {
          at = layer.digest;
          builder.beginLayer(number);
          await readLayer(layer, builder, budget, more);
        }
        database.exec('COMMIT');
      } finally {
        database.close();
      }
      return await trees.publish(image.digest, temporary, more);
    } catch (error) {
      // asked before the file goes, and with it what filled the volume
      const refusal = error instanceof TarError ? toRefusal(image, at, error) : toDiskError(error, folder);
      await unlink(temporary).catch(() => undefined);
      throw more.signal?.aborted ? error : refusal;
    }
  };

  return {
    openTree: async (image, more = {}) => {
      const known = await trees.find(image.digest, more);
      const tree = known === undefined ? undefined : openTree(known, image);
      if (tree) return tree;
      await trees.remove(image.digest);
      const made = openTree(await buildTree(image, more), image);
      if (made === undefined) throw new Error('the index that was just made has another format');
      return made;
    },
    openContent: async ({ layer, offset, size }, more = {}) => ({
      file: await openArchive(layer, offset + size, more),
      start: offset,
    }),
    forget: async (image, others) => {
      await trees.remove(image.digest);
      const wanted = new Set(layersOf(others));
      for (const layer of layersOf([image])) if (!wanted.has(layer)) await unpacked.remove(layer);
    },
    retain: async (images) => {
      await trees.retain(new Set(images.map(({ digest }) => digest)));
      await unpacked.retain(new Set(layersOf(images)));
    },
  };
}

function layersOf(images: readonly FilesetImage[]): readonly Digest[] {
  return images.flatMap(({ layers }) => layers.map(({ digest }) => digest));
}

function disposable(file: FileHandle): { readonly file: FileHandle } & AsyncDisposable {
  return { file, [Symbol.asyncDispose]: () => file.close() };
}

/** Reads a layer to its end whatever is in it: a wrong digest is what is wrong with it then. */
async function readChecked(
  file: FileHandle,
  { digest: expected }: Descriptor,
  write: (piece: Buffer) => void,
  options: CallOptions,
): Promise<void> {
  let failure: unknown;
  const take = (piece: Buffer): void => {
    if (failure !== undefined) return;
    try {
      write(piece);
    } catch (error) {
      failure = error;
    }
  };
  const { digest: actual } = await hashPlain(file, digestAlgorithm(expected), { ...options, take });
  if (actual !== expected) throw svcError('SVC-SIG-002', { reference: expected, expected, actual });
  if (failure !== undefined) throw failure;
}

function toRefusal({ reference }: FilesetImage, layer: string, error: TarError): SvcError {
  // names are bytes; shown as the text they most likely are
  const path = error.path === undefined ? layer : Buffer.from(error.path.slice(0, 512), 'latin1').toString();
  return svcError('SVC-FIL-004', { reference, path, rule: error.rule }, { cause: error });
}

/**
 * SQLite tells of a full disk in a code of its own, and has given up what it wrote by then: the volume would look as if
 * it had room.
 */
function toDiskError(error: unknown, path: string): SvcError {
  const isFull = (error as { errcode?: number }).errcode === 13;
  return toWriteError(isFull ? Object.assign(error as Error, { code: 'EDQUOT' }) : error, path);
}
