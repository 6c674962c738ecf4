import { takeVerified } from '../../base/stream/resumed-stream.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import type { BlobFetcher, BlobPusher, PushOptions } from '../../oci/ports.ts';

/**
 * Streams one blob from a source to a target, which checks size and digest.
 *
 * @throws SVC-SIG-002, errors of source and target
 */
export function streamBlob(
  source: BlobFetcher,
  target: BlobPusher,
  blob: Descriptor,
  options: PushOptions,
): Promise<void> {
  return takeVerified(
    () => source.fetchBlob(blob, options),
    (from) => {
      // if the source fails before the target reads, an unhandled error event would end the process
      from.on('error', () => {});
      return target.pushBlob(blob, from, options);
    },
  );
}
