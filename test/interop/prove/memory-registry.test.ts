import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { openMemoryRegistry } from '../../../src/engine/prove/memory-registry.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import type { ManifestContent } from '../../../src/oci/ports.ts';
import { fallbackTag } from '../../../src/oci/reference.ts';
import type { RemoteRegistry, RemoteRepository } from '../../../src/remote/model.ts';
import { toSvcError } from '../../../src/text/error.ts';
import {
  buildImage,
  buildIndex,
  buildReferrer,
  pushArtifact,
  toBlob,
  toManifest,
} from '../../kit/content/content.ts';
import { openRemoteRegistry } from '../../kit/instance/remote-registry.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';

/** The code of an attempt that fails, else its result. */
async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await work()) ?? 'done';
  } catch (error) {
    return toSvcError(error).code;
  }
}

/** As CNCF distribution answers with its default settings. */
const asDistribution = { sparse: 'refused', 'foreign-layers': 'refused', 'long-digest': 'refused' } as const;

type Open = (repository: string) => RemoteRepository;

const image = buildImage('web', { ownLayers: 2 });
const index = buildIndex('worker', ['linux/amd64', 'linux/arm64']);
const [first, second] = index.children;
const { descriptor: root } = index.manifest;

function withDocument(change: (document: Record<string, any>) => void): ManifestContent {
  const document = JSON.parse(image.manifest.bytes.toString('utf8'));
  change(document);
  return toManifest(document);
}

const foreign = 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip';

