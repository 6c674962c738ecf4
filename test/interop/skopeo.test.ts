import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { writeOciLayout } from '../kit/content/oci-layout.ts';
import { createSampleImage } from '../kit/content/sample-image.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { assertHeld, readHeldManifest } from '../kit/result/held-content.ts';

test('skopeo works against the registry with its own login', async (t) => {
  const skopeo = needs(t, 'skopeo');
  if (skopeo === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const { host } = instance;
  const home = await openClientHome(folder.path);
  const plain = '--tls-verify=false';
  const image = createSampleImage({ seed: 'skopeo' });
  const layout = join(folder.path, 'layout');
  await writeOciLayout(layout, '1.0', image);
  const copy = (...args: string[]) =>
    home.run(skopeo, ['copy', '--quiet', '--src-tls-verify=false', '--dest-tls-verify=false', ...args]);

  await t.test('a wrong password and no password are refused', async () => {
    const login = ['login', plain, '-u', 'admin', '--password-stdin', host];
    const refused = await home.try(skopeo, login, { input: 'not the password' });
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /invalid username\/password|unauthorized/i);
    const anonymous = await home.try(skopeo, ['list-tags', plain, `docker://${host}/skopeo/app`]);
    assert.notEqual(anonymous.exitCode, 0);
    assert.match(anonymous.stderr, /unauthorized|authentication/i);
  });

  await t.test('login with a password admits every command after it', async () => {
    await home.run(skopeo, ['login', plain, '-u', 'admin', '--password-stdin', host], {
      input: adminPassword,
    });
  });

  await t.test('a multi-platform image is pushed with its digests, and comes back the same', async () => {
    await copy('--all', `oci:${layout}:1.0`, `docker://${host}/skopeo/app:1.0`);
    await assertHeld(instance, 'skopeo/app', '1.0', image);
    const raw = await home.run(skopeo, ['inspect', '--raw', plain, `docker://${host}/skopeo/app:1.0`]);
    assert.equal(hashBytes(raw), image.root.descriptor.digest);
    await copy(
      '--all',
      '--preserve-digests',
      `docker://${host}/skopeo/app:1.0`,
      `oci:${folder.path}/back:1.0`,
    );
    const back = JSON.parse(await readFile(join(folder.path, 'back', 'index.json'), 'utf8'));
    assert.equal(back.manifests[0].digest, image.root.descriptor.digest);
    for (const { descriptor } of image.blobs) {
      const bytes = await readFile(join(folder.path, 'back', 'blobs', ...descriptor.digest.split(':')));
      assert.equal(hashBytes(bytes), descriptor.digest);
    }
  });

  await t.test('a copy inside the registry keeps every digest', async () => {
    await copy(
      '--all',
      '--preserve-digests',
      `docker://${host}/skopeo/app:1.0`,
      `docker://${host}/skopeo/deep/er/copy:2.0`,
    );
    await assertHeld(instance, 'skopeo/deep/er/copy', '2.0', image);
  });

  await t.test('one platform of an index is inspected and pulled alone', async () => {
    const inspected = JSON.parse(
      await home.run(skopeo, [
        '--override-os',
        'linux',
        '--override-arch',
        's390x',
        'inspect',
        plain,
        `docker://${host}/skopeo/app:1.0`,
      ]),
    );
    assert.equal(inspected.Architecture, 's390x');
    assert.equal(inspected.Layers.length, 2);
  });

  await t.test('docker schema 2 manifests and lists are kept as they are', async () => {
    await copy('--all', '--format', 'v2s2', `oci:${layout}:1.0`, `docker://${host}/skopeo/docker:1.0`);
    const list = await readHeldManifest(instance, 'skopeo/docker', '1.0');
    assert.equal(list.mediaType, mediaTypes.dockerManifestList);
    const child = await readHeldManifest(instance, 'skopeo/docker', list.document.manifests[0].digest);
    assert.equal(child.mediaType, mediaTypes.dockerManifest);
    assert.equal(child.document.config.mediaType, mediaTypes.dockerConfig);
    await copy('--all', `docker://${host}/skopeo/docker:1.0`, `dir:${folder.path}/docker`);
    const pulled = await readFile(join(folder.path, 'docker', 'manifest.json'));
    assert.equal(hashBytes(pulled), list.digest);
  });

  await t.test('layers compressed with zstd travel unchanged', async () => {
    const zstd = createSampleImage({ seed: 'zstd', compression: 'zstd', platforms: ['linux/amd64'] });
    const from = join(folder.path, 'zstd');
    await writeOciLayout(from, 'z', zstd);
    await copy('--preserve-digests', `oci:${from}:z`, `docker://${host}/skopeo/zstd:z`);
    await assertHeld(instance, 'skopeo/zstd', 'z', zstd);
  });

  await t.test('tags are listed, and deletion removes what was asked for', async () => {
    await copy('--all', `oci:${layout}:1.0`, `docker://${host}/skopeo/app:1.1`);
    const list = async (): Promise<string[]> =>
      JSON.parse(await home.run(skopeo, ['list-tags', plain, `docker://${host}/skopeo/app`])).Tags;
    assert.deepEqual(await list(), ['1.0', '1.1']);
    // skopeo resolves the tag and deletes the manifest, so every tag of that manifest goes
    await home.run(skopeo, ['delete', plain, `docker://${host}/skopeo/app:1.1`]);
    assert.equal((await readHeldManifest(instance, 'skopeo/app', '1.1')).status, 404);
    await assertHeld(instance, 'skopeo/deep/er/copy', '2.0', image);
  });

  await t.test('a token is a password; a viewer pulls and does not push', async () => {
    const viewer = await openClientHome(folder.path, 'viewer');
    await viewer.run(skopeo, ['login', plain, '-u', 'anything', '--password-stdin', host], {
      input: await instance.createToken('viewer'),
    });
    await viewer.run(skopeo, [
      'copy',
      '--quiet',
      '--all',
      '--src-tls-verify=false',
      `docker://${host}/skopeo/deep/er/copy:2.0`,
      `oci:${folder.path}/viewed:2.0`,
    ]);
    const refused = await viewer.try(skopeo, [
      'copy',
      '--all',
      '--dest-tls-verify=false',
      `oci:${layout}:1.0`,
      `docker://${host}/skopeo/viewer:1.0`,
    ]);
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /denied|forbidden|403/i);
    assert.equal((await readHeldManifest(instance, 'skopeo/viewer', '1.0')).status, 404);
  });
});

