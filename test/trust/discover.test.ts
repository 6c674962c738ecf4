import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signPredicate } from '../../src/attest/predicate-types.ts';
import { type Digest, hashBytes } from '../../src/base/digest.ts';
import { toSignatureError } from '../../src/engine/sync/resolve-recipe.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { collectAll, collectSignatures } from '../../src/trust/discover.ts';
import { judgeSignatures } from '../../src/trust/judge.ts';
import { judgeFound } from '../../src/trust/judge-found.ts';
import type { TrustPolicy } from '../../src/trust/model.ts';
import { pushArtifact } from '../kit/content/push-artifact.ts';
import {
  createSigner,
  mergeClassic,
  type SignatureArtifact,
  toFallbackIndex,
} from '../kit/content/signer.ts';
import { createMemoryTarget, type MemoryTarget } from '../kit/instance/memory-target.ts';

const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';
const subject: Descriptor = { mediaType: manifestType, digest: hashBytes('a recipe'), size: 8 };
const signer = createSigner();
const foreign = createSigner();
const policy: TrustPolicy = {
  roots: [{ name: 'main', key: signer.publicKey, fingerprint: signer.fingerprint }],
  scopes: [{ name: 'lab', repositories: ['**'], allowUnsigned: true }],
  missing: [],
};

/** Where a signer can have put a bundle: known to the referrers API, or to the fallback tag alone. */
type Place = 'referrers' | 'fallback';

async function put(
  target: MemoryTarget,
  artifact: SignatureArtifact,
  place: Place = 'referrers',
): Promise<void> {
  await pushArtifact(target, artifact, artifact.tag);
  if (place === 'fallback') await target.pushManifest(artifact.fallback!.tag, artifact.fallback!.manifest);
}

/** A registry without a referrers API, whose client could not read the fallback tag as such. */
const withoutReferrers = (target: MemoryTarget): MemoryTarget => ({
  ...target,
  listReferrers: async () => [],
});

async function judge(target: MemoryTarget): Promise<string> {
  const found = await collectSignatures(target, subject.digest);
  const verdict = await judgeFound(subject.digest, found, policy, 'r.example/cookbook');
  return verdict.outcome === 'refused' ? verdict.reason : verdict.outcome;
}

test('a signature is found under the classic tag, through the referrers and under the fallback tag', async () => {
  const places = [
    { artifact: signer.sign(subject, 'classic'), place: 'referrers' },
    { artifact: signer.sign(subject, 'bundle'), place: 'referrers' },
    { artifact: signer.sign(subject, 'bundle'), place: 'fallback' },
  ] as const;
  for (const { artifact, place } of places) {
    const target = createMemoryTarget();
    await put(target, artifact, place);
    assert.equal(await judge(place === 'fallback' ? withoutReferrers(target) : target), 'verified');
  }
});

test('a subject without signatures has no evidence', async () => {
  const target = createMemoryTarget();
  assert.deepEqual(await collectSignatures(target, subject.digest), { evidence: [] });
  assert.equal(await judge(target), 'unsigned-admitted');
});

test('every artifact is found once, with its tag, and the fallback index is handed over', async () => {
  const target = createMemoryTarget();
  const classic = signer.sign(subject, 'classic');
  const bundle = signer.sign(subject, 'bundle');
  await put(target, classic);
  await put(target, bundle, 'fallback');
  const listed = await collectSignatures(target, subject.digest);
  assert.deepEqual(
    listed.evidence.map(({ layout, tag, manifest }) => [layout, tag, manifest.descriptor.digest]),
    [
      ['classic', classic.tag, classic.manifest.descriptor.digest],
      ['bundle', undefined, bundle.manifest.descriptor.digest],
    ],
  );
  assert.equal(listed.fallbackIndex?.descriptor.digest, bundle.fallback?.manifest.descriptor.digest);
  const hidden = await collectSignatures(withoutReferrers(target), subject.digest);
  assert.equal(hidden.evidence[1]?.tag, bundle.fallback?.tag);
});

