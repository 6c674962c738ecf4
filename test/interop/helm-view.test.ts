import assert from 'node:assert/strict';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { adminPassword, startInstance } from '../kit/instance/instance.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { needs } from '../kit/program/peers.ts';
import { runSvc } from '../kit/program/svc.ts';

test('helm adds a view as a repository, searches it, and verifies what it pulls', async (t) => {
  const helm = needs(t, 'helm');
  const gpg = needs(t, 'gpg');
  if (helm === undefined || gpg === undefined) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      files: {
        views: [
          { name: 'charts', kind: 'helm', repositories: ['charts/**'] },
          { name: 'open', kind: 'helm', repositories: ['charts/**'], anonymous: true },
        ],
      },
    },
  });
  const { host, url } = instance;
  const maker = await openClientHome(folder.path, 'maker');
  // short, as the socket of the agent lies below it
  await using short = await openTempFolder('k-');
  await chmod(short.path, 0o700);
  const env = { GNUPGHOME: short.path };
  await using _agent = {
    [Symbol.asyncDispose]: async () => {
      await maker.try('gpgconf', ['--kill', 'all'], { env });
    },
  };
  const keys = ['release@example.org', 'stranger@example.org'];
  for (const name of keys)
    await maker.run(gpg, ['--batch', '--passphrase', '', '--quick-generate-key', name, 'rsa2048'], { env });
  const [secret, release, stranger] = ['secret.gpg', 'release.gpg', 'stranger.gpg'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string];
  await maker.run(
    gpg,
    ['--batch', '--passphrase', '', '--pinentry-mode', 'loopback', '-o', secret, '--export-secret-keys'],
    { env },
  );
  await maker.run(gpg, ['--batch', '-o', release, '--export', keys[0]!], { env });
  await maker.run(gpg, ['--batch', '-o', stranger, '--export', keys[1]!], { env });
  await maker.run(helm, ['create', 'shop']);
  const sign = ['--sign', '--key', keys[0]!, '--keyring', secret];
  for (const version of ['1.2.3', '1.3.0+build.7'])
    await maker.run(helm, ['package', 'shop', '--version', version, ...sign]);
  await maker.run(helm, ['create', 'tool']);
  await maker.run(helm, ['package', 'tool', '--version', '0.1.0']);
  const login = ['registry', 'login', host, '--plain-http', '-u', 'admin', '--password-stdin'];
  await maker.run(helm, login, { input: adminPassword });
  for (const file of ['shop-1.2.3.tgz', 'shop-1.3.0+build.7.tgz', 'tool-0.1.0.tgz'])
    await maker.run(helm, ['push', '--plain-http', file, `oci://${host}/charts`]);

  const reader = await openClientHome(folder.path, 'reader');
  const token = await instance.createToken('viewer');
  const add = ['repo', 'add', 'zone', `${url}/files/charts`, '--username', 'reader', '--password-stdin'];
  const refused = await reader.try(helm, add, { input: 'svc_wrong' });
  assert.notEqual(refused.exitCode, 0);
  assert.match(refused.stderr, /401/);
  await reader.run(helm, add, { input: token });
  const found = JSON.parse(await reader.run(helm, ['search', 'repo', 'zone/', '--versions', '-o', 'json']));
  assert.deepEqual(
    found.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`),
    ['zone/shop 1.3.0+build.7', 'zone/shop 1.2.3', 'zone/tool 0.1.0'],
  );

  await t.test('with the key of the author', async () => {
    for (const version of ['1.2.3', '1.3.0+build.7']) {
      const pull = ['pull', 'zone/shop', '--version', version, '--verify', '--keyring', release];
      assert.match(await reader.run(helm, pull), /Signed by: release@example\.org/);
      const file = `shop-${version}.tgz`;
      assert.ok((await readFile(join(reader.path, file))).equals(await readFile(join(maker.path, file))));
    }
    const rendered = await reader.run(helm, ['template', 'x', 'zone/shop', '--version', '1.2.3']);
    assert.match(rendered, /^kind: Deployment$/m);
  });

  await t.test('not with the key of a stranger, nor without provenance', async () => {
    for (const [chart, keyring] of [
      ['zone/shop', stranger],
      ['zone/tool', release],
    ] as const) {
      const pull = ['pull', chart, '--verify', '--keyring', keyring, '-d', folder.path];
      const { exitCode, stderr } = await reader.try(helm, pull);
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /unknown entity|provenance|404|could not load/i);
    }
  });

  await t.test('by the list that svc client config makes, and anonymously', async () => {
    const env = { SVC_API_TOKEN: token };
    const list = await runSvc(['client', 'config', 'helm', '--instance', url], { env });
    assert.equal(list.exitCode, 0, list.stderr);
    const path = join(folder.path, 'repositories.yaml');
    await writeFile(path, list.stdout.replaceAll('TOKEN', token));
    const other = await openClientHome(folder.path, 'other');
    const options = ['--repository-config', path, '--repository-cache', join(other.path, 'cache')];
    await other.run(helm, ['repo', 'update', ...options]);
    for (const view of ['charts', 'open']) {
      await other.run(helm, ['pull', `${view}/tool`, '-d', '.', ...options]);
      await rename(join(other.path, 'tool-0.1.0.tgz'), join(other.path, `${view}.tgz`));
    }
  });
});
