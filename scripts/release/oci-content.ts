import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openFolderWriter } from '../../src/archive/folder-writer.ts';
import { formatLayoutIndex } from '../../src/archive/layout-index.ts';
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
  await using writer = await openFolderWriter(plan, { path, volume, overwrite: false });
  for (const { descriptor, from } of contents.values()) {
    if (typeof from === 'string') {
      await writer.takeFile(descriptor, { root: dirname(from), path: basename(from) }, pool);
    } else await writer.target.pushManifest(undefined as never, { descriptor, bytes: from });
  }
  await writer.finish();
}
