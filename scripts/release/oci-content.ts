import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { formatLayoutIndex } from '../../src/archive/layout-index.ts';
import { openLayoutWriter } from '../../src/archive/open-writer.ts';
import { type Digest, hashBytes, toDigest } from '../../src/base/digest.ts';
import { openCopyPool } from '../../src/disk/threads/copy-pool.ts';
import { inspectVolume } from '../../src/disk/volume.ts';
import { openTreePack } from '../../src/fileset/pack-tree.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';

/** A blob or a manifest of the layout: its bytes, or the file that has them. */
export interface Content {
  readonly descriptor: Descriptor;
  readonly from: Buffer | string;
}

/** An artifact of the layout under its name. */
export interface Artifact {
  /** `<registry>/<repository>:<tag>`, or `…@<digest>` for a referrer. */
  readonly name: string;
  /** Its manifest or index. */
  readonly root: Descriptor;
  readonly contents: readonly Content[];
}

export function toContent(mediaType: string, bytes: Buffer): Content {
  return { descriptor: { mediaType, digest: hashBytes(bytes), size: bytes.length }, from: bytes };
}

export function toJsonContent(mediaType: string, document: object): Content {
  return toContent(mediaType, Buffer.from(JSON.stringify(document)));
}

/** Hashes a file as a blob. */
export async function toFileContent(mediaType: string, path: string): Promise<Content> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return {
    descriptor: { mediaType, digest: toDigest('sha256', hash), size: (await stat(path)).size },
    from: path,
  };
}

/**
 * Packs a folder as one uncompressed layer, as FileSets are packed: without owners and times.
 *
 * @param path file of the layer
 */
export async function packLayer(folder: string, path: string): Promise<Content> {
  await using tree = await openTreePack(folder);
  const hash = createHash('sha256');
  await using file = await open(path, 'wx', 0o644);
  let size = 0;
  for await (const { bytes, giveBack } of tree.chunks()) {
    hash.update(bytes);
    for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
    size += bytes.length;
    giveBack();
  }
  return {
    descriptor: { mediaType: mediaTypes.ociLayer, digest: toDigest('sha256', hash), size },
    from: path,
  };
}

/** A layer of an image. */
export interface Layer extends Content {
  /** Digest of its archive before compression (OCI image specification, "Layer DiffID"). */
  readonly diffId: Digest;
}

/**
 * Compresses a layer. A tool that copies an image to a registry compresses uncompressed layers. This changes the digest
 * of the image, which the recipe, the chart and the signature name.
 *
 * @param path file of the compressed layer
 */
export async function compressLayer({ descriptor, from }: Content, path: string): Promise<Layer> {
  const archive = typeof from === 'string' ? createReadStream(from, { highWaterMark: 1 << 20 }) : [from];
  await pipeline(archive, createGzip(), createWriteStream(path, { flags: 'wx', mode: 0o644 }));
  return { ...(await toFileContent(mediaTypes.ociLayerGzip, path)), diffId: descriptor.digest };
}

/** Writes artifacts as an image layout in a folder that does not exist. */
export async function writeLayout(path: string, artifacts: readonly Artifact[]): Promise<void> {
  const contents = new Map<Digest, Content>();
  for (const artifact of artifacts) {
    for (const content of artifact.contents) contents.set(content.descriptor.digest, content);
  }
  const entries = artifacts.map(({ name, root }) => ({
    ...root,
    annotations: {
      'org.opencontainers.image.ref.name': name,
      ...(name.includes('@') ? {} : { 'io.containerd.image.name': name }),
    },
  }));
  const plan = {
    index: formatLayoutIndex(entries),
    contents: [...contents.values()].map(({ descriptor }) => descriptor),
  };
  const volume = await inspectVolume(dirname(path));
  await using pool = openCopyPool();
  await using writer = await openLayoutWriter(plan, 'directory', { path, volume, overwrite: false });
  for (const { descriptor, from } of contents.values()) {
    if (typeof from === 'string') {
      await writer.takeFile(descriptor, { root: dirname(from), path: basename(from) }, pool);
    } else await writer.target.pushManifest(undefined as never, { descriptor, bytes: from });
  }
  await writer.finish();
}
