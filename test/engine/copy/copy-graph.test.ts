import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { copyGraph } from '../../../src/engine/copy/copy-graph.ts';
import { readOwnPlatform } from '../../../src/engine/copy/read-own-platform.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { parsePlatform } from '../../../src/oci/platform.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { createMemoryTarget, type MemoryTarget } from '../../kit/instance/memory-target.ts';

function putBlob(
  target: MemoryTarget,
  bytes: Buffer = randomBytes(100),
  mediaType: string = mediaTypes.ociLayer,
): Descriptor {
  const digest = hashBytes(bytes);
  target.blobs.set(digest, bytes);
  return { mediaType, digest, size: bytes.length };
}

function putManifest(target: MemoryTarget, document: object): ManifestContent {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, ...document }));
  const { mediaType } = document as { mediaType: string };
  const content = { bytes, descriptor: { mediaType, digest: hashBytes(bytes), size: bytes.length } };
  target.manifests.set(content.descriptor.digest, content);
  return content;
}

function putImage(target: MemoryTarget, layers: readonly Descriptor[] = [putBlob(target)]): ManifestContent {
  const config = putBlob(target, randomBytes(20), mediaTypes.ociConfig);
  return putManifest(target, { mediaType: mediaTypes.ociManifest, config, layers });
}

const architectures = ['amd64', 'arm64', 's390x'];

function putIndex(target: MemoryTarget): {
  index: ManifestContent;
  children: ManifestContent[];
  attestation: ManifestContent;
} {
  const children = architectures.map(() => putImage(target));
  const attestation = putImage(target);
  const manifests = [
    ...children.map(({ descriptor }, i) => ({
      ...descriptor,
      platform: { os: 'linux', architecture: architectures[i] },
    })),
    {
      ...attestation.descriptor,
      platform: { os: 'unknown', architecture: 'unknown' },
      annotations: {
        'vnd.docker.reference.type': 'attestation-manifest',
        'vnd.docker.reference.digest': children[1]!.descriptor.digest,
      },
    },
  ];
  return { index: putManifest(target, { mediaType: mediaTypes.ociIndex, manifests }), children, attestation };
}

const platforms = (...names: string[]) => names.map((name) => parsePlatform(name)!);
const puts = (target: MemoryTarget) => target.calls.filter((call) => call.startsWith('put '));

test('children go before parents and the tag comes last', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const { index } = putIndex(source);
  const { moved, facts } = await copyGraph(source, target, index.descriptor, { reference: 'x', tag: '1.0' });
  assert.equal(puts(target).at(-1), 'put manifest 1.0');
  assert.equal(moved.count, 4 * 3 + 1);
  assert.equal(facts.length, moved.count);
  assert.deepEqual(target.manifests.get(index.descriptor.digest)?.bytes, index.bytes);
});

test('copying again puts nothing and fetches no blob', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const { index } = putIndex(source);
  await copyGraph(source, target, index, { reference: 'x', tag: '1.0' });
  source.calls.length = 0;
  target.calls.length = 0;
  const { moved } = await copyGraph(source, target, index, { reference: 'x', tag: '1.0' });
  assert.deepEqual(moved, { count: 0, bytes: 0 });
  assert.deepEqual(puts(target), []);
  assert.equal(
    source.calls.some((call) => call.startsWith('get blob')),
    false,
  );
});

test('a sparse copy keeps the index, takes the attestation of what it carries, and can be topped up', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const { index, children, attestation } = putIndex(source);
  const has = ({ descriptor }: ManifestContent) => target.manifests.has(descriptor.digest);
  await copyGraph(source, target, index, { reference: 'x', tag: '1', platforms: platforms('linux/amd64') });
  assert.deepEqual([...children.map(has), has(attestation), has(index)], [true, false, false, false, true]);
  await copyGraph(source, target, index, {
    reference: 'x',
    tag: '1',
    platforms: platforms('linux/arm64/v8'),
  });
  assert.deepEqual([...children.map(has), has(attestation)], [true, true, false, true]);
  await copyGraph(source, target, index, { reference: 'x', tag: '1' });
  assert.deepEqual(children.map(has), [true, true, true]);
});

test('a configuration with an empty platform names none', async () => {
  const source = createMemoryTarget();
  const config = putBlob(source, Buffer.from('{"os":"","architecture":""}'), mediaTypes.ociConfig);
  const image = {
    kind: 'image',
    mediaType: mediaTypes.ociManifest,
    config,
    layers: [],
    annotations: {},
  } as const;
  assert.equal(await readOwnPlatform(source, image, 'x'), undefined);
});

test('a platform that the index lacks is refused before anything moves', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const { index } = putIndex(source);
  const copy = copyGraph(source, target, index, {
    reference: 'x',
    platforms: platforms('linux/amd64', 'linux/riscv64'),
  });
  await assert.rejects(copy, {
    code: 'SVC-REG-008',
    params: {
      reference: 'x',
      platforms: ['linux/riscv64'],
      available: ['linux/amd64', 'linux/arm64', 'linux/s390x'],
    },
  });
  assert.deepEqual(puts(target), []);
});

