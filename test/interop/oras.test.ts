import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { writeOciLayout } from '../kit/content/oci-layout.ts';
import { createSampleImage } from '../kit/content/sample-image.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import { assertHeld, readHeldManifest } from '../kit/result/held-content.ts';

test('oras works against the registry with its own login', async (t) => {
  const oras = needs(t, 'oras');
  if (oras === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const { host } = instance;
  const home = await openClientHome(folder.path);
  const plain = '--plain-http';
  const image = createSampleImage({ seed: 'oras' });
  const layout = join(folder.path, 'layout');
  await writeOciLayout(layout, '1.0', image);
  await writeFile(join(home.path, 'notes.txt'), 'what changed\n');
  await writeFile(join(home.path, 'sbom.json'), '{"spdxVersion":"SPDX-2.3"}');

  await t.test('a wrong password is refused', async () => {
    const login = ['login', plain, host, '-u', 'admin', '--password-stdin'];
    const refused = await home.try(oras, login, { input: 'not the password' });
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /unauthorized|401/i);
    await home.run(oras, login, { input: adminPassword });
  });

  await t.test('an artifact is pushed under its type and pulled byte for byte', async () => {
    await home.run(oras, [
      'push',
      plain,
      '--artifact-type',
      'application/x.notes',
      `${host}/oras/notes:1.0`,
      'notes.txt:text/plain',
    ]);
    const held = await readHeldManifest(instance, 'oras/notes', '1.0');
    assert.equal(held.document.artifactType, 'application/x.notes');
    assert.equal(held.document.layers[0].digest, hashBytes('what changed\n'));
    await home.run(oras, ['pull', plain, '-o', join(folder.path, 'pulled'), `${host}/oras/notes:1.0`]);
    assert.equal(await readFile(join(folder.path, 'pulled', 'notes.txt'), 'utf8'), 'what changed\n');
    assert.equal(await home.run(oras, ['resolve', plain, `${host}/oras/notes:1.0`]), held.digest);
  });

  await t.test('a multi-platform image is copied in and out with its digests', async () => {
    await home.run(oras, [
      'cp',
      '--no-tty',
      '--from-oci-layout',
      `${layout}:1.0`,
      '--to-plain-http',
      `${host}/oras/app:1.0`,
    ]);
    await assertHeld(instance, 'oras/app', '1.0', image);
    await home.run(oras, [
      'cp',
      '--no-tty',
      '--from-plain-http',
      `${host}/oras/app:1.0`,
      '--to-oci-layout',
      `${folder.path}/back:1.0`,
    ]);
    const back = JSON.parse(await readFile(join(folder.path, 'back', 'index.json'), 'utf8'));
    assert.equal(back.manifests[0].digest, image.root.descriptor.digest);
  });

  const discover = async (reference: string, ...args: string[]): Promise<any[]> =>
    JSON.parse(await home.run(oras, ['discover', plain, '--format', 'json', ...args, reference])).referrers ??
    [];

  await t.test(
    'attached artifacts are discovered by the referrers API and travel with a recursive copy',
    async () => {
      const reference = `${host}/oras/app:1.0`;
      assert.deepEqual(await discover(reference), []);
      await home.run(oras, [
        'attach',
        plain,
        '--distribution-spec',
        'v1.1-referrers-api',
        '--artifact-type',
        'application/spdx+json',
        '--annotation',
        'made.by=tests',
        reference,
        'sbom.json',
      ]);
      await home.run(oras, [
        'attach',
        plain,
        '--artifact-type',
        'application/x.notes',
        reference,
        'notes.txt',
      ]);
      const all = await discover(reference, '--distribution-spec', 'v1.1-referrers-api');
      assert.deepEqual(all.map(({ artifactType }) => artifactType).sort(), [
        'application/spdx+json',
        'application/x.notes',
      ]);
      const [sbom] = await discover(reference, '--artifact-type', 'application/spdx+json');
      assert.equal(sbom.annotations['made.by'], 'tests');
      await home.run(oras, [
        'cp',
        '--no-tty',
        '-r',
        '--from-plain-http',
        '--to-plain-http',
        reference,
        `${host}/oras/copy:1.0`,
      ]);
      assert.equal((await discover(`${host}/oras/copy:1.0`)).length, 2);
      await assertHeld(instance, 'oras/copy', '1.0', image);
    },
  );

  await t.test('repositories and tags are listed', async () => {
    await home.run(oras, ['tag', plain, `${host}/oras/notes:1.0`, '1.1', 'latest']);
    const tags = await home.run(oras, ['repo', 'tags', plain, `${host}/oras/notes`]);
    assert.deepEqual(tags.split('\n'), ['1.0', '1.1', 'latest']);
    const repositories = await home.run(oras, ['repo', 'ls', plain, host]);
    assert.deepEqual(repositories.split('\n'), ['oras/app', 'oras/copy', 'oras/notes']);
  });

  await t.test(
    'a manifest is deleted with its tags; a referrer that is deleted is no longer listed',
    async () => {
      const [sbom] = await discover(`${host}/oras/copy:1.0`, '--artifact-type', 'application/spdx+json');
      await home.run(oras, ['manifest', 'delete', plain, '-f', `${host}/oras/copy@${sbom.digest}`]);
      const left = await discover(`${host}/oras/copy:1.0`);
      assert.deepEqual(
        left.map(({ artifactType }) => artifactType),
        ['application/x.notes'],
      );
      await home.run(oras, ['manifest', 'delete', plain, '-f', `${host}/oras/notes:1.1`]);
      assert.equal((await readHeldManifest(instance, 'oras/notes', '1.0')).status, 404);
    },
  );

  await t.test('blobs are pushed, fetched and deleted alone', async () => {
    const digest = hashBytes('what changed\n');
    const reference = `${host}/oras/blobs@${digest}`;
    await home.run(oras, ['blob', 'push', plain, reference, 'notes.txt']);
    assert.equal(await home.run(oras, ['blob', 'fetch', plain, '-o', '-', reference]), 'what changed');
    await home.run(oras, ['blob', 'delete', plain, '-f', reference]);
    assert.notEqual((await home.try(oras, ['blob', 'fetch', plain, '-o', '-', reference])).exitCode, 0);
  });

  await t.test('a token is a password; a viewer pulls and does not push or attach', async () => {
    const viewer = await openClientHome(folder.path, 'viewer');
    await viewer.run(oras, ['login', plain, host, '-u', 'anything', '--password-stdin'], {
      input: await instance.createToken('viewer'),
    });
    await viewer.run(oras, [
      'cp',
      '--no-tty',
      '--from-plain-http',
      `${host}/oras/app:1.0`,
      '--to-oci-layout',
      `${folder.path}/viewed:1.0`,
    ]);
    for (const args of [
      ['push', plain, `${host}/oras/viewer:1.0`, 'notes.txt'],
      ['attach', plain, '--artifact-type', 'application/x.viewer', `${host}/oras/app:1.0`, 'notes.txt'],
    ]) {
      const refused = await viewer.try(oras, args, { cwd: home.path });
      assert.notEqual(refused.exitCode, 0);
      assert.match(refused.stderr, /denied|403/i);
    }
    assert.equal((await readHeldManifest(instance, 'oras/viewer', '1.0')).status, 404);
  });
});
