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

/**
 * A stream stage that passes bytes on and fails at the end unless they are exactly the expected ones.
 * Success says every byte was seen and hashed; failure may come after all bytes have been passed on, so
 * whoever stands behind it must not make them visible before the stream has ended well.
 *
 * @throws SVC-SIG-002 on the stream when size or digest differ
 */
export function verified(expected: Expectation): Transform {
  const hash = createHash(digestAlgorithm(expected.digest));
  const reference = expected.reference ?? expected.digest;
  let seen = 0;
  const differs = (actual: string) =>
    svcError('SVC-SIG-002', { reference, expected: expected.digest, actual });
  return new Transform({
    highWaterMark: 1 << 20,
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > expected.size) return done(differs(`more than ${expected.size} bytes`));
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      if (seen !== expected.size) return done(differs(`${seen} bytes instead of ${expected.size}`));
      const actual = toDigest(digestAlgorithm(expected.digest), hash);
      done(actual === expected.digest ? null : differs(actual));
    },
  });
}
