import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { verified } from '../base/stream/verified.ts';
import type { Descriptor } from '../oci/descriptor.ts';

/** Reads a small blob into memory and verifies its digest. @throws SVC-SIG-002 */
export async function collectBlob(blob: Descriptor, from: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  await pipeline(from, verified(blob), async (passed: AsyncIterable<Buffer>) => {
    for await (const part of passed) parts.push(part);
  });
  return Buffer.concat(parts);
}