test('an invalid signature in one place masks no valid one in another', async () => {
  for (const tamper of ['other-subject', 'broken-signature', 'no-base64', 'wrong-type', 'keyless'] as const) {
    const target = createMemoryTarget();
    await put(target, foreign.sign(subject, 'classic', { tamper }));
    await put(target, foreign.sign(subject, 'bundle', { tamper }));
    assert.notEqual(await judge(target), 'unsigned-admitted', tamper);
    const bundles = [foreign.sign(subject, 'bundle', { tamper }), signer.sign(subject, 'bundle')];
    for (const bundle of bundles) await put(target, bundle);
    const { tag, manifest } = toFallbackIndex(
      subject.digest,
      bundles.map((bundle) => bundle.manifest),
    );
    await target.pushManifest(tag, manifest);
    assert.equal(await judge(withoutReferrers(target)), 'verified', tamper);
    assert.equal(await judge(target), 'verified', tamper);
  }
});

test('attestations and SBOMs of the older layout, and other referrers, do not count', async () => {
  const target = createMemoryTarget();
  const classic = signer.sign(subject, 'classic');
  const hex = subject.digest.slice(7);
  await pushArtifact(target, classic, `sha256-${hex}.att`);
  await pushArtifact(target, classic, `sha256-${hex}.sbom`);
  await putReferrer(target, 'application/spdx+json');
  assert.deepEqual((await collectSignatures(target, subject.digest)).evidence, []);
});

async function putReferrer(target: MemoryTarget, artifactType: string): Promise<ManifestContent> {
  const empty = Buffer.from('{}');
  const config = { mediaType: 'application/vnd.oci.empty.v1+json', digest: hashBytes(empty), size: 2 };
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      artifactType,
      config,
      layers: [config],
      subject,
    }),
  );
  const manifest = {
    descriptor: { mediaType: manifestType, digest: hashBytes(bytes), size: bytes.length },
    bytes,
  };
  await pushArtifact(target, { manifest, blobs: [{ descriptor: config, bytes: empty }] });
  return manifest;
}

test('a fallback tag that does not name an index is ignored', async () => {
  const target = createMemoryTarget();
  const bundle = signer.sign(subject, 'bundle');
  await pushArtifact(target, bundle, bundle.fallback!.tag);
  assert.deepEqual(await collectSignatures(withoutReferrers(target), subject.digest), { evidence: [] });
});

test('a source that cannot be queried is an error, never an absence, in each of the three places', async () => {
  const down = async (): Promise<never> => {
    throw svcError('SVC-REG-002', { host: 'r.example' });
  };
  const target = createMemoryTarget();
  await put(target, foreign.sign(subject, 'bundle'), 'fallback');
  const isDown = (error: unknown) => isSvcError(error, 'SVC-REG-002');
  const refuses = async (source: MemoryTarget): Promise<void> => {
    await assert.rejects(judge(source), isDown);
    await assert.rejects(collectAll(source, subject.digest), isDown);
  };
  for (const broken of ['.sig', subject.digest.slice(7)]) {
    const fetchManifest: MemoryTarget['fetchManifest'] = (reference) =>
      reference.endsWith(broken) ? down() : target.fetchManifest(reference);
    await refuses({ ...target, fetchManifest });
  }
  await refuses({ ...target, listReferrers: down });
  await refuses({ ...target, fetchBlob: down });
});

test('a source that does not answer in one place masks no valid signature of another', async () => {
  const down = async (): Promise<never> => {
    throw svcError('SVC-REG-002', { host: 'r.example' });
  };
  const target = createMemoryTarget();
  const [classic, bundle] = [signer.sign(subject, 'classic'), signer.sign(subject, 'bundle')];
  await put(target, classic);
  await put(target, bundle, 'fallback');
  const without = (reference: string): MemoryTarget['fetchManifest'] => {
    return (asked) => (asked === reference ? down() : target.fetchManifest(asked));
  };
  for (const reference of [classic.tag!, bundle.fallback!.tag, bundle.manifest.descriptor.digest])
    assert.equal(await judge({ ...target, fetchManifest: without(reference) }), 'verified', reference);
  assert.equal(await judge({ ...target, listReferrers: down }), 'verified');
  for (const { blobs } of [classic, bundle]) {
    const lost = blobs[1]!.descriptor.digest;
    const fetchBlob: MemoryTarget['fetchBlob'] = (blob) =>
      blob.digest === lost ? down() : target.fetchBlob(blob);
    assert.equal(await judge({ ...target, fetchBlob }), 'verified');
  }
});