test('skopeo pushes and pulls over TLS with the private authority it was given', async (t) => {
  const skopeo = needs(t, 'skopeo');
  if (skopeo === undefined) return;
  await using folder = await openTempFolder();
  const home = await openClientHome(folder.path);
  const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  await writeFile(certFile, tlsPair.cert);
  await writeFile(keyFile, tlsPair.key, { mode: 0o600 });
  await mkdir(join(folder.path, 'certs'));
  await writeFile(join(folder.path, 'certs', 'ca.crt'), tlsPair.ca);
  await using instance = await startInstance({
    folder: folder.path,
    config: { server: { addr: '127.0.0.1:0', tls: { certFile, keyFile } } },
  });
  const image = createSampleImage({ seed: 'tls', platforms: ['linux/amd64'] });
  await writeOciLayout(join(folder.path, 'layout'), '1', image);
  const target = `${instance.host}/tls/app:1`;
  const creds = `admin:${adminPassword}`;
  const push = (...args: string[]) =>
    home.try(skopeo, [
      'copy',
      '--quiet',
      '--dest-creds',
      creds,
      ...args,
      `oci:${folder.path}/layout:1`,
      `docker://${target}`,
    ]);
  const distrusted = await push();
  assert.notEqual(distrusted.exitCode, 0);
  assert.match(distrusted.stderr, /x509|certificate/);
  const trusted = await push('--dest-cert-dir', join(folder.path, 'certs'));
  assert.equal(trusted.exitCode, 0, trusted.stderr);
  const raw = await home.run(skopeo, [
    'inspect',
    '--raw',
    '--creds',
    creds,
    '--cert-dir',
    join(folder.path, 'certs'),
    `docker://${target}`,
  ]);
  assert.equal(hashBytes(raw), image.root.descriptor.digest);
});
