import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { SharedWork } from '../../base/shared-work.ts';
import type { TaskBlob } from '../../contract/task.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { BlobFetcher, CallOptions } from '../../oci/ports.ts';
import { formatReference } from '../../oci/reference.ts';
import type { RemoteRepository } from '../../remote/model.ts';
import type { LocalRepository, Store } from '../../store/model.ts';
import { takeFile } from '../../store/write-blob.ts';
import type { BlobMover } from './copy-graph.ts';
import { streamBlob } from './stream-blob.ts';

interface TransferOptions extends CallOptions {
  /** Shared by all transfers into one store, by digest, so that a blob that several need is fetched once. */
  readonly arriving: SharedWork<string>;
  /** Called with the progress of a resumable download. */
  readonly onBlob?: (blob: TaskBlob) => void;
}

/** Puts a spooled blob: by renaming when spool and store share a volume, else by copying. */
async function takeSpooled(
  store: Store,
  target: Pick<LocalRepository, 'pushBlob'>,
  path: string,
  blob: Descriptor,
  call: CallOptions,
): Promise<void> {
  const [file, root] = await Promise.all([stat(path), stat(store.root)]);
  if (file.dev === root.dev) {
    try {
      await takeFile(store, path, blob.digest, blob.size);
      return;
    } catch (error) {
      // rename fails between two mounts of one device
      if ((error as { cause?: NodeJS.ErrnoException }).cause?.code !== 'EXDEV') throw error;
    }
  }
  await target.pushBlob(blob, createReadStream(path, { highWaterMark: 1 << 20 }), call);
}

/**
 * Creates the transfer of blobs into the store: large ones through the spool, each fetched once. When the transfer for
 * another recipe fails, by its source or by the size that its manifest declares, the blob is fetched from this source.
 */
export function createTransfer(
  store: Store,
  remote: Pick<RemoteRepository, 'spoolBlob' | 'effective'>,
  source: BlobFetcher,
  target: Pick<LocalRepository, 'pushBlob' | 'hasBlob'>,
  options: TransferOptions,
): BlobMover {
  const { arriving, signal, onBlob } = options;
  const call: CallOptions = { signal };
  const bring = async (blob: Descriptor, onBytes: (count: number) => void): Promise<void> => {
    const { digest, size: sizeBytes } = blob;
    let receivedBytes = 0;
    const count = (bytes: number): void => {
      receivedBytes += bytes;
      onBlob?.({ digest, sizeBytes, receivedBytes, resumed: false, done: false });
      onBytes(bytes);
    };
    const spooled = await remote.spoolBlob(blob, { ...call, onBytes: count });
    if (!spooled) {
      await streamBlob(source, target, blob, { ...call, onBytes });
      return;
    }
    try {
      await takeSpooled(store, target, spooled.path, blob, call);
      await spooled.release();
      onBlob?.({ digest, sizeBytes, receivedBytes, resumed: spooled.resumedFrom > 0, done: true });
    } catch (error) {
      // the download is complete: it is kept, so that the next attempt does not fetch it again
      await spooled.release({ keep: true });
      throw error;
    }
  };
  return async (blob, { onBytes }) => {
    await arriving.run(blob.digest, `${formatReference(remote.effective)} ${blob.size}`, async () => {
      if (!(await target.hasBlob(blob, call))) await bring(blob, onBytes);
    });
    return true;
  };
}