test('a source that does not answer is asked a few times in a search, however many signatures it lists', async () => {
  const target = createMemoryTarget();
  for (let salt = 0; salt < 100; salt += 1) await put(target, foreign.sign(subject, 'bundle', { salt }));
  let asked = 0;
  const fetchManifest: MemoryTarget['fetchManifest'] = async (reference) => {
    if (!reference.includes(':')) return target.fetchManifest(reference);
    asked += 1;
    throw svcError('SVC-REG-002', { host: 'r.example' });
  };
  await assert.rejects(judge({ ...target, fetchManifest }), (error) => isSvcError(error, 'SVC-REG-002'));
  assert.ok(asked <= 16, `${asked} requests`);
});

test('a payload with other bytes, or none, is evidence that is malformed, and masks nothing', async () => {
  for (const layout of ['classic', 'bundle'] as const) {
    for (const damage of ['other', 'gone'] as const) {
      const target = createMemoryTarget();
      const artifact = signer.sign(subject, layout);
      await put(target, artifact);
      const { digest } = artifact.blobs[1]!.descriptor;
      if (damage === 'other') target.blobs.set(digest, Buffer.from('other bytes'));
      else target.blobs.delete(digest);
      assert.equal(await judge(target), 'malformed', `${layout} ${damage}`);
      await put(target, signer.sign(subject, layout === 'classic' ? 'bundle' : 'classic'));
      assert.equal(await judge(target), 'verified', `${layout} ${damage}`);
    }
  }
});

test('a damaged payload in a classic artifact masks no other signature of it', async () => {
  const target = createMemoryTarget();
  const parts = [foreign, foreign, signer].map((by) =>
    by.sign(subject, 'classic', { reference: String(Math.random()) }),
  );
  await put(target, mergeClassic(subject, parts));
  target.blobs.delete(parts[1]!.blobs[1]!.descriptor.digest);
  assert.equal(await judge(target), 'verified');
});

test('a manifest with other bytes than its digest is never taken for absence, and masks nothing else', async () => {
  const target = createMemoryTarget();
  const bad = signer.sign(subject, 'bundle');
  await put(target, bad);
  const fetchManifest: MemoryTarget['fetchManifest'] = (reference) =>
    reference === bad.manifest.descriptor.digest
      ? Promise.reject(svcError('SVC-SIG-002', { reference, expected: reference, actual: 'other' }))
      : target.fetchManifest(reference);
  const source = { ...target, fetchManifest };
  assert.equal(await judge(source), 'malformed');
  await put(target, signer.sign(subject, 'classic'));
  assert.equal(await judge(source), 'verified');
});

test('sizes are checked before anything is fetched, and what is too large is never taken for absence', async () => {
  const target = createMemoryTarget();
  const artifact = signer.sign(subject, 'classic');
  const document = JSON.parse(artifact.manifest.bytes.toString());
  document.layers[0].size = 1_048_577;
  const bytes = Buffer.from(JSON.stringify(document));
  const manifest = {
    descriptor: { mediaType: manifestType, digest: hashBytes(bytes), size: bytes.length },
    bytes,
  };
  await pushArtifact(target, { manifest, blobs: artifact.blobs }, artifact.tag);
  target.calls.length = 0;
  assert.equal(await judge(target), 'malformed');
  assert.deepEqual(
    target.calls.filter((call) => call.startsWith('get blob')),
    [],
  );
});

test('a valid signature before 1030 others in one artifact is found, and each payload is fetched once', async () => {
  const target = createMemoryTarget();
  const many = Array.from({ length: 1030 }, (_, i) =>
    foreign.sign(subject, 'classic', { reference: `r.example/${i}` }),
  );
  await put(target, mergeClassic(subject, [signer.sign(subject, 'classic'), ...many, ...many]));
  target.calls.length = 0;
  assert.equal(await judge(target), 'verified');
  assert.equal(target.calls.filter((call) => call.startsWith('get blob')).length, 1031);
});

