import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { mergeFallback } from '../../../src/engine/copy/carry-signatures.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';

const entry = (text: string): Descriptor => ({
  mediaType: mediaTypes.ociManifest,
  digest: hashBytes(text),
  size: text.length,
});

function toIndex(entries: readonly Descriptor[]): ManifestContent {
  const bytes = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: entries }),
  );
  return {
    bytes,
    descriptor: { mediaType: mediaTypes.ociIndex, digest: hashBytes(bytes), size: bytes.length },
  };
}
const digestsOf = (index: ManifestContent | undefined) =>
  index && JSON.parse(index.bytes.toString()).manifests.map(({ digest }: Descriptor) => digest);
const [a, b, c] = [entry('a'), entry('b'), entry('c')];

test('an index that arrives where there is none is bit-exact when all its entries are carried', () => {
  const arriving = toIndex([a, b]);
  assert.equal(mergeFallback(undefined, arriving, new Set([a.digest, b.digest])), arriving);
});

test('what is not carried is not listed', () => {
  assert.deepEqual(digestsOf(mergeFallback(undefined, toIndex([a, b]), new Set([b.digest]))), [b.digest]);
});

test('existing entries are kept, and nothing is written when none is missing', () => {
  const all = new Set([a.digest, b.digest, c.digest]);
  assert.deepEqual(digestsOf(mergeFallback(toIndex([c]), toIndex([a, c]), all)), [c.digest, a.digest]);
  assert.equal(mergeFallback(toIndex([a, c]), toIndex([c]), all), undefined);
});

test('a full fallback index drops its first entries for those carried', () => {
  const many = Array.from({ length: 9_999 }, (_, i) => ({
    ...entry(String(i)),
    annotations: { padding: 'x'.repeat(230) },
  }));
  const merged = mergeFallback(toIndex(many), toIndex([a, b]), new Set([a.digest, b.digest]));
  assert.ok(merged && merged.bytes.length <= 4_194_304);
  assert.deepEqual(digestsOf(merged).slice(-3), [many.at(-1)?.digest, a.digest, b.digest]);
});
