import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { digestHex } from '../../../src/base/digest.ts';
import type { Report } from '../../../src/base/report.ts';
import { silentReport } from '../../../src/base/report.ts';
import { type FilesetCache, openFilesetCache } from '../../../src/fileset/fileset-cache.ts';
import type { FilesetImage, FilesetTree } from '../../../src/fileset/model.ts';
import type { Room } from '../../../src/fileset/unpacked-layers.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { openTempFolder } from '../instance/temp-folder.ts';
import { type Artifact, type Blob, buildImage, toBlob } from './content.ts';

export type Packing = 'none' | 'gzip' | 'zstd';

/** A layer of an archive, packed as told. */
export function toLayer(archive: Buffer, packing: Packing = 'none'): Blob {
  if (packing === 'none') return toBlob(archive, mediaTypes.ociLayer);
  const bytes = packing === 'gzip' ? gzipSync(archive) : zstdCompressSync(archive);
  return toBlob(bytes, `${mediaTypes.ociLayer}+${packing}`);
}

/** An image of these layers and no others. */
export function toFilesetImage(layers: readonly Blob[], platform = 'linux/amd64'): Artifact {
  return buildImage('fileset', { layers, ownLayers: 0, platform });
}

/** FileSets over blobs in a folder, without a store around them. */
export interface TempShelf extends AsyncDisposable {
  readonly folder: string;
  /** The folder of kept FileSets. */
  readonly kept: string;
  readonly cache: FilesetCache;
  /** Layers as they are read, in their order. */
  readonly opened: string[];
  /** Puts the layers there, and opens their tree. */
  open(layers: readonly Blob[], options?: { readonly signal?: AbortSignal }): Promise<FilesetTree>;
  /** Another cache over the same folders, as after a restart. */
  reopen(): Promise<FilesetCache>;
  /** The text of a file; undefined when there is none. */
  read(tree: FilesetTree, path: string): Promise<string | undefined>;
  blobPath(layer: Blob): string;
}

export function toImageOf(layers: readonly Blob[]): FilesetImage {
  const { manifest } = toFilesetImage(layers);
  return {
    reference: 'localhost/filesets/sample:1.0.0',
    digest: manifest.descriptor.digest,
    layers: layers.map(({ descriptor }) => descriptor),
  };
}

export async function openTempShelf(
  options: { readonly report?: Report; readonly room?: Room } = {},
): Promise<TempShelf> {
  const folder = await openTempFolder('svc-fileset-');
  const kept = join(folder.path, 'kept');
  const opened: string[] = [];
  const blobPath = ({ descriptor }: Pick<Blob, 'descriptor'>) =>
    join(folder.path, digestHex(descriptor.digest));
  const openCache = () =>
    openFilesetCache({
      folder: kept,
      room: options.room ?? { has: async () => true, require: async () => {} },
      report: options.report ?? silentReport,
      openBlob: async (digest) => {
        opened.push(digest);
        const file = await open(join(folder.path, digestHex(digest)));
        return { file, size: (await file.stat()).size };
      },
    });
  let cache = await openCache();
  return {
    folder: folder.path,
    kept,
    opened,
    blobPath,
    get cache() {
      return cache;
    },
    open: async (layers, more) => {
      for (const layer of layers) await writeFile(blobPath(layer), layer.bytes);
      return cache.openTree(toImageOf(layers), more);
    },
    reopen: async () => {
      cache = await openCache();
      return cache;
    },
    read: async (tree, path) => {
      const found = tree.find(path);
      if (found === undefined) return undefined;
      const { file, start } = await cache.openContent(found);
      try {
        const bytes = Buffer.alloc(found.size);
        await file.read(bytes, 0, found.size, start);
        return bytes.toString();
      } finally {
        await file.close();
      }
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