test('wrong bytes end the copy, and neither the manifest nor the tag appears', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const layer = putBlob(source);
  const image = putImage(source, [layer]);
  for (const bytes of [randomBytes(100), randomBytes(99), randomBytes(101)]) {
    source.blobs.set(layer.digest, bytes);
    await assert.rejects(copyGraph(source, target, image, { reference: 'x', tag: '1' }), {
      code: 'SVC-SIG-002',
    });
  }
  assert.equal(target.manifests.size, 0);
  assert.equal(target.tags.size, 0);
});

test('a manifest with other bytes than its digest says is refused', async () => {
  const source = createMemoryTarget();
  const image = putImage(source);
  const forged = { ...image, bytes: Buffer.concat([image.bytes, Buffer.from(' ')]) };
  source.manifests.set(image.descriptor.digest, forged);
  await assert.rejects(copyGraph(source, createMemoryTarget(), image.descriptor, { reference: 'x' }), {
    code: 'SVC-SIG-002',
  });
});

test('a blob that several manifests need moves once, and what the target can mount does not move at all', async () => {
  const source = createMemoryTarget();
  const shared = putBlob(source);
  const images = [putImage(source, [shared]), putImage(source, [shared])];
  const index = putManifest(source, {
    mediaType: mediaTypes.ociIndex,
    manifests: images.map(({ descriptor }) => descriptor),
  });
  const plain = createMemoryTarget();
  await copyGraph(source, plain, index, { reference: 'x' });
  assert.equal(source.calls.filter((call) => call === `get blob ${shared.digest}`).length, 1);

  source.calls.length = 0;
  const target = createMemoryTarget();
  const mounted: string[] = [];
  const mounting = {
    ...target,
    mountBlob: async (blob: Descriptor, from: string) => {
      mounted.push(from);
      target.blobs.set(blob.digest, plain.blobs.get(blob.digest)!);
      return true;
    },
  };
  const { moved } = await copyGraph(source, mounting, images[0]!, {
    reference: 'x',
    mountFrom: async (digest) => (digest === shared.digest ? 'other/repository' : undefined),
  });
  assert.deepEqual(mounted, ['other/repository']);
  assert.equal(source.calls.includes(`get blob ${shared.digest}`), false);
  assert.equal(moved.count, 3);
});

test('the check sees a manifest whose blobs are there and that is not, and ends the copy by throwing', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const image = putImage(source);
  let before: [number, number] | undefined;
  const copy = copyGraph(source, target, image, {
    reference: 'x',
    tag: '1',
    check: () => {
      before = [target.blobs.size, target.manifests.size];
      throw new Error('refused');
    },
  });
  await assert.rejects(copy, /refused/);
  assert.deepEqual(before, [2, 0]);
  assert.equal(target.tags.size, 0);
});

test('what must be there before the tag is put after the children and before the root', async () => {
  const source = createMemoryTarget();
  const target = createMemoryTarget();
  const { index } = putIndex(source);
  await copyGraph(source, target, index, {
    reference: 'x',
    tag: '1',
    beforeRoot: async () => {
      target.calls.push('put signature');
    },
  });
  assert.deepEqual(puts(target).slice(-2), ['put signature', 'put manifest 1']);
});

test('layers that need not be distributed are needed by a sync and taken where present by a promotion', async () => {
  const source = createMemoryTarget();
  const foreign = 'application/vnd.oci.image.layer.nondistributable.v1.tar';
  const layer = { ...putBlob(source), mediaType: foreign };
  const image = putImage(source, [layer]);
  source.blobs.delete(layer.digest);
  await assert.rejects(copyGraph(source, createMemoryTarget(), image, { reference: 'x' }), {
    code: 'SVC-REG-005',
  });
  const target = createMemoryTarget();
  await copyGraph(source, target, image, { reference: 'x', foreignLayers: 'where-present', tag: '1' }).catch(
    () => {},
  );
  assert.equal(
    source.calls.filter((call) => call === `get blob ${layer.digest}`).length,
    1,
    'not asked a second time',
  );
});

test('indexes nested too deeply are refused, and cycles of names cannot exist', async () => {
  const source = createMemoryTarget();
  let inner = putImage(source);
  for (let i = 0; i < 5; i += 1)
    inner = putManifest(source, { mediaType: mediaTypes.ociIndex, manifests: [inner.descriptor] });
  await assert.rejects(copyGraph(source, createMemoryTarget(), inner, { reference: 'x' }), {
    code: 'SVC-REG-009',
  });
});

test('an aborted signal ends the copy with its reason', async () => {
  const source = createMemoryTarget();
  const image = putImage(source);
  const reason = new Error('stopped');
  await assert.rejects(
    copyGraph(source, createMemoryTarget(), image, { reference: 'x', signal: AbortSignal.abort(reason) }),
    reason,
  );
});