test('signatures beyond 32 MiB of one artifact are not fetched, and the refusal names their number', async () => {
  const target = createMemoryTarget();
  const artifact = signer.sign(subject, 'classic');
  const document = JSON.parse(artifact.manifest.bytes.toString());
  const [valid] = document.layers;
  const absent = Array.from({ length: 40 }, (_, i) => ({
    ...valid,
    digest: hashBytes(Buffer.from(`absent ${i}`)),
    size: 1_048_576,
  }));
  const bytes = Buffer.from(JSON.stringify({ ...document, layers: [valid, ...absent] }));
  const manifest = {
    descriptor: { mediaType: manifestType, digest: hashBytes(bytes), size: bytes.length },
    bytes,
  };
  await put(target, artifact);
  const { evidence, leftOut } = await collectSignatures(
    {
      ...target,
      fetchManifest: async (reference) => (reference === artifact.tag ? manifest : undefined),
      fetchBlob: async () => {
        throw svcError('SVC-REG-005', { reference: 'absent' });
      },
    },
    subject.digest,
  );
  assert.equal(leftOut, 9);
  const verdict = await judgeSignatures(subject.digest, evidence, policy, 'r.example/cookbook/x', {
    leftOut,
  });
  assert.match(String(verdict.outcome === 'refused' && verdict.detail), /32 of 41 signatures looked at/);
});

test('70 junk bundles before a valid one do not mask it', async () => {
  const target = createMemoryTarget();
  const bundles: SignatureArtifact[] = [];
  for (let i = 0; i < 70; i += 1) {
    const tamper = (['broken-signature', 'other-subject', 'no-base64', 'keyless'] as const)[i % 4]!;
    bundles.push(createSigner().sign(subject, 'bundle', { tamper }));
  }
  bundles.push(signer.sign(subject, 'bundle'));
  for (const bundle of bundles) await put(target, bundle);
  const listed = bundles.map(({ manifest }) => ({ ...manifest.descriptor, artifactType: bundleType }));
  assert.equal(await judge({ ...target, listReferrers: async () => listed }), 'verified');
});

test('more than 1024 bundles before a valid one do not mask it', async () => {
  const target = createMemoryTarget();
  const junk = Array.from({ length: 1100 }, (_, i) =>
    foreign.sign(subject, 'bundle', { tamper: 'other-subject', predicateType: signPredicate, salt: i }),
  );
  const real = signer.sign(subject, 'bundle');
  for (const bundle of [...junk, real]) await put(target, bundle);
  const toList = (bundles: readonly SignatureArtifact[]) => async () =>
    bundles.map(({ manifest }) => ({ ...manifest.descriptor, artifactType: bundleType }));
  assert.equal(await judge({ ...target, listReferrers: toList([...junk, real]) }), 'verified');

  const naming = Array.from({ length: 1030 }, (_, i) => foreign.sign(subject, 'bundle', { salt: i }));
  for (const bundle of naming) await put(target, bundle);
  assert.equal(await judge({ ...target, listReferrers: toList([...naming, real]) }), 'verified');
});

test('artifacts that are announced as attestations are looked at last', async () => {
  const target = createMemoryTarget();
  const attestation = signer.sign(subject, 'bundle', { predicateType: 'https://slsa.dev/provenance/v1' });
  const real = signer.sign(subject, 'bundle');
  for (const bundle of [attestation, real]) await put(target, bundle);
  const listReferrers = async () =>
    [attestation, real].map(({ manifest }) => ({
      ...manifest.descriptor,
      artifactType: bundleType,
      annotations: JSON.parse(manifest.bytes.toString()).annotations,
    }));
  const { evidence } = await collectSignatures({ ...target, listReferrers }, subject.digest);
  assert.deepEqual(
    evidence.map(({ manifest }) => manifest.descriptor.digest),
    [real, attestation].map(({ manifest }) => manifest.descriptor.digest),
  );
});

