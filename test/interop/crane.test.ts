import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

test('crane works against the registry with its own login', async (t) => {
  const crane = needs(t, 'crane');
  if (crane === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const { host } = instance;
  const home = await openClientHome(folder.path);
  const image = createSampleImage({ seed: 'crane' });
  const single = createSampleImage({ seed: 'crane-single', platforms: ['linux/amd64'] });
  const layout = join(folder.path, 'layout');
  const singleLayout = join(folder.path, 'single');
  await writeOciLayout(layout, '1.0', image);
  await writeOciLayout(singleLayout, '1.0', single);
  const root = image.root.descriptor.digest;

  await t.test('a wrong password is refused', async () => {
    const login = ['auth', 'login', host, '-u', 'admin', '--password-stdin'];
    await home.run(crane, login, { input: 'not the password' });
    const refused = await home.try(crane, ['push', singleLayout, `${host}/crane/single:1.0`]);
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /UNAUTHORIZED|401/);
    await home.run(crane, login, { input: adminPassword });
  });

  await t.test('images and indexes are pushed with their digests, and come back the same', async () => {
    const pushed = await home.run(crane, ['push', singleLayout, `${host}/crane/single:1.0`]);
    assert.ok(pushed.endsWith(`@${single.root.descriptor.digest}`), pushed);
    await assertHeld(instance, 'crane/single', '1.0', single);
    // crane pushes index.json itself as the index: its only entry is the image's own index
    const nested = await home.run(crane, ['push', '--index', layout, `${host}/crane/app:nested`]);
    assert.match(nested, /@sha256:[0-9a-f]{64}$/);
    await home.run(crane, ['copy', `${host}/crane/app@${root}`, `${host}/crane/app:1.0`]);
    await assertHeld(instance, 'crane/app', '1.0', image);
    assert.equal(await home.run(crane, ['digest', `${host}/crane/app:1.0`]), root);
    const back = join(folder.path, 'back');
    await home.run(crane, ['pull', '--format=oci', `${host}/crane/app:1.0`, back]);
    for (const { descriptor } of [...image.blobs, ...image.manifests]) {
      const bytes = await readFile(join(back, 'blobs', ...descriptor.digest.split(':')));
      assert.equal(hashBytes(bytes), descriptor.digest);
    }
    await home.run(crane, ['validate', '--remote', `${host}/crane/app:1.0`]);
  });

  await t.test('one platform of an index is resolved and its layers are read', async () => {
    const arm = image.manifests[1]!;
    assert.equal(
      await home.run(crane, ['digest', '--platform', 'linux/arm64', `${host}/crane/app:1.0`]),
      arm.descriptor.digest,
    );
    const config = JSON.parse(
      await home.run(crane, ['config', '--platform', 'linux/arm64', `${host}/crane/app:1.0`]),
    );
    assert.equal(config.architecture, 'arm64');
  });

  await t.test('a copy into another repository keeps every digest', async () => {
    await home.run(crane, ['copy', `${host}/crane/app:1.0`, `${host}/crane/copy:2.0`]);
    await assertHeld(instance, 'crane/copy', '2.0', image);
  });

  await t.test('tags are listed, the catalog is listed', async () => {
    await home.run(crane, ['tag', `${host}/crane/copy:2.0`, 'latest']);
    assert.deepEqual((await home.run(crane, ['ls', `${host}/crane/copy`])).split('\n'), ['2.0', 'latest']);
    assert.deepEqual((await home.run(crane, ['catalog', host])).split('\n'), [
      'crane/app',
      'crane/copy',
      'crane/single',
    ]);
  });

  await t.test('a tag is deleted alone, a manifest with all its tags', async () => {
    await home.run(crane, ['delete', `${host}/crane/copy:latest`]);
    assert.equal((await readHeldManifest(instance, 'crane/copy', 'latest')).status, 404);
    await assertHeld(instance, 'crane/copy', '2.0', image);
    await home.run(crane, ['delete', `${host}/crane/copy@${root}`]);
    assert.equal((await readHeldManifest(instance, 'crane/copy', '2.0')).status, 404);
    await assertHeld(instance, 'crane/app', '1.0', image);
  });

  await t.test('a token is a password; a viewer pulls and does not push', async () => {
    const viewer = await openClientHome(folder.path, 'viewer');
    await viewer.run(crane, ['auth', 'login', host, '-u', 'anything', '--password-stdin'], {
      input: await instance.createToken('viewer'),
    });
    await viewer.run(crane, ['pull', `${host}/crane/single:1.0`, join(folder.path, 'viewed.tar')]);
    const refused = await viewer.try(crane, ['push', singleLayout, `${host}/crane/viewer:1.0`]);
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /DENIED|403/);
    const deletion = await viewer.try(crane, ['delete', `${host}/crane/single:1.0`]);
    assert.notEqual(deletion.exitCode, 0);
    await assertHeld(instance, 'crane/single', '1.0', single);
  });
});
