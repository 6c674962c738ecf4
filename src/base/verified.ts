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

export interface VerifiedStream extends Transform {
  /** Bytes passed on so far. All of them: they are the expected ones. */
  readonly passed: number;
}

/**
 * A stream stage that passes bytes on and fails at the end unless they are exactly the expected ones. The last part is
 * held back until all have been hashed: nobody behind it ever has a whole that is wrong, though much of one, so what has
 * come must not be made visible before the stream has ended well.
 *
 * @throws SVC-SIG-002 on the stream when size or digest differ
 */
export function verified(expected: Expectation): VerifiedStream {
  const hash = createHash(digestAlgorithm(expected.digest));
  const reference = expected.reference ?? expected.digest;
  let seen = 0;
  let passed = 0;
  let last: Buffer | undefined;
  const differs = (actual: string) =>
    svcError('SVC-SIG-002', { reference, expected: expected.digest, actual });
  const stage = new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > expected.size) return done(differs(`more than ${expected.size} bytes`));
      hash.update(chunk);
      const ready = last;
      last = chunk;
      passed += ready?.length ?? 0;
      done(null, ready);
    },
    flush(done) {
      if (seen !== expected.size) return done(differs(`${seen} bytes instead of ${expected.size}`));
      const actual = toDigest(digestAlgorithm(expected.digest), hash);
      if (actual !== expected.digest) return done(differs(actual));
      passed = seen;
      done(null, last);
    },
  });
  return Object.defineProperty(stage, 'passed', { get: () => passed }) as unknown as VerifiedStream;
}