/** Each scene pushes into repositories of its own, and returns everything that the registry answered. */
const scenes: Readonly<Record<string, (open: Open) => Promise<unknown>>> = {
  'an image under its tag': async (open) => {
    const at = open('a/web');
    await pushArtifact(at, image, '1.0');
    const { descriptor } = image.manifest;
    return [
      await at.resolve('1.0'),
      await at.resolve('2.0'),
      await at.resolve(descriptor.digest),
      (await at.fetchManifest('1.0'))?.bytes.toString(),
      await at.hasManifest(descriptor.digest),
      await at.hasBlob(image.blobs[1]!.descriptor),
      await at.hasBlob({ ...image.blobs[1]!.descriptor, size: 1 }),
      await at.lacksBlob(image.blobs[1]!.descriptor),
      await at.announcedSize(image.blobs[1]!.descriptor.digest),
      await at.listTags(),
    ];
  },
  'a repository without content': async (open) => {
    const at = open('b/none');
    return [
      await at.resolve('1.0'),
      await at.hasManifest(root.digest),
      await at.hasBlob(image.blobs[0]!.descriptor),
      await at.lacksBlob(image.blobs[0]!.descriptor),
      await at.listReferrers(root.digest),
      await at.listTags(),
      await outcome(() => at.deleteManifest(root.digest)),
    ];
  },
  'an image of which a layer is absent': async (open) => {
    const at = open('c/web');
    const [config, layer] = image.blobs;
    for (const { descriptor, bytes } of [config!, layer!])
      await at.pushBlob(descriptor, Readable.from([bytes]));
    return [await outcome(() => at.pushManifest('1.0', image.manifest)), await at.resolve('1.0')];
  },
  'an image of which the config is absent': async (open) => {
    const at = open('d/web');
    for (const { descriptor, bytes } of image.blobs.slice(1))
      await at.pushBlob(descriptor, Readable.from([bytes]));
    return outcome(() => at.pushManifest('1.0', image.manifest));
  },
  'an image of which the blobs are in another repository': async (open) => {
    await pushArtifact(open('e/web'), image, '1.0');
    const at = open('e/other');
    const before = await outcome(() => at.pushManifest('1.0', image.manifest));
    const mounted = [];
    for (const { descriptor } of image.blobs) mounted.push(await at.mountBlob(descriptor, 'e/web'));
    return [before, mounted, await outcome(() => at.pushManifest('1.0', image.manifest))];
  },
  'a mount from a repository that lacks the blob': async (open) => {
    const at = open('f/web');
    const { descriptor } = image.blobs[0]!;
    return [await at.mountBlob(descriptor, 'f/none'), await at.hasBlob(descriptor)];
  },
  'a blob with other bytes than its digest': async (open) => {
    const at = open('g/web');
    const { descriptor, bytes } = image.blobs[1]!;
    const other = Buffer.from(bytes);
    other[7]! ^= 1;
    return [
      await outcome(() => at.pushBlob(descriptor, () => Readable.from([other]))),
      await outcome(() => at.pushBlob(descriptor, () => Readable.from([bytes.subarray(1)]))),
      await outcome(() => at.pushBlob(descriptor, () => Readable.from([bytes, bytes]))),
      await at.hasBlob(descriptor),
    ];
  },
  'an index before its children': async (open) => {
    const at = open('h/worker');
    const before = await outcome(() => at.pushManifest('1.0', index.manifest));
    await pushArtifact(at, first!.artifact);
    const half = await outcome(() => at.pushManifest('1.0', index.manifest));
    await pushArtifact(at, second!.artifact);
    return [before, half, await outcome(() => at.pushManifest('1.0', index.manifest))];
  },
  'a manifest under another digest': async (open) => {
    const at = open('i/web');
    await pushArtifact(at, image);
    return outcome(() => at.pushManifest(hashBytes('other'), image.manifest));
  },
  'a tag that moves': async (open) => {
    const at = open('j/web');
    await pushArtifact(at, image, '1.0');
    await pushArtifact(at, first!.artifact, '1.0');
    return [await at.resolve('1.0'), await at.hasManifest(image.manifest.descriptor.digest)];
  },
  'a referrer': async (open) => {
    const at = open('k/web');
    const { descriptor } = image.manifest;
    await pushArtifact(at, image, '1.0');
    const api = await at.hasReferrersApi(descriptor.digest);
    const unlisted: unknown[] = [];
    const one = buildReferrer(descriptor);
    for (const { descriptor: blob, bytes } of one.blobs) await at.pushBlob(blob, Readable.from([bytes]));
    await at.pushManifest(one.manifest.descriptor.digest, one.manifest, {
      onUnlisted: (entry) => unlisted.push(entry),
    });
    const before = await at.listReferrers(descriptor.digest);
    await pushArtifact(at, buildReferrer(descriptor, 'application/vnd.example.report', 'other'));
    const { origin, manifests, index: fallback } = await at.readReferrers(descriptor.digest);
    return [
      api,
      unlisted,
      before,
      origin,
      manifests,
      fallback,
      await at.listReferrers(descriptor.digest, 'application/vnd.example.report'),
      await at.listReferrers(descriptor.digest, undefined, { accepts: () => false }),
      await at.resolve(fallbackTag(descriptor.digest)),
    ];
  },
  'a referrer of an absent subject': async (open) => {
    const at = open('l/web');
    await pushArtifact(at, buildReferrer(image.manifest.descriptor));
    return at.listReferrers(image.manifest.descriptor.digest);
  },
  'a fallback index that names an absent referrer': async (open) => {
    const at = open('m/web');
    const { descriptor } = image.manifest;
    return outcome(() => at.putReferrerFallback(descriptor.digest, [root]));
  },
  'a layer that need not be distributed': async (open) => {
    const at = open('n/web');
    await pushArtifact(at, image);
    const layer = toBlob('of somebody else', foreign).descriptor;
    const named = withDocument((document) =>
      document.layers.push({ ...layer, urls: ['https://origin.example/layer'] }),
    );
    const unnamed = withDocument((document) => document.layers.push(layer));
    return [
      await outcome(() => at.pushManifest('1.0', named)),
      await outcome(() => at.pushManifest('2.0', unnamed)),
    ];
  },
  'a manifest of docker, and an index without children': async (open) => {
    const at = open('o/web');
    await pushArtifact(at, image);
    const docker = withDocument((document) => {
      document.mediaType = mediaTypes.dockerManifest;
    });
    const empty = toManifest({ schemaVersion: 2, mediaType: mediaTypes.ociIndex, manifests: [] });
    return [
      await outcome(() => at.pushManifest('1.0', docker)),
      await outcome(() => at.pushManifest('2.0', empty)),
      (await at.resolve('1.0'))?.mediaType,
    ];
  },
  'a manifest pinned by sha512': async (open) => {
    const at = open('p/web');
    const long = buildImage('long', { algorithm: 'sha512' });
    for (const { descriptor, bytes } of long.blobs)
      await at.pushBlob(descriptor, () => Readable.from([bytes]));
    const { digest } = long.manifest.descriptor;
    return [
      await outcome(() => at.pushManifest('1.0', long.manifest)),
      await at.hasManifest(digest),
      await at.resolve('1.0'),
      await outcome(() => at.pushManifest(digest, long.manifest)),
    ];
  },
  deletion: async (open) => {
    const at = open('r/web');
    await pushArtifact(at, image, '1.0');
    await pushArtifact(at, image, '2.0');
    const { digest } = image.manifest.descriptor;
    return [
      await at.deleteTag('2.0'),
      await at.deleteTag('3.0'),
      await at.listTags(),
      await at.deleteManifest(digest),
      await at.deleteManifest(digest),
      await at.resolve('1.0'),
    ];
  },
};

test('every push gets from the registry in memory the answer of CNCF distribution', async (t) => {
  const program = needs(t, 'registry');
  if (!program) return;
  await using temporary = await openTempFolder('svc-prove-');
  await using peer = await startPeerRegistry({ program, folder: join(temporary.path, 'peer') });
  const real = openRemoteRegistry(t, [peer.host], { retries: 0 });
  const memory = openMemoryRegistry({ traits: asDistribution });
  const openIn =
    (registry: RemoteRegistry): Open =>
    (repository) =>
      registry.repository({ host: peer.host, repository }, { access: 'push' });
  for (const [name, play] of Object.entries(scenes)) {
    await t.test(name, async () => {
      const expected = await play(openIn(real));
      assert.deepEqual(await play(openIn(memory)), expected);
    });
  }
  assert.deepEqual(await memory.listRepositories(peer.host), await real.listRepositories(peer.host));
});
