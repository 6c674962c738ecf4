import { lstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Digest } from '../base/digest.ts';
import { digestAlgorithm, parseDigest } from '../base/digest.ts';
import { chunksOf } from '../base/stream/chunks-of.ts';
import { hasDisposableChunks } from '../base/stream/disposable-chunks.ts';
import { createSizeBound } from '../base/stream/verified.ts';
import type { ManifestRecord } from '../catalog/model.ts';
import { FileStream } from '../disk/file-stream.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import { blobPath } from '../oci/layout.ts';
import { svcError } from '../text/error.ts';
import { slowNames } from './blobs/slow-names.ts';
import { keepContent } from './keep-content.ts';
import type { LocalRepository, RepositoryOptions, Store } from './model.ts';
import { openBlob } from './open-blob.ts';
import { putManifest } from './put-manifest.ts';
import { readStoredManifest } from './read-stored-manifest.ts';
import { createBlobWriter } from './write-blob.ts';

/**
 * Filesystems where a lookup takes at most one read; a synchronous call is cheaper than an asynchronous one.
 */
const quickNames: ReadonlySet<string> = new Set(['ext4', 'xfs', 'btrfs', 'f2fs', 'overlay', 'tmpfs']);

function toDescriptor(record: ManifestRecord): Descriptor {
  const { mediaType, digest, size, artifactType } = record;
  return { mediaType, digest, size, ...(artifactType === undefined ? {} : { artifactType }) };
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Opens one repository of the store as source and target of copies. Written content belongs to the owner in
 * the options. An intact blob of any repository can be used, and becomes visible in this repository with the
 * manifest that needs it.
 */
export function openRepository(
  store: Store,
  name: string,
  { direct = false, onRePointed, ...options }: RepositoryOptions,
): LocalRepository {
  const { core } = store;
  const { index, graph, files } = core;
  const filesystem = core.parts.limits.type;

  const find = (reference: string): ManifestRecord | undefined => {
    const digest = parseDigest(reference);
    if (digest !== undefined) return index.isManifestIn(name, digest) ? index.manifest(digest) : undefined;
    const tag = index.tag(name, reference);
    return tag === undefined || tag.held ? undefined : index.manifest(tag.digest);
  };

  /**
   * Whether a blob is intact by the ledger and, on filesystems with fast lookups, of the right size on disk.
   */
  const isWhole = async (digest: Digest, size: number | undefined): Promise<boolean> => {
    const content = graph.get(digest);
    if (!content?.present) return false;
    if (!slowNames.has(filesystem)) {
      const path = join(core.root, blobPath(digest));
      const info = quickNames.has(filesystem) ? lookAt(path) : await lstat(path).catch(() => undefined);
      if (!info?.isFile() || (content.size >= 0 && info.size !== content.size)) {
        files.distrust(content);
        return false;
      }
    }
    return (await files.isWhole(content)) && (size === undefined || content.size === size);
  };

  const hasManifest = async (digest: Digest): Promise<boolean> => {
    const record = index.isManifestIn(name, digest) ? index.manifest(digest) : undefined;
    if (record === undefined || !(await isWhole(digest, record.size))) return false;
    for (const blob of record.blobs) if (!(await isWhole(blob.digest, blob.size))) return false;
    return true;
  };

  return {
    name,
    resolve: async (reference) => {
      const record = find(reference);
      return record && toDescriptor(record);
    },
    fetchManifest: async (reference) => {
      const record = find(reference);
      return record && readStoredManifest(store, record.digest);
    },
    fetchBlob: async (blob, { signal } = {}): Promise<Readable> => {
      const { file, size } = await openBlob(store, blob.digest);
      return new FileStream(file, size, signal);
    },
    hasBlob: async (blob) => isWhole(blob.digest, blob.size),
    hasManifest: async (digest) => hasManifest(digest),
    pushBlob: async (blob, from, { signal, onBytes } = {}) => {
      const disposable = hasDisposableChunks(from);
      const bound = createSizeBound(blob);
      try {
        await core.requireWritable();
        const writer = await createBlobWriter(store, {
          algorithm: digestAlgorithm(blob.digest),
          size: blob.size,
          direct,
        });
        try {
          for await (const chunk of chunksOf(from)) {
            signal?.throwIfAborted();
            const { length } = chunk;
            bound.add(length);
            await writer.write(chunk, { disposable });
            onBytes?.(length);
          }
          bound.requireWhole();
          await writer.commit(blob.digest);
        } finally {
          await writer.abort();
        }
      } finally {
        from.destroy();
      }
    },
    keepContent: () => keepContent(store),
    mountBlob: async (blob) => isWhole(blob.digest, blob.size),
    pushManifest: async (reference, manifest) => {
      const isByDigest = parseDigest(reference) !== undefined;
      if (isByDigest && reference !== manifest.descriptor.digest)
        throw svcError('SVC-SIG-002', {
          reference,
          expected: reference,
          actual: manifest.descriptor.digest,
        });
      const { digest } = manifest.descriptor;
      const put = { ...options, ...(isByDigest ? {} : { tag: reference }) };
      for (const { tag, isSet, previous } of await putManifest(store, name, manifest, put))
        if (isSet && previous !== undefined && previous !== digest)
          onRePointed?.({ repository: name, tag, previous, digest });
    },
    listTags: async () =>
      index
        .tags(name)
        .filter((tag) => !tag.held)
        .map((tag) => tag.tag),
    listReferrers: async (subject, artifactType) =>
      index
        .referrers(name, subject)
        .filter((record) => artifactType === undefined || record.artifactType === artifactType)
        .map(toDescriptor),
  };
}
