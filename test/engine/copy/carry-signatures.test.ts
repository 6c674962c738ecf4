import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { carrySignatures, mergeFallback } from '../../../src/engine/copy/carry-signatures.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { buildImage, buildReferrer, pushArtifact } from '../../kit/content/content.ts';
import { createMemoryTarget } from '../../kit/instance/memory-target.ts';

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

test('bundles that a target does not list are listed in one write', async () => {
  const { descriptor } = buildImage('signed').manifest;
  const bundles = Array.from({ length: 40 }, (_, n) => buildReferrer(descriptor, undefined, `bundle ${n}`));
  const source = createMemoryTarget();
  for (const bundle of bundles) await pushArtifact(source, bundle);
  const target = createMemoryTarget();
  const written: (readonly Descriptor[])[] = [];
  await carrySignatures(
    {
      evidence: bundles.map(({ manifest, blobs: [, layer] }) => ({
        layout: 'bundle',
        manifest,
        layers: [{ mediaType: layer!.descriptor.mediaType, annotations: {}, bytes: layer!.bytes }],
      })),
    },
    source,
    {
      ...target,
      pushManifest: async (reference, manifest, options) => {
        await target.pushManifest(reference, manifest, options);
        options?.onUnlisted?.(manifest.descriptor);
      },
    },
    descriptor.digest,
    { reference: 'shop', putFallback: async (referrers) => void written.push(referrers) },
  );
  assert.deepEqual(
    written.map((entries) => entries.map(({ digest }) => digest).sort()),
    [bundles.map(({ manifest }) => manifest.descriptor.digest).sort()],
  );
});
