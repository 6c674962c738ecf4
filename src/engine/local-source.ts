import { isDigest } from '../base/digest.ts';
import type { Descriptor } from '../oci/descriptor.ts';
import type { CallOptions, Source } from '../oci/ports.ts';
import type { Store } from '../store/model.ts';

/** What a reader of content needs of the store. */
export type StoreReader = Pick<Store, 'index' | 'readManifest' | 'openBlob'>;

/**
 * A source that reads what the store has, in whatever repository, and asks the remote one for the rest. Tags are the
 * remote's.
 */
export function localFirst(store: StoreReader | undefined, remote: Source): Source {
  if (!store) return remote;
  return {
    resolve: (reference: string, options?: CallOptions) => remote.resolve(reference, options),
    fetchManifest: async (reference: string, options?: CallOptions) =>
      (isDigest(reference) && store.index.manifest(reference)
        ? await store.readManifest(reference).catch(() => undefined)
        : undefined) ?? remote.fetchManifest(reference, options),
    fetchBlob: async (blob: Descriptor, options?: CallOptions) => {
      if (store.index.sizeOf(blob.digest) !== blob.size) return remote.fetchBlob(blob, options);
      const opened = await store.openBlob(blob.digest).catch(() => undefined);
      return opened
        ? opened.file.createReadStream({ highWaterMark: 1 << 20 })
        : remote.fetchBlob(blob, options);
    },
  };
}
