import { pipeline } from 'node:stream/promises';
import { Semaphore } from '../../base/concurrency.ts';
import type { Digest } from '../../base/digest.ts';
import { Once } from '../../base/once.ts';
import { takeVerified } from '../../base/stream/resumed-stream.ts';
import { verified } from '../../base/stream/verified.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { isNonDistributable } from '../../oci/media-types.ts';
import type { CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import { isSvcError } from '../../text/error.ts';

/** Requests that wait for an answer at the same time. */
const atOnce = { head: 8, deep: 3 } as const;

/** Asks a registry which repositories have a blob, once for each pair. */
export interface BlobProbe {
  /** The repositories that have it, by blob. */
  readonly places: ReadonlyMap<Digest, readonly string[]>;
  /**
   * Lists those of the blobs that a repository lacks. Layers that need not be distributed are not among them.
   *
   * @throws SVC-SIG-002 for a blob that has other bytes, errors of the client
   */
  listMissing(
    repository: RemoteRepository,
    blobs: readonly Descriptor[],
    options: CallOptions,
  ): Promise<readonly Descriptor[]>;
}

/** @param deep whether each blob is read and hashed; otherwise its presence is asked for */
export function openBlobProbe(deep: boolean): BlobProbe {
  const limiter = new Semaphore(deep ? atOnce.deep : atOnce.head);
  const answers = new Once<string, boolean>();
  const places = new Map<Digest, string[]>();
  const has = async (repository: RemoteRepository, blob: Descriptor, call: CallOptions): Promise<boolean> => {
    const isThere = await limiter.run(() => {
      call.signal?.throwIfAborted();
      return deep ? isReadable(repository, blob, call) : repository.hasBlob(blob, call);
    });
    if (!isThere) return false;
    const { repository: path } = repository.effective;
    const known = places.get(blob.digest);
    if (known === undefined) places.set(blob.digest, [path]);
    else known.push(path);
    return true;
  };
  return {
    places,
    async listMissing(repository, blobs, call) {
      const { repository: path } = repository.effective;
      const found = await Promise.all(
        blobs.map((blob) =>
          answers.run(`${path} ${blob.digest} ${blob.size}`, () => has(repository, blob, call)),
        ),
      );
      return blobs.filter((blob, i) => !found[i] && !isNonDistributable(blob.mediaType));
    },
  };
}

/** Reads and hashes a blob. @returns false when the repository does not have it */
async function isReadable(
  repository: RemoteRepository,
  blob: Descriptor,
  call: CallOptions,
): Promise<boolean> {
  const { digest, size } = blob;
  const reference = formatReference({ ...repository.effective, digest });
  const drain = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _ of chunks);
  };
  try {
    await takeVerified(
      () => repository.fetchBlob(blob, call),
      (from) => pipeline(from, verified({ digest, size, reference }), drain, { signal: call.signal }),
    );
    return true;
  } catch (error) {
    if (isSvcError(error, 'SVC-REG-005')) return false;
    throw error;
  }
}
