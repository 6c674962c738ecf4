import { Readable } from 'node:stream';
import { digestAlgorithm, hashBytes, isDigest } from '../../base/digest.ts';
import { svcError } from '../../base/error.ts';
import { FileStream } from '../../disk/file-stream.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, ReferrersLister, SignedSource, Source } from '../../oci/ports.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { openRepository } from '../../store/open-repository.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';

/** What a reader of content needs of the store. */
type StoreReader = Store;

// below this a stream and its buffer cost more than the bytes
const smallBytes = 64 << 10;

/** A whole blob of the store, in whatever repository; undefined when it is not there or cannot be read as it was. */
async function openLocal(store: StoreReader, blob: Descriptor): Promise<Readable | undefined> {
  if (store.index.sizeOf(blob.digest) !== blob.size) return undefined;
  const opened = await openBlob(store, blob.digest).catch(() => undefined);
  if (!opened) return undefined;
  const { file, size } = opened;
  if (size > smallBytes) return new FileStream(file, size);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
    const bytes = buffer.subarray(0, bytesRead);
    // what went bad on this disk is asked of its source again
    return hashBytes(bytes, digestAlgorithm(blob.digest)) === blob.digest
      ? Readable.from([bytes])
      : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/**
 * A source that reads what the store has, in whatever repository, and asks the remote one for the rest. Tags are the
 * remote's.
 */
export function localFirst(store: StoreReader | undefined, remote: Source): Source {
  if (!store) return remote;
  return {
    isNear: (digest) => store.index.manifest(digest) !== undefined,
    resolve: (reference: string, options?: CallOptions) => remote.resolve(reference, options),
    fetchManifest: async (reference: string, options?: CallOptions) =>
      (isDigest(reference) && store.index.manifest(reference)
        ? await readStoredManifest(store, reference).catch(() => undefined)
        : undefined) ?? remote.fetchManifest(reference, options),
    fetchBlob: async (blob: Descriptor, options?: CallOptions) =>
      (await openLocal(store, blob)) ?? remote.fetchBlob(blob, options),
  };
}

/** The same for signatures: which ones count, the remote one says; those that are here are not fetched again. */
export function localFirstSigned(store: StoreReader | undefined, remote: SignedSource): SignedSource {
  return { ...localFirst(store, remote), listReferrers: remote.listReferrers.bind(remote) };
}

/** One repository of the store as a source of signatures, which are many and small. */
export function localSigned(store: StoreReader & Store, name: string): SignedSource {
  const repository = openRepository(store, name, { owner: { provenance: 'recipe' } });
  return {
    resolve: (reference, options) => repository.resolve(reference, options),
    fetchManifest: (reference, options) => repository.fetchManifest(reference, options),
    listReferrers: (subject, type, options) => repository.listReferrers(subject, type, options),
    fetchBlob: async (blob) => {
      const opened = await openLocal(store, blob);
      // what was lost here is asked of its source, as a signature that never came
      if (!opened) throw svcError('SVC-REG-005', { reference: blob.digest });
      return opened;
    },
  };
}

/** The referrers of a repository for a question that every run repeats. */
export function toRelister(remote: Pick<RemoteRepository, 'relistReferrers'>): ReferrersLister {
  return { listReferrers: (subject, _type, options) => remote.relistReferrers(subject, options) };
}
