import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import { readHeldManifest } from '../kit/result/held-content.ts';

test('helm works against the registry with its own login', async (t) => {
  const helm = needs(t, 'helm');
  if (helm === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({ folder: folder.path });
  const { host } = instance;
  const home = await openClientHome(folder.path);
  await home.run(helm, ['create', 'shop']);
  await home.run(helm, ['package', 'shop', '--version', '1.2.3']);
  await home.run(helm, ['package', 'shop', '--version', '1.3.0+build.7']);
  const archive = await readFile(join(home.path, 'shop-1.2.3.tgz'));
  const login = ['registry', 'login', host, '--plain-http', '-u', 'admin', '--password-stdin'];

  await t.test('a wrong password is refused', async () => {
    const refused = await home.try(helm, login, { input: 'not the password' });
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /401|unauthorized/i);
    await home.run(helm, login, { input: adminPassword });
  });

  await t.test('a chart is pushed, listed with its own config, and pulled byte for byte', async () => {
    const pushed = await home.try(helm, ['push', '--plain-http', 'shop-1.2.3.tgz', `oci://${host}/charts`]);
    assert.equal(pushed.exitCode, 0, pushed.stderr);
    const digest = /Digest: (sha256:[0-9a-f]{64})/.exec(pushed.stdout + pushed.stderr)![1];
    const held = await readHeldManifest(instance, 'charts/shop', '1.2.3');
    assert.equal(held.digest, digest);
    assert.equal(held.document.config.mediaType, mediaTypes.helmConfig);
    assert.equal(held.document.layers[0].digest, hashBytes(archive));
    const pull = [
      'pull',
      '--plain-http',
      `oci://${host}/charts/shop`,
      '--version',
      '1.2.3',
      '-d',
      folder.path,
    ];
    await home.run(helm, pull);
    assert.deepEqual(await readFile(join(folder.path, 'shop-1.2.3.tgz')), archive);
  });

  await t.test('versions are chosen by constraint, and one with build metadata is found again', async () => {
    await home.run(helm, ['push', '--plain-http', 'shop-1.3.0+build.7.tgz', `oci://${host}/charts`]);
    const chart = await home.run(helm, [
      'show',
      'chart',
      '--plain-http',
      `oci://${host}/charts/shop`,
      '--version',
      '~1.2',
    ]);
    assert.match(chart, /^version: 1\.2\.3$/m);
    const newest = await home.run(helm, [
      'show',
      'chart',
      '--plain-http',
      `oci://${host}/charts/shop`,
      '--version',
      '1.3.0+build.7',
    ]);
    assert.match(newest, /^version: 1\.3\.0\+build\.7$/m);
  });

  await t.test('a chart is rendered straight from the registry', async () => {
    const rendered = await home.run(helm, [
      'template',
      'release',
      '--plain-http',
      `oci://${host}/charts/shop`,
      '--version',
      '1.2.3',
    ]);
    assert.match(rendered, /^kind: Deployment$/m);
  });

  await t.test('a token is a password; a viewer pulls and does not push', async () => {
    const viewer = await openClientHome(folder.path, 'viewer');
    await viewer.run(
      helm,
      ['registry', 'login', host, '--plain-http', '-u', 'anything', '--password-stdin'],
      { input: await instance.createToken('viewer') },
    );
    await viewer.run(helm, ['pull', '--plain-http', `oci://${host}/charts/shop`, '--version', '1.2.3']);
    const refused = await viewer.try(helm, [
      'push',
      '--plain-http',
      join(home.path, 'shop-1.2.3.tgz'),
      `oci://${host}/viewer`,
    ]);
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /denied|403/i);
    assert.equal((await readHeldManifest(instance, 'viewer/shop', '1.2.3')).status, 404);
  });

  await t.test('after logout nothing is admitted', async () => {
    await home.run(helm, ['registry', 'logout', host]);
    const refused = await home.try(helm, [
      'show',
      'chart',
      '--plain-http',
      `oci://${host}/charts/shop`,
      '--version',
      '1.2.3',
    ]);
    assert.notEqual(refused.exitCode, 0);
    assert.match(refused.stderr, /401|unauthorized|basic credential/i);
  });
});