test('all signatures of a subject share 64 MiB, of which the classic ones take half at most', async () => {
  const target = createMemoryTarget();
  let fetched = 0;
  const filler = Buffer.alloc(1_048_576);
  const layer = (i: number): Descriptor => ({
    mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
    size: filler.length,
    digest: hashBytes(String(i)),
    annotations: { 'dev.cosignproject.cosign/signature': 'AAAA' },
  });
  const toManifest = (layers: readonly Descriptor[], extra: object = {}): ManifestContent => {
    const config = { mediaType: 'application/vnd.oci.empty.v1+json', digest: hashBytes('{}'), size: 2 };
    const bytes = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers, ...extra }),
    );
    return { descriptor: { mediaType: manifestType, digest: hashBytes(bytes), size: bytes.length }, bytes };
  };
  const classic = toManifest(Array.from({ length: 60 }, (_, i) => layer(i)));
  const artifactType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
  const bundles = Array.from({ length: 40 }, (_, i) =>
    toManifest([{ ...layer(100 + i), mediaType: artifactType }], { artifactType, subject }),
  );
  const all = new Map<string, ManifestContent>(
    bundles.map((content) => [content.descriptor.digest, content]),
  );
  all.set(`sha256-${subject.digest.slice(7)}.sig`, classic);
  await collectSignatures(
    {
      ...target,
      fetchManifest: async (reference) => all.get(reference),
      listReferrers: async () => bundles.map(({ descriptor }) => ({ ...descriptor, artifactType })),
      fetchBlob: async (blob) => {
        fetched += blob.size;
        return target.fetchBlob(blob);
      },
    },
    subject.digest,
  );
  // the manifests of the bundles take their part
  assert.equal(fetched, 63 * filler.length);
});

test('a bundle whose manifest is too large is no signature, and no absence, whatever size is announced', async () => {
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      artifactType: bundleType,
      config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: hashBytes('{}'), size: 2 },
      layers: [],
      annotations: { filler: 'f'.repeat(1_100_000) },
    }),
  );
  for (const size of [bytes.length, 500]) {
    const content = { bytes, descriptor: { mediaType: manifestType, digest: hashBytes(bytes), size } };
    const outcome = await judge({
      ...createMemoryTarget(),
      fetchManifest: async (reference) => (reference === content.descriptor.digest ? content : undefined),
      listReferrers: async () => [{ ...content.descriptor, artifactType: bundleType }],
    });
    assert.equal(outcome, 'malformed');
  }
});

test('the size that a list announces decides nothing: the digest does', async () => {
  for (const size of [0, 1, 2_000_000, 9e15]) {
    const target = createMemoryTarget();
    const { manifest, ...bundle } = signer.sign(subject, 'bundle');
    await put(target, { ...bundle, manifest });
    const listReferrers = async () => [{ ...manifest.descriptor, artifactType: bundleType, size }];
    assert.equal(await judge({ ...target, listReferrers }), 'verified', `${size}`);
  }
});

/** Announced signatures of 1 MiB each that are not there. */
const toAbsent = (count: number): Descriptor[] =>
  Array.from({ length: count }, (_, i) => ({
    mediaType: manifestType,
    digest: hashBytes(`absent ${i}`),
    size: 1_048_576,
  }));

test('no number of other entries in a list hides a bundle after them, and each manifest is asked for once', async () => {
  const { manifest, ...bundle } = signer.sign(subject, 'bundle');
  const [junk] = toAbsent(1);
  const lists: Readonly<Record<string, readonly [number, readonly object[]]>> = {
    'one entry again and again': [1, Array.from({ length: 10_001 }, () => junk!)],
    'one manifest with other sizes and types': [
      1,
      Array.from({ length: 10_001 }, (_, i) => ({ ...junk, size: i, artifactType: `text/x${i}` })),
    ],
    'manifests that are not there': [10_001, toAbsent(10_001)],
  };
  for (const [name, [count, entries]] of Object.entries(lists)) {
    const target = createMemoryTarget();
    await put(target, { ...bundle, manifest });
    const listed = [...entries, { ...manifest.descriptor, artifactType: bundleType }];
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: listed }));
    assert.ok(bytes.length < 4_194_304);
    const index: ManifestContent = {
      descriptor: { mediaType: indexType, digest: hashBytes(bytes), size: bytes.length },
      bytes,
    };
    const fetchManifest: MemoryTarget['fetchManifest'] = async (reference) =>
      reference === `sha256-${subject.digest.slice(7)}` ? index : target.fetchManifest(reference);
    target.calls.length = 0;
    assert.equal(await judge({ ...withoutReferrers(target), fetchManifest }), 'verified', name);
    const asked = target.calls.filter((call) => call.startsWith('get manifest sha256:'));
    assert.equal(asked.length, count + 1, name);
  }
});

