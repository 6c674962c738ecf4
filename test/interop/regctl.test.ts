import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeOciLayout } from '../kit/content/oci-layout.ts';
import { createSampleImage } from '../kit/content/sample-image.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import { assertHeld, readHeldManifest } from '../kit/result/held-content.ts';

test('regctl works against the registry with its own login', async (t) => {
  const regctl = needs(t, 'regctl');
  if (regctl === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const { host } = instance;
  const home = await openClientHome(folder.path);
  const image = createSampleImage({ seed: 'regctl' });
  const root = image.root.descriptor.digest;
  const layout = `ocidir://${join(folder.path, 'layout')}`;
  await writeOciLayout(join(folder.path, 'layout'), '1.0', image);
  await home.run(regctl, ['registry', 'set', '--skip-check', '--tls', 'disabled', host]);
  const lines = async (...args: string[]): Promise<string[]> => (await home.run(regctl, args)).split('\n');

  await t.test('a wrong password is refused', async () => {
    const login = ['registry', 'login', host, '-u', 'admin', '--pass-stdin'];
    const refused = await home.try(regctl, login, { input: 'not the password' });
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /unauthorized|401/i);
    await home.run(regctl, login, { input: adminPassword });
  });

  await t.test('a multi-platform image is pushed with its digests, and comes back the same', async () => {
    await home.run(regctl, ['image', 'copy', `${layout}:1.0`, `${host}/regctl/app:1.0`]);
    await assertHeld(instance, 'regctl/app', '1.0', image);
    assert.equal(await home.run(regctl, ['image', 'digest', `${host}/regctl/app:1.0`]), root);
    const back = `ocidir://${join(folder.path, 'back')}`;
    await home.run(regctl, ['image', 'copy', `${host}/regctl/app:1.0`, `${back}:1.0`]);
    assert.equal(await home.run(regctl, ['image', 'digest', `${back}:1.0`]), root);
  });

  await t.test('an image under sha512 is pushed, kept under that algorithm and pulled', async () => {
    await home.run(regctl, [
      'image',
      'mod',
      '--digest-algo',
      'sha512',
      '--create',
      `${host}/regctl/long:1.0`,
      `${host}/regctl/app:1.0`,
    ]);
    const digest = await home.run(regctl, ['image', 'digest', `${host}/regctl/long:1.0`]);
    assert.match(digest, /^sha512:[0-9a-f]{128}$/);
    assert.equal((await readHeldManifest(instance, 'regctl/long', digest)).status, 200);
    const back = `ocidir://${join(folder.path, 'long')}`;
    await home.run(regctl, ['image', 'copy', `${host}/regctl/long:1.0`, `${back}:1.0`]);
    assert.equal(await home.run(regctl, ['image', 'digest', `${back}:1.0`]), digest);
  });

  await t.test(
    'artifacts with a subject are listed by the referrers API, filtered by type, and copied',
    async () => {
      for (const [type, body] of [
        ['application/spdx+json', '{"spdx":1}'],
        ['application/x.note', '{"note":2}'],
      ] as const) {
        await home.run(
          regctl,
          ['artifact', 'put', '--artifact-type', type, '--subject', `${host}/regctl/app:1.0`],
          { input: body },
        );
      }
      const list = async (reference: string, ...args: string[]): Promise<any[]> =>
        JSON.parse(
          await home.run(regctl, [
            'artifact',
            'list',
            ...args,
            '--format',
            '{{json .Descriptors}}',
            reference,
          ]),
        );
      const types = (entries: any[]): string[] => entries.map(({ artifactType }) => artifactType).sort();
      const reference = `${host}/regctl/app:1.0`;
      assert.deepEqual(types(await list(reference)), ['application/spdx+json', 'application/x.note']);
      const filtered = await list(reference, '--filter-artifact-type', 'application/x.note');
      assert.deepEqual(types(filtered), ['application/x.note']);
      assert.equal(
        await home.run(regctl, [
          'artifact',
          'get',
          '--subject',
          reference,
          '--filter-artifact-type',
          'application/x.note',
        ]),
        '{"note":2}',
      );
      // the registry has the API: nobody has written a fallback tag
      assert.deepEqual(await lines('tag', 'ls', `${host}/regctl/app`), ['1.0']);
      await home.run(regctl, ['image', 'copy', '--referrers', reference, `${host}/regctl/with:1.0`]);
      assert.equal((await list(`${host}/regctl/with:1.0`)).length, 2);
    },
  );

  await t.test('tags and the catalog are listed in pages', async () => {
    for (const tag of ['1.1', '1.2', '1.3'])
      await home.run(regctl, ['image', 'copy', `${host}/regctl/app:1.0`, `${host}/regctl/app:${tag}`]);
    assert.deepEqual(await lines('tag', 'ls', '--limit', '2', `${host}/regctl/app`), ['1.0', '1.1']);
    assert.deepEqual(await lines('tag', 'ls', '--limit', '2', '--last', '1.1', `${host}/regctl/app`), [
      '1.2',
      '1.3',
    ]);
    assert.deepEqual(await lines('repo', 'ls', host), ['regctl/app', 'regctl/long', 'regctl/with']);
    assert.deepEqual(await lines('repo', 'ls', '--limit', '1', '--last', 'regctl/app', host), [
      'regctl/long',
    ]);
  });

  await t.test('a tag is deleted alone, a manifest with its tags, a blob nobody needs alone', async () => {
    await home.run(regctl, ['tag', 'delete', `${host}/regctl/app:1.3`]);
    assert.deepEqual(await lines('tag', 'ls', `${host}/regctl/app`), ['1.0', '1.1', '1.2']);
    await home.run(regctl, ['manifest', 'delete', `${host}/regctl/with@${root}`]);
    assert.equal((await readHeldManifest(instance, 'regctl/with', '1.0')).status, 404);
    await assertHeld(instance, 'regctl/app', '1.0', image);
    const digest = await home.run(regctl, ['blob', 'put', `${host}/regctl/app`], { input: 'alone' });
    assert.equal(await home.run(regctl, ['blob', 'get', `${host}/regctl/app`, digest]), 'alone');
    await home.run(regctl, ['blob', 'delete', `${host}/regctl/app`, digest]);
    assert.notEqual((await home.try(regctl, ['blob', 'head', `${host}/regctl/app`, digest])).exitCode, 0);
    const needed = image.blobs[0]!.descriptor.digest;
    assert.notEqual((await home.try(regctl, ['blob', 'delete', `${host}/regctl/app`, needed])).exitCode, 0);
    await assertHeld(instance, 'regctl/app', '1.0', image);
  });

  await t.test('a token is a password; a viewer pulls and does not push', async () => {
    const viewer = await openClientHome(folder.path, 'viewer');
    await viewer.run(regctl, ['registry', 'set', '--skip-check', '--tls', 'disabled', host]);
    await viewer.run(regctl, ['registry', 'login', host, '-u', 'anything', '--pass-stdin'], {
      input: await instance.createToken('viewer'),
    });
    await viewer.run(regctl, [
      'image',
      'copy',
      `${host}/regctl/app:1.0`,
      `ocidir://${join(folder.path, 'viewed')}:1.0`,
    ]);
    const refused = await viewer.try(regctl, ['image', 'copy', `${layout}:1.0`, `${host}/regctl/viewer:1.0`]);
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /denied|forbidden|403|unauthorized/i);
    assert.equal((await readHeldManifest(instance, 'regctl/viewer', '1.0')).status, 404);
  });
});
