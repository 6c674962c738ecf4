import { createHash } from 'node:crypto';
import { type Digest, digestAlgorithm, toDigest } from './digest.ts';
import { svcError } from './error.ts';

export interface Expectation {
  readonly digest: Digest;
  /** Bytes; checked before the digest, and as an upper bound while bytes arrive. */
  readonly size: number;
  /** Names the content in errors. */
  readonly reference?: string;
}

/**
 * Passes chunks on and fails at the end unless they are exactly the expected ones. The last chunk is held back until all
 * have been hashed: nobody behind it ever has a whole that is wrong, though much of one, so what has come must not be
 * made visible before the end.
 *
 * @param chunks each stays as it is until the next but one is asked for
 * @throws SVC-SIG-002 when size or digest differ
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Buffer>,
  expected: Expectation,
): AsyncGenerator<Buffer, void, undefined> {
  const reference = expected.reference ?? expected.digest;
  const requireSame = (isSame: boolean, actual: string): void => {
    if (!isSame) throw svcError('SVC-SIG-002', { reference, expected: expected.digest, actual });
  };
  const hash = createHash(digestAlgorithm(expected.digest));
  let seen = 0;
  let last: Buffer | undefined;
  for await (const chunk of chunks) {
    seen += chunk.length;
    requireSame(seen <= expected.size, `more than ${expected.size} bytes`);
    hash.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  requireSame(seen === expected.size, `${seen} bytes instead of ${expected.size}`);
  const actual = toDigest(digestAlgorithm(expected.digest), hash);
  requireSame(actual === expected.digest, actual);
  if (last !== undefined) yield last;
}

/** As `verifiedChunks`, as a stage of a pipeline. */
export function verified(expected: Expectation): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return (chunks) => verifiedChunks(chunks, expected);
}
