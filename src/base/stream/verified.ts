import { createHash } from 'node:crypto';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { type Digest, digestAlgorithm, toDigest } from '../digest.ts';

export interface Expectation {
  readonly digest: Digest;
  /** Bytes; checked before the digest, and as an upper limit while bytes arrive. */
  readonly size: number;
  /** Names the content in errors. */
  readonly reference?: string;
}

/** Limits the bytes of one content to their announced number. */
interface SizeBound {
  /** Bytes so far. */
  readonly seen: number;
  /** Counts bytes that have arrived. @throws SVC-SIG-002 when there are more than announced */
  add(bytes: number): void;
  /** @throws SVC-SIG-002 when there were fewer than announced */
  requireWhole(): void;
}

/** Creates the counter that limits content to `size` bytes. */
export function createSizeBound({ digest, size, reference = digest }: Expectation): SizeBound {
  let seen = 0;
  const refuse = (actual: Rule) => svcError('SVC-SIG-002', { reference, expected: digest, actual });
  return {
    get seen() {
      return seen;
    },
    add(bytes) {
      seen += bytes;
      if (seen > size) throw refuse(rule(['more than {size} bytes', fr`plus de {size} octets`], { size }));
    },
    requireWhole() {
      if (seen !== size)
        throw refuse(
          rule(['{seen} bytes instead of {size}', fr`{seen} octets au lieu de {size}`], { seen, size }),
        );
    },
  };
}

/**
 * Passes chunks on and fails at the end unless they are exactly the expected ones. The last chunk is held back until
 * all are hashed. A consumer never gets all of some wrong content, but may get most: it must not make any part visible
 * before the end.
 *
 * @param chunks each is valid until the second next one is requested
 * @throws SVC-SIG-002 when size or digest differ
 */
export async function* verifiedChunks(
  chunks: AsyncIterable<Buffer>,
  expected: Expectation,
): AsyncGenerator<Buffer, void, undefined> {
  const bound = createSizeBound(expected);
  const hash = createHash(digestAlgorithm(expected.digest));
  let last: Buffer | undefined;
  for await (const chunk of chunks) {
    bound.add(chunk.length);
    hash.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  bound.requireWhole();
  const actual = toDigest(digestAlgorithm(expected.digest), hash);
  if (actual !== expected.digest)
    throw svcError('SVC-SIG-002', {
      reference: expected.reference ?? expected.digest,
      expected: expected.digest,
      actual,
    });
  if (last !== undefined) yield last;
}

/** As `verifiedChunks`, as a stage of a pipeline. */
export function verified(expected: Expectation): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return (chunks) => verifiedChunks(chunks, expected);
}
