import type { Digest } from '../../base/digest.ts';
import { runAtOnce, type Steps } from '../../base/pacer.ts';

/** Sizes in bytes of everything that is reached, by digest. */
export type Contents = ReadonlyMap<Digest, number>;

/**
 * Bytes of what several closures reach, each content once, without what is known already: what has to be carried where
 * the known content is.
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
