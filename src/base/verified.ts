import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { type Digest, digestAlgorithm, toDigest } from './digest.ts';
import { svcError } from './error.ts';

export interface Expectation {
  readonly digest: Digest;
  /** Bytes; checked before the digest, and as an upper bound while bytes arrive. */
  readonly size: number;
  /** Names the content in errors. */
  readonly reference?: string;
}

/** Judges bytes as they pass: whoever hands them on withholds the last until `end` has found them all right. */
export interface Verifier {
  /** @throws SVC-SIG-002 when these are more than expected */
  take(chunk: Buffer): void;
  /** @throws SVC-SIG-002 when size or digest differ */
  end(): void;
}

export function createVerifier(expected: Expectation): Verifier {
  const hash = createHash(digestAlgorithm(expected.digest));
  const reference = expected.reference ?? expected.digest;
  let seen = 0;
  const requireSame = (isSame: boolean, actual: string): void => {
    if (!isSame) throw svcError('SVC-SIG-002', { reference, expected: expected.digest, actual });
  };
  return {
    take(chunk) {
      seen += chunk.length;
      requireSame(seen <= expected.size, `more than ${expected.size} bytes`);
      hash.update(chunk);
    },
    end() {
      requireSame(seen === expected.size, `${seen} bytes instead of ${expected.size}`);
      const actual = toDigest(digestAlgorithm(expected.digest), hash);
      requireSame(actual === expected.digest, actual);
    },
  };
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
  const verifier = createVerifier(expected);
  let last: Buffer | undefined;
  for await (const chunk of chunks) {
    verifier.take(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  verifier.end();
  if (last !== undefined) yield last;
}

/** As `verifiedChunks`, as a stage of a pipeline. */
export function verified(expected: Expectation): Transform {
  const verifier = createVerifier(expected);
  let last: Buffer | undefined;
  return new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      try {
        verifier.take(chunk);
      } catch (error) {
        return done(error as Error);
      }
      const ready = last;
      last = chunk;
      done(null, ready);
    },
    flush(done) {
      try {
        verifier.end();
      } catch (error) {
        return done(error as Error);
      }
      done(null, last);
    },
  });
}
