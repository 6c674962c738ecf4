import { open } from 'node:fs/promises';
import { isSvcError, svcError } from '../../src/base/error.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';

/**
 * Reads a complete document, at most up to the limit.
 *
 * @param limit maximum size in bytes
 * @throws SVC-VAL-002 when it is longer, SVC-FIL-005, SVC-STO-001 or SVC-STO-014 when it cannot be read
 */
export async function readBounded(path: string, limit: number): Promise<Buffer> {
  try {
    return await read(path, limit);
  } catch (error) {
    if (isSvcError(error)) throw error;
    throw toNamedFileError(error, path);
  }
}

async function read(path: string, limit: number): Promise<Buffer> {
  await using file = await open(path, 'r');
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(64 << 10), 0, 64 << 10, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    length += bytesRead;
    if (length > limit) throw svcError('SVC-VAL-002', { limit, file: path });
    chunks.push(buffer.subarray(0, bytesRead));
  }
}
