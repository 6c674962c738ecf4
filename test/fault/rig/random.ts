import { createHash } from 'node:crypto';

/** Numbers from 0 up to 1 that depend on the seed only. */
export function toRandom(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}
