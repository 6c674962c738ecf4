import type { FileHandle } from 'node:fs/promises';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, digestAlgorithm } from '../base/digest.ts';
import type { Report } from '../base/report.ts';
import { makeFolder } from '../disk/make-folder.ts';
import { TarError } from '../disk/tar/error.ts';
import { toWriteError } from '../disk/write-error.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions } from '../oci/ports.ts';
import { type SvcError, svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { compressionOf } from './compression-of.ts';
import type { FilesetFile, FilesetImage, FilesetTree, OpenBlob } from './model.ts';
import { hashPlain, readPlain } from './read-plain.ts';
import { toRefusal } from './to-refusal.ts';
import { openTree } from './tree/tree.ts';
import { TreeFiles } from './tree/tree-files.ts';
import { openTreeMerge, type TreeMerge } from './tree/tree-merge.ts';
import { type Room, UnpackedLayers } from './unpacked-layers.ts';

interface FilesetCacheOptions {
  /** A folder that only this process uses; created if missing. */
  readonly folder: string;
  readonly openBlob: OpenBlob;
  readonly room: Room;
  readonly report: Report;
}

/** An open file that contains the bytes of a file of a tree from `start` on; the caller closes it. */
interface OpenContent {
  readonly file: FileHandle;
  readonly start: number;
}

/** Merged indexes and unpacked layers on disk, for serving file sets. All of them can be created again. */
export interface FilesetCache {
  /**
   * Opens the merged tree of an image. Its layers are read and checked once, and again only when the index is missing or
   * damaged.
   *
   * @throws SVC-FIL-004 when the image cannot be served, SVC-SIG-002 when a layer has changed, SVC-STO-00x
   */
  openTree(image: FilesetImage, options?: CallOptions): Promise<FilesetTree>;
  /** Opens the content of a file. @throws as `openTree` */
  openContent(file: FilesetFile, options?: CallOptions): Promise<OpenContent>;
  /** Removes the files of an image, except layers that the other images have too. */
  forget(image: FilesetImage, others: readonly FilesetImage[]): Promise<void>;
  /** Removes the files of all images but these. */
  retain(images: readonly FilesetImage[]): Promise<void>;
}

/** @throws SVC-STO-002, SVC-STO-004 */
export async function openFilesetCache(options: FilesetCacheOptions): Promise<FilesetCache> {
  const { folder, openBlob } = options;
  try {
    await makeFolder(folder, 0o700);
    // leftovers of a killed process
    for (const name of await readdir(folder))
      if (/\.tmp(?:-journal)?$/.test(name)) await unlink(join(folder, name));
  } catch (error) {
    throw toWriteError(error, folder);
  }
  const trees = new TreeFiles(folder);
  const unpacked = new UnpackedLayers(options);
  const unpacking = new Map<Digest, Promise<void>>();

  /** Unpacks a layer once even if several callers need it at the same time. */
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

  /** Opens the uncompressed archive of a layer. @param bytes minimum length */
  const openArchive = async (layer: Descriptor, bytes: number, more: CallOptions): Promise<FileHandle> => {
    if (compressionOf(layer.mediaType) === 'none') {
      const { file, size } = await openBlob(layer.digest);
      if (size === layer.size) return file;
      await file.close();
      const actual = rule(['{found} bytes instead of {size}', fr`{found} octets au lieu de {size}`], {
        found: size,
        size: layer.size,
      });
      throw svcError('SVC-SIG-002', { reference: layer.digest, expected: layer.digest, actual });
    }
    for (;;) {
      const file = await unpacked.open(layer.digest, bytes);
      if (file) return file;
      await unpackOnce(layer, more);
    }
  };

  const readLayer = async (layer: Descriptor, merge: TreeMerge, more: CallOptions): Promise<void> => {
    const compression = compressionOf(layer.mediaType);
    if (compression === undefined)
      throw new TarError(
        rule(['a layer of type {mediaType}', fr`une couche de type {mediaType}`], {
          mediaType: layer.mediaType,
        }),
      );
    const take = (piece: Buffer) => merge.write(piece);
    if (compression === 'none') {
      await using archive = disposable(await openArchive(layer, 0, more));
      await readChecked(archive.file, layer, merge, more);
      return;
    }
    const known = await unpacked.open(layer.digest);
    if (known) {
      await using archive = disposable(known);
      await readPlain(archive.file, take, more);
    } else await unpacked.unpack(layer, { openBlob, compression, take, signal: more.signal });
    await merge.endLayer();
  };

  const buildTree = async (image: FilesetImage, more: CallOptions): Promise<string> => {
    const temporary = trees.temporary();
    let at = 'manifest';
    try {
      {
        await using merge = await openTreeMerge(temporary, { hashes: true });
        for (const [number, layer] of image.layers.entries()) {
          at = layer.digest;
          await merge.beginLayer(number);
          await readLayer(layer, merge, more);
        }
        at = 'manifest';
        await merge.end();
      }
      return await trees.publish(image.digest, temporary, more);
    } catch (error) {
      // before the file is removed, so that the free space in the error is that of the failure
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

/** Reads a layer to its end, even after a fault in its content: a wrong digest is reported in preference. */
async function readChecked(
  file: FileHandle,
  { digest: expected }: Descriptor,
  merge: TreeMerge,
  options: CallOptions,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (failure !== undefined) return;
    await work().catch((error: unknown) => {
      failure = { error };
    });
  };
  const take = (piece: Buffer) => attempt(() => merge.write(piece));
  const { digest: actual } = await hashPlain(file, digestAlgorithm(expected), { ...options, take });
  if (actual !== expected) throw svcError('SVC-SIG-002', { reference: expected, expected, actual });
  await attempt(() => merge.endLayer());
  if (failure !== undefined) throw failure.error;
}

/**
 * Converts an error of SQLite. SQLite has its own code for a full disk and has already removed its writes, so that the
 * volume would appear to have room.
 */
function toDiskError(error: unknown, path: string): SvcError {
  const isFull = (error as { errcode?: number }).errcode === 13;
  return toWriteError(isFull ? Object.assign(error as Error, { code: 'EDQUOT' }) : error, path);
}
