import type { Digest } from '../../base/digest.ts';

/** Sizes in bytes of everything that is reached, by digest. */
export type Contents = ReadonlyMap<Digest, number>;

/**
 * Bytes of what several closures reach, each content once, without what is known already: what has to be carried where
 * the known content is.
 */
export function sumContents(closures: Iterable<Contents>, known?: ReadonlySet<Digest>): number {
  const counted = new Set<Digest>();
  let sum = 0;
  for (const contents of closures)
    for (const [digest, size] of contents) {
      if (counted.has(digest) || known?.has(digest)) continue;
      counted.add(digest);
      sum += size;
    }
  return sum;
}
