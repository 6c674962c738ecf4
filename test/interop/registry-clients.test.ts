import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { writeOciLayout } from '../kit/content/oci-layout.ts';
import { createSampleImage } from '../kit/content/sample-image.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { writeCredentials } from '../kit/program/credentials-file.ts';
import { peerAccount, startPeerRegistry } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { assertHeld, readHeldManifest } from '../kit/result/held-content.ts';

test('several clients push the same image at the same time, and each finds it whole', async (t) => {
  const [skopeo, regctl, oras] = ['skopeo', 'regctl', 'oras'].map((name) => needs(t, name));
  if (!skopeo || !regctl || !oras) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const { host } = instance;
  const home = await openClientHome(folder.path);
  const image = createSampleImage({ seed: 'together', layerSize: 400_000 });
  const layout = join(folder.path, 'layout');
  await writeOciLayout(layout, '1.0', image);
  await writeCredentials(home.env.REGISTRY_AUTH_FILE!, {
    [host]: { username: 'admin', password: adminPassword },
  });
  const regctlHost = `reg=${host},user=admin,pass=${adminPassword},tls=disabled`;
  const push = (tag: string): [string, string[]][] => [
    [
      skopeo,
      [
        'copy',
        '--quiet',
        '--all',
        '--dest-tls-verify=false',
        `oci:${layout}:1.0`,
        `docker://${host}/all:s-${tag}`,
      ],
    ],
    [regctl, ['image', 'copy', '--host', regctlHost, `ocidir://${layout}:1.0`, `${host}/all:r-${tag}`]],
    [
      oras,
      ['cp', '--no-tty', '--from-oci-layout', `${layout}:1.0`, '--to-plain-http', `${host}/all:o-${tag}`],
    ],
  ];
  const pushes = ['1', '2'].flatMap(push);
  await Promise.all(pushes.map(([program, args]) => home.run(program, args)));
  for (const prefix of ['s', 'r', 'o'])
    for (const tag of ['1', '2']) await assertHeld(instance, 'all', `${prefix}-${tag}`, image);
});

test('regsync mirrors from a registry of another make into this one and on, with referrers', async (t) => {
  const [regsync, regctl, distribution] = ['regsync', 'regctl', 'registry'].map((name) => needs(t, name));
  if (!regsync || !regctl || !distribution) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  await using peer = await startPeerRegistry({
    program: distribution,
    folder: join(folder.path, 'peer'),
    auth: true,
  });
  const home = await openClientHome(folder.path);
  const image = createSampleImage({ seed: 'regsync' });
  await writeOciLayout(join(folder.path, 'layout'), '1.0', image);
  const peerHost = `reg=${peer.host},user=${peerAccount.username},pass=${peerAccount.password},tls=disabled`;
  const source = `${peer.host}/upstream/app`;
  await home.run(regctl, [
    'image',
    'copy',
    '--host',
    peerHost,
    `ocidir://${join(folder.path, 'layout')}:1.0`,
    `${source}:1.0`,
  ]);
  await home.run(
    regctl,
    [
      'artifact',
      'put',
      '--host',
      peerHost,
      '--artifact-type',
      'application/x.note',
      '--subject',
      `${source}:1.0`,
    ],
    { input: 'a note' },
  );
  const config = join(folder.path, 'regsync.yaml');
  const mirrored = `${instance.host}/mirror/app`;
  await writeFile(
    config,
    stringify({
      version: 1,
      creds: [
        { registry: peer.host, user: peerAccount.username, pass: peerAccount.password, tls: 'disabled' },
        { registry: instance.host, user: 'admin', pass: adminPassword, tls: 'disabled' },
      ],
      defaults: { referrers: true },
      sync: [
        { source, target: mirrored, type: 'repository', tags: { allow: ['1\\..*'] } },
        { source: mirrored, target: `${peer.host}/back/app`, type: 'repository' },
      ],
    }),
  );
  await home.run(regsync, ['once', '--config', config]);
  await assertHeld(instance, 'mirror/app', '1.0', image);
  await assertHeld(peer, 'back/app', '1.0', image);
  const listed = await fetch(
    `${instance.url}/v2/mirror/app/referrers/${image.root.descriptor.digest}?artifactType=application/x.note`,
    { headers: { authorization: instance.authorization } },
  );
  const { manifests } = (await listed.json()) as { manifests: { digest: string; artifactType: string }[] };
  assert.deepEqual(
    manifests.map(({ artifactType }) => artifactType),
    ['application/x.note'],
  );
  // the other registry has no referrers API: returned content is listed under the fallback tag
  const tag = image.root.descriptor.digest.replace(':', '-');
  const fallback = await readHeldManifest(peer, 'back/app', tag);
  assert.equal(fallback.document.manifests[0].digest, manifests[0]!.digest);
});
