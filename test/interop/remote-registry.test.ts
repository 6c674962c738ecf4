import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { silentReport } from '../../src/base/report.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import type { ManifestContent } from '../../src/oci/ports.ts';
import { createSpool } from '../../src/remote/spool/spool.ts';
import { isSvcError } from '../../src/text/error.ts';
import { openRemoteRegistry } from '../kit/instance/remote-registry.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { peerAccount, startPeerRegistry } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';

function content(document: {
  readonly mediaType: string;
  readonly [name: string]: unknown;
}): ManifestContent {
  const bytes = Buffer.from(JSON.stringify(document));
  const descriptor = { mediaType: document.mediaType, digest: hashBytes(bytes), size: bytes.length };
  return { descriptor, bytes };
}

for (const name of ['registry', 'docker-registry'])
  test(`everything a remote repository does, it does with ${name} over TLS and with a password`, async (t) => {
    const program = needs(t, name);
    if (!program) return;
    await using folder = await openTempFolder();
    await using peer = await startPeerRegistry({
      program,
      folder: join(folder.path, 'peer'),
      auth: true,
      tls: true,
    });
    const spool = createSpool({
      root: join(folder.path, 'spool'),
      threshold: 2_000_000,
      report: silentReport,
    });
    const registry = openRemoteRegistry(t, [], {
      spool,
      transport: { tls: { ca: [tlsPair.ca], exclusiveTrust: true } },
      credentials: { [peer.host]: { kind: 'basic', ...peerAccount } },
    });
    const repository = registry.repository({ host: peer.host, repository: 'team/app' }, { access: 'push' });
    assert.deepEqual(await repository.listTags(), []);

    const bytes = { config: Buffer.from('{}'), small: randomBytes(1000), large: randomBytes(3_000_000) };
    const blobs = Object.fromEntries(
      Object.entries(bytes).map(([key, value]) => [
        key,
        { mediaType: 'application/octet-stream', digest: hashBytes(value), size: value.length },
      ]),
    ) as Record<keyof typeof bytes, { mediaType: string; digest: `sha256:${string}`; size: number }>;
    for (const [key, value] of Object.entries(bytes)) {
      const blob = blobs[key as keyof typeof bytes];
      assert.equal(await repository.hasBlob(blob), false);
      await repository.pushBlob(blob, Readable.from([value]));
      assert.equal(await repository.hasBlob(blob), true);
      assert.ok((await buffer(await repository.fetchBlob(blob))).equals(value));
    }
    await using spooled = (await repository.spoolBlob(blobs.large))!;
    assert.ok((await readFile(spooled.path)).equals(bytes.large));
    const wrong = { ...blobs.large, digest: hashBytes('wrong') };
    await assert.rejects(repository.pushBlob(wrong, Readable.from([bytes.large])), (error) =>
      isSvcError(error, 'SVC-SIG-002'),
    );
    assert.equal(await repository.hasBlob(wrong), false);
    const other = registry.repository({ host: peer.host, repository: 'team/other' }, { access: 'push' });
    assert.equal(await other.mountBlob(blobs.large, 'team/app'), true);
    assert.equal(await other.hasBlob(blobs.large), true);

    const config = { ...blobs.config, mediaType: mediaTypes.ociConfig };
    const layers = [blobs.small, blobs.large];
    const image = content({ schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers });
    await repository.pushManifest('v1', image);
    assert.deepEqual(await repository.resolve('v1'), image.descriptor);
    assert.deepEqual(await repository.fetchManifest(image.descriptor.digest), image);
    assert.equal(await repository.hasManifest(image.descriptor.digest), true);
    assert.deepEqual(await repository.listTags(), ['v1']);

    const platform = { os: 'linux', architecture: 'amd64' };
    const sparse = content({
      schemaVersion: 2,
      mediaType: mediaTypes.ociIndex,
      manifests: [
        { ...image.descriptor, platform },
        {
          ...image.descriptor,
          digest: hashBytes('absent'),
          platform: { ...platform, architecture: 'arm64' },
        },
      ],
    });
    await assert.rejects(repository.pushManifest('sparse', sparse), (error) =>
      isSvcError(error, 'SVC-DST-002'),
    );

    const referrers = ['one', 'two'].map((type) =>
      content({
        schemaVersion: 2,
        mediaType: mediaTypes.ociManifest,
        artifactType: `type/${type}`,
        config,
        layers: [],
        subject: image.descriptor,
      }),
    );
    for (const each of referrers) await repository.pushManifest(each.descriptor.digest, each);
    const found = await repository.listReferrers(image.descriptor.digest);
    assert.deepEqual(
      found.map(({ digest }) => digest).sort(),
      referrers.map(({ descriptor }) => descriptor.digest).sort(),
    );
    assert.equal((await repository.listReferrers(image.descriptor.digest, 'type/two')).length, 1);

    assert.equal(await repository.deleteManifest(referrers[0]!.descriptor.digest), true);
    assert.equal(await repository.deleteManifest(referrers[0]!.descriptor.digest), false);

    const foreign = openRemoteRegistry(t, [], { transport: { tls: { ca: [tlsPair.ca] } } });
    await assert.rejects(
      foreign.repository({ host: peer.host, repository: 'team/app' }).resolve('v1'),
      (error) => isSvcError(error, 'SVC-REG-003'),
    );
  });