test('a list that is cut by a limit is named in the refusal, with the signature that needs no list', async () => {
  const tooLarge = async (): Promise<never> => {
    throw svcError('SVC-VAL-002', { limit: 4_194_304, file: 'list' });
  };
  const target = createMemoryTarget();
  const many = Array.from({ length: 257 }, (_, i) => ({
    mediaType: manifestType,
    digest: hashBytes(`other ${i}`),
    size: 7,
    artifactType: 'application/vnd.acme.thing.v1+json',
  }));
  const listAll: MemoryTarget['listReferrers'] = async (_subject, _type, options) =>
    many.filter((entry) => options?.accepts?.(entry));
  const cut: Readonly<Record<string, MemoryTarget>> = {
    '4194304 bytes': {
      ...target,
      fetchManifest: (reference) =>
        reference === `sha256-${subject.digest.slice(7)}` ? tooLarge() : target.fetchManifest(reference),
    },
    '256 referrers of other types': { ...target, listReferrers: listAll },
  };
  for (const [limit, source] of Object.entries(cut)) {
    const found = await collectSignatures(source, subject.digest);
    const verdict = await judgeFound(subject.digest, found, policy, 'r.example/cookbook');
    assert.ok(verdict.outcome === 'refused' && String(verdict.crowded) === limit, JSON.stringify(verdict));
    const error = toSignatureError(verdict, 'shop');
    for (const language of ['en', 'fr'] as const)
      assert.match(renderError(error, language).action, /svc recipe sign RECIPE --layout classic --key KEY/);
    assert.match(renderError(error, 'en').cause, new RegExp(`exceed a limit \\(${limit}\\)`));
    await put(target, signer.sign(subject, 'classic'));
    assert.equal(await judge(source), 'verified');
    target.tags.clear();
  }
  const plain = await collectSignatures(createMemoryTarget(), subject.digest);
  const verdict = await judgeFound(subject.digest, plain, { ...policy, scopes: [] }, 'r.example/cookbook');
  assert.ok(verdict.outcome === 'refused');
  assert.doesNotMatch(renderError(toSignatureError(verdict, 'shop'), 'en').action, /layout classic/);
});

test('a sha512 subject has no classic tag, and its fallback tag is truncated', async () => {
  const long: Descriptor = { ...subject, digest: hashBytes('a recipe', 'sha512') };
  const target = createMemoryTarget();
  const bundle = signer.sign(long, 'bundle');
  await put(target, bundle, 'fallback');
  target.calls.length = 0;
  const { evidence } = await collectSignatures(withoutReferrers(target), long.digest as Digest);
  assert.equal(evidence.length, 1);
  assert.equal(evidence[0]?.tag, `sha512-${long.digest.slice(7, 71)}`);
  assert.ok(target.calls.every((call) => !call.includes('.sig')));
});

test('an abort ends the search', async () => {
  const target = createMemoryTarget();
  await put(target, signer.sign(subject, 'bundle'));
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(collectSignatures(target, subject.digest, { signal: abort.signal }), {
    name: 'AbortError',
  });
});

test('more than 10 000 layers of other types, or the same one, hide no classic signature before them', async () => {
  const artifact = signer.sign(subject, 'classic');
  const document = JSON.parse(artifact.manifest.bytes.toString());
  const [valid] = document.layers;
  const [junk] = toAbsent(1);
  for (const mediaType of ['text/plain', valid.mediaType]) {
    const target = createMemoryTarget();
    await put(target, artifact);
    const layers = [valid, ...Array.from({ length: 10_001 }, () => ({ ...junk, mediaType }))];
    const bytes = Buffer.from(JSON.stringify({ ...document, layers }));
    const descriptor = { mediaType: manifestType, digest: hashBytes(bytes), size: bytes.length };
    const fetchManifest: MemoryTarget['fetchManifest'] = async (reference) =>
      reference === artifact.tag ? { descriptor, bytes } : target.fetchManifest(reference);
    assert.equal(await judge({ ...target, fetchManifest }), 'verified', mediaType);
  }
});
