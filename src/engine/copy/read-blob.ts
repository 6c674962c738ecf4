import { pipeline } from 'node:stream/promises';
import { takeVerified } from '../../base/stream/resumed-stream.ts';
import { verified } from '../../base/stream/verified.ts';
import type { Descriptor } from '../../oci/descriptor.ts';
import { manifestLimits } from '../../oci/manifest.ts';
import type { BlobFetcher, CallOptions } from '../../oci/ports.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';

/**
 * Reads a small blob into memory and verifies it against its digest.
 *
 * @param reference names the blob in errors
 * @param options `limit` in bytes; default 4 MiB
 * @throws SVC-REG-009 before the fetch, when it is larger than the limit; SVC-SIG-002; errors of the source
 */
export async function readBlob(
  source: BlobFetcher,
  blob: Descriptor,
  reference: string,
  options?: CallOptions & { readonly limit?: number },
): Promise<Buffer> {
  if (blob.size > (options?.limit ?? manifestLimits.bytes))
    throw svcError('SVC-REG-009', {
      reference,
      detail: rule(
        [
          '{size} bytes exceed the limit for documents read into memory',
          fr`{size} octets dépassent la limite des documents lus en mémoire`,
        ],
        { size: blob.size },
      ),
    });
  return takeVerified(
    () => source.fetchBlob(blob, options),
    async (from) => {
      const chunks: Buffer[] = [];
      await pipeline(
        from,
        verified({ digest: blob.digest, size: blob.size, reference }),
        async (stream: AsyncIterable<Buffer>) => {
          for await (const chunk of stream) chunks.push(chunk);
        },
        options?.signal ? { signal: options.signal } : {},
      );
      return Buffer.concat(chunks);
    },
  );
}
