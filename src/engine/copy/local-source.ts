import { Readable } from 'node:stream';
import { digestAlgorithm, hashBytes, isDigest } from '../../base/digest.ts';
import { FileStream } from '../../disk/file-stream.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { CallOptions, ReferrersLister, SignedSource, Source } from '../../oci/ports.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { Store } from '../../store/model.ts';
import { openBlob } from '../../store/open-blob.ts';
import { openRepository } from '../../store/open-repository.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import { svcError } from '../../text/error.ts';

/** The part of the store that a reader of content uses. */
type StoreReader = Store;

// for smaller blobs a stream and its buffer cost more than reading the bytes at once
const smallBytes = 64 << 10;

/** Opens a blob of any repository of the store; undefined when absent, unreadable, or small and altered. */
async function openLocal(store: StoreReader, blob: Descriptor): Promise<Readable | undefined> {
  if (store.index.sizeOf(blob.digest) !== blob.size) return undefined;
  const opened = await openBlob(store, blob.digest).catch(() => undefined);
  if (!opened) return undefined;
  const { file, size } = opened;
  if (size > smallBytes) return new FileStream(file, size);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, 0);
    const bytes = buffer.subarray(0, bytesRead);
    // altered bytes are fetched from the source again
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
 * A source that reads content from any repository of the store, and fetches the rest from the remote source. The remote
 * source resolves tags.
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

/** As `localFirst`, for signatures: the remote source lists them, stored ones are not fetched again. */
export function localFirstSigned(store: StoreReader | undefined, remote: SignedSource): SignedSource {
  return { ...localFirst(store, remote), listReferrers: remote.listReferrers.bind(remote) };
}

/** One repository of the store as a source of signatures. */
export function localSigned(store: StoreReader & Store, name: string): SignedSource {
  const repository = openRepository(store, name, { owner: { provenance: 'recipe' } });
  return {
    resolve: (reference, options) => repository.resolve(reference, options),
    fetchManifest: (reference, options) => repository.fetchManifest(reference, options),
    listReferrers: (subject, type, options) => repository.listReferrers(subject, type, options),
    fetchBlob: async (blob) => {
      const opened = await openLocal(store, blob);
      // a blob that the store has lost is reported like one that never arrived, so that it is fetched again
      if (!opened) throw svcError('SVC-REG-005', { reference: blob.digest });
      return opened;
    },
  };
}

/**
 * Lists the referrers of a repository for a request that every run repeats.
 *
 * @param listed the tags of the repository, where they are known
 */
export function toRelister(
  remote: Pick<RemoteRepository, 'relistReferrers'>,
  listed?: ReadonlySet<string>,
): ReferrersLister {
  return {
    listReferrers: (subject, _type, options) => remote.relistReferrers(subject, { ...options, listed }),
  };
}
