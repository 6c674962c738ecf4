import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { parseManifest } from '../../src/oci/manifest.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { listNewClassic, mergeClassic, toSignatureKey } from '../../src/trust/merge-classic.ts';
import {
  createSigner,
  crowdClassic,
  type SignatureArtifact,
  mergeClassic as toArtifact,
} from '../kit/content/signer.ts';

const subject: Descriptor = {
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  digest: hashBytes('a recipe'),
  size: 8,
};
const [older, newer, local] = [createSigner(), createSigner(), createSigner()].map((signer) =>
  signer.sign(subject, 'classic'),
) as [SignatureArtifact, SignatureArtifact, SignatureArtifact];
const both = toArtifact(subject, [older, newer]);

const signaturesOf = ({ bytes }: ManifestContent): readonly (string | undefined)[] => {
  const manifest = parseManifest(bytes);
  assert.ok(manifest.kind === 'image');
  return manifest.layers.map(({ annotations }) => annotations?.['dev.cosignproject.cosign/signature']);
};
const [a, b, c] = [older, newer, local].map(({ manifest }) => signaturesOf(manifest)[0]);

test('without an existing artifact, and when the new one contains all of it, the new one is used unchanged', async () => {
  assert.deepEqual(await mergeClassic(undefined, both.manifest), { manifest: both.manifest, leftOut: 0 });
  assert.deepEqual(await mergeClassic(older.manifest, both.manifest), {
    manifest: both.manifest,
    leftOut: 0,
  });
});

test('the existing artifact is kept when it has all new signatures', async () => {
  assert.equal(await mergeClassic(both.manifest, older.manifest), undefined);
  assert.equal(await mergeClassic(both.manifest, both.manifest), undefined);
});

test('two keys sign the same payload, and both signatures stay', async () => {
  assert.equal(older.blobs[1]!.descriptor.digest, newer.blobs[1]!.descriptor.digest);
  const { manifest, config } = (await mergeClassic(older.manifest, newer.manifest))!;
  assert.deepEqual(signaturesOf(manifest), [a, b]);
  assert.equal(JSON.parse(manifest.bytes.toString()).config.digest, hashBytes(config!));
  assert.equal(JSON.parse(config!.toString()).rootfs.diff_ids.length, 2);
});

test('existing signatures come first and are never dropped, and merging again changes nothing', async () => {
  const { manifest } = (await mergeClassic(local.manifest, both.manifest))!;
  assert.deepEqual(signaturesOf(manifest), [c, a, b]);
  assert.equal(await mergeClassic(manifest, both.manifest), undefined);
  assert.equal(await mergeClassic(manifest, local.manifest), undefined);
});

test('an artifact that is not classic never replaces a classic one', async () => {
  const bytes = Buffer.from('{"schemaVersion":2,"manifests":[]}');
  const descriptor = {
    mediaType: 'application/vnd.oci.image.index.v1+json',
    digest: hashBytes(bytes),
    size: bytes.length,
  };
  assert.equal(await mergeClassic(older.manifest, { bytes, descriptor }), undefined);
  assert.deepEqual(await mergeClassic({ bytes, descriptor }, older.manifest), {
    manifest: older.manifest,
    leftOut: 0,
  });
  assert.deepEqual(listNewClassic(older.manifest, { bytes, descriptor }), []);
});

test('layers that are no signatures are not merged', async () => {
  const junk = createSigner().sign(subject, 'classic', { tamper: 'no-base64' });
  assert.equal(await mergeClassic(older.manifest, junk.manifest), undefined);
  assert.deepEqual(listNewClassic(older.manifest, junk.manifest), []);
});

function toManifest(document: object): ManifestContent {
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    bytes,
    descriptor: { ...older.manifest.descriptor, digest: hashBytes(bytes), size: bytes.length },
  };
}

const soundOf =
  (...artifacts: readonly SignatureArtifact[]) =>
  async () =>
    new Set(
      artifacts.map(({ manifest }) =>
        toSignatureKey(JSON.parse(manifest.bytes.toString()).layers[0] as Descriptor),
      ),
    );

test('a merged artifact has at most 1024 signatures: verified ones of any age, then the latest', async () => {
  const full = crowdClassic(older, 1023).manifest;
  const merged = (await mergeClassic(full, both.manifest, soundOf(older)))!;
  const kept = signaturesOf(merged.manifest);
  assert.equal(kept.length, 1024);
  assert.equal(merged.leftOut, 1);
  assert.deepEqual(kept.slice(-2), [b, a], 'what is sound comes last, where a search begins');
  const again = await mergeClassic(merged.manifest, both.manifest, soundOf(older));
  assert.equal(again, undefined, 'merging again changes nothing');
});

test('a verified signature of the existing artifact is kept and found, whatever signatures are added', async () => {
  const standing = crowdClassic(local, 1500).manifest;
  const merged = (await mergeClassic(standing, older.manifest, soundOf(local, older)))!;
  const kept = signaturesOf(merged.manifest);
  assert.equal(kept.length, 1024);
  assert.deepEqual(kept.slice(-2), [c, a]);
  const alone = (await mergeClassic(standing, local.manifest, soundOf(local)))!;
  assert.equal(signaturesOf(alone.manifest).at(-1), c, 'also where nothing new arrives');
});

test('padding of a manifest, of its layers or of a sound signature keeps no sound signature out', async () => {
  const document = JSON.parse(local.manifest.bytes.toString());
  const [own] = document.layers as [Descriptor];
  const padding = 'x'.repeat(4_190_000);
  for (const standing of [
    toManifest({ ...document, annotations: { padding } }),
    toManifest({ ...document, layers: [{ ...own, annotations: { ...own.annotations, padding } }] }),
    crowdClassic(local, 1000, 4_194_304).manifest,
  ]) {
    const merged = (await mergeClassic(standing, older.manifest, soundOf(local, older)))!;
    const kept = signaturesOf(merged.manifest);
    assert.ok(kept.includes(a) && kept.includes(c), String(kept.length));
    assert.ok(merged.manifest.bytes.length <= 4_194_304);
  }
});
