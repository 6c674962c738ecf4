import type { Digest } from '../../base/digest.ts';
import { runAtOnce, type Steps } from '../../base/pacer.ts';

/** Sizes in bytes of everything that is reached, by digest. */
export type Contents = ReadonlyMap<Digest, number>;

/**
 * Bytes of the content of several closures, each counted once, without known content: the bytes to carry to a place
 * with the known content.
 */
export function sumContents(closures: Iterable<Contents>, known?: ReadonlySet<Digest>): number {
  return runAtOnce(sumContentsSteps(closures, known));
}

/** As {@link sumContents}, a closure in each step. */
export function* sumContentsSteps(closures: Iterable<Contents>, known?: ReadonlySet<Digest>): Steps<number> {
  const counted = new Set<Digest>();
  let sum = 0;
  for (const contents of closures) {
    for (const [digest, size] of contents) {
      if (counted.has(digest) || known?.has(digest)) continue;
      counted.add(digest);
      sum += size;
    }
    yield;
  }
  return sum;
}
