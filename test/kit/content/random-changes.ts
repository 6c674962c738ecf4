import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { ContentChange } from '../../../src/catalog/content-records.ts';
import type { Owner } from '../../../src/contract/content.ts';
import { contentKinds } from '../../../src/oci/kind.ts';

/** Numbers below 2^32 that a seed decides (xorshift). */
export function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const label = 'a'.repeat(63);
export const longestHost = `${label}.${label}.${label}.${'a'.repeat(61)}:65535`;
export const repositories = ['app', 'docker.io/library/app', `x.io/${'r'.repeat(250)}`];
export const tags = ['1.0.0', 't'.repeat(128), `sha256-${'0'.repeat(64)}.sig`];
export const sizes = [0, 1, 2 ** 40];
export const owners: readonly Owner[] = [
  { provenance: 'import' },
  { provenance: 'push' },
  { provenance: 'recipe', recipe: 'shop@1.0.0', cookbook: 'x.io/cookbook' },
  {
    provenance: 'recipe',
    recipe: `${'n'.repeat(253)}@1.0.0-${'v'.repeat(250)}`,
    cookbook: `${longestHost}/${'c'.repeat(255)}`,
  },
];
export const digests: readonly Digest[] = Array.from({ length: 12 }, (_, i) =>
  hashBytes(Buffer.from(`${i}`), i % 3 === 0 ? 'sha512' : 'sha256'),
);

/** A record of the content ledger that the numbers decide. */
export function generateChange(next: () => number): ContentChange {
  const pick = <T>(from: readonly T[]): T => from[next() % from.length]!;
  const some = <T>(from: readonly T[]): T[] => from.filter(() => next() % 3 === 0);
  const flag = () => next() % 2 === 0;
  const [repo, tag, digest] = [pick(repositories), pick(tags), pick(digests)];
  const held = flag() ? { held: true as const } : {};
  const makers: readonly (() => ContentChange)[] = [
    () => ({
      op: 'manifest',
      digest,
      type: 't'.repeat(512),
      size: pick(sizes),
      ...(flag() ? { artifactType: 'a'.repeat(512) } : {}),
      ...(flag() ? { subject: pick(digests) } : {}),
      ...(flag()
        ? { manifests: some(digests) }
        : { blobs: some(digests).flatMap((one) => [one, pick(sizes)]) }),
      ...(flag() ? { unverified: true as const } : {}),
    }),
    () => ({ op: 'put', repo, digest, ...(flag() ? { pushed: true as const } : {}), ...held }),
    () => ({
      op: 'tag',
      repo,
      tag,
      digest,
      kind: pick(contentKinds),
      owner: pick(owners),
      ...held,
      ...(flag() ? { keeps: true as const } : {}),
    }),
    () => ({ op: 'untag', repo, tag }),
    () => ({ op: 'disown', repo, tag, owner: pick(owners) }),
    () => ({ op: 'unhold', repo, tag }),
    () => ({ op: 'drop', repo, digest }),
    () => ({ op: 'upload', repo, digest, size: pick(sizes), actor: 'alice', at: 1 }),
    () => ({ op: 'unblob', repo, digest }),
    () => ({ op: 'published', repo, tag, digest, ...(flag() ? { document: pick(digests) } : {}) }),
    () => ({ op: 'unpublished', repo }),
    () => ({ op: 'verified', digests: some(digests) }),
  ];
  return pick(makers)();
}
