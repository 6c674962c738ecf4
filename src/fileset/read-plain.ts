import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Digest, type DigestAlgorithm, toDigest } from '../base/digest.ts';
import type { CallOptions } from '../oci/ports.ts';

const bufferBytes = 1 << 18;

/**
 * Reads an open file from beginning to end through one buffer, passing each piece on before it reads the next.
 *
 * @param take gets a piece that is valid until its promise resolves
 * @returns number of bytes read
 */
export async function readPlain(
  file: FileHandle,
  take: (piece: Buffer) => void | Promise<void>,
  { signal }: CallOptions = {},
): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, bufferBytes, position);
    if (bytesRead === 0) return position;
    await take(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** As `readPlain`; returns the digest of the bytes read. */
export async function hashPlain(
  file: FileHandle,
  algorithm: DigestAlgorithm,
  options: CallOptions & { readonly take?: (piece: Buffer) => Promise<void> } = {},
): Promise<{ readonly digest: Digest; readonly size: number }> {
  const hash = createHash(algorithm);
  const size = await readPlain(
    file,
    (piece) => {
      hash.update(piece);
      return options.take?.(piece);
    },
    options,
  );
  return { digest: toDigest(algorithm, hash), size };
}
