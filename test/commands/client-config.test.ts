import assert from 'node:assert/strict';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { writeConfig } from '../../commands/client-config/write-config.ts';
import { isSvcError } from '../../src/base/error.ts';
import type { ClientConfig } from '../../src/view/client-config.ts';
import { assertCliDocument } from '../kit/cli-schema.ts';
import { buildMedium } from '../kit/medium.ts';
import { openRehearsal } from '../kit/rehearsal.ts';
import { findEnglish, runInLanguage } from '../kit/run-in-language.ts';
import { openTempFolder } from '../kit/temp-folder.ts';

test('a store and the instance that serves it give the same files, each time', async () => {
  await using world = await openRehearsal();
  await using medium = await buildMedium();
  const store = world.path('instance', 'store');
  await mkdir(world.path('instance'));
  await cp(medium.root, store, { recursive: true });
  const registry = ['--registry', 'https://zone.example:5443'];
  const from = (place: readonly string[], client: string, ...more: string[]) =>
    runInLanguage(['client', 'config', client, ...place, ...more], 'en', env);
  const instance = await world.start('instance', { storage: { root: store } });
  const env = { SVC_API_TOKEN: await instance.createToken('viewer') };
  const asked = ['--instance', instance.url];
  const local = ['--storage-root', store];

  const json = await from(local, 'containerd', ...registry, '--output', 'json');
  assert.equal(json.exitCode, 0, json.stderr);
  assertCliDocument('svc client config', json.stdout);
  assert.deepEqual(
    JSON.parse((await from(asked, 'containerd', ...registry, '--output', 'json')).stdout),
    JSON.parse(json.stdout),
  );
  const { directory, files } = JSON.parse(json.stdout) as ClientConfig;
  assert.equal(directory, '/etc/containerd/certs.d');
  assert.deepEqual(
    files.map(({ path }) => path),
    ['origin.example_5000_/hosts.toml'],
  );
  assert.match(files[0]!.content, /^server = "https:\/\/zone\.example:5443\/v2\/origin\.example_5000"$/m);

  const printed = await from(local, 'k3s', ...registry);
  const { mirrors } = parse(printed.stdout);
  assert.deepEqual(mirrors['origin.example:5000'].endpoint, ['https://zone.example:5443']);
  assert.equal((await from(asked, 'k3s', ...registry)).stdout, printed.stdout);

  const etc = world.path('certs.d');
  const written = await from(local, 'containerd', ...registry, '--directory', etc);
  const path = join(etc, 'origin.example_5000_', 'hosts.toml');
  assert.equal(written.stdout, `${path}\n`);
  assert.equal(await readFile(path, 'utf8'), files[0]!.content);
  const again = await from(local, 'containerd', ...registry, '--directory', etc);
  assert.equal(again.stdout, `${path} (unchanged)\n`);

  const unknown = await from(asked, 'containerd', '--recipe', 'shopp');
  assert.deepEqual([unknown.exitCode, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /SVC-REG-005/);
  const one = await from(asked, 'containerd', '--recipe', 'shop', ...registry);
  assert.equal(one.stdout, files[0]!.content, 'one file is printed as it is');
  const other = await from(asked, 'docker');
  assert.equal(other.exitCode, 2);
  assert.match(other.stderr, /containerd, k3s/);
  const wrong = await from(local, 'k3s', '--registry', 'ftp://x y');
  assert.match(wrong.stderr, /SVC-VAL-001/);
});

test('a store without recipes gives no file, and says so; a carried medium is verified first', async () => {
  await using world = await openRehearsal();
  await using medium = await buildMedium();
  const empty = world.path('empty');
  const instance = await world.start('instance', { storage: { root: empty } });
  const none = await runInLanguage(
    ['client', 'config', 'containerd', '--config', instance.configPath, '--registry', 'zone.example'],
    'fr',
  );
  assert.deepEqual([none.exitCode, none.stdout], [0, '']);
  assert.match(none.stderr, /rien à configurer/);
  assert.equal(findEnglish(none.stderr), undefined);
  const inZone = async (roots: readonly unknown[], ...args: string[]) => {
    const zone = {
      zone: 'zone-b',
      storage: { root: medium.root },
      destination: { registry: 'zone.example' },
    };
    const config = await world.configure('zone', { ...zone, trust: { roots } });
    return runInLanguage([...args, '--config', config], 'en');
  };
  const trusted = [{ name: 'release', key: medium.signer.publicKeyPem }];
  const passed = await inZone(trusted, 'client', 'config', 'containerd');
  assert.equal(passed.exitCode, 0, passed.stderr);
  assert.match(passed.stdout, /server = "https:\/\/zone\.example\/v2\/origin\.example_5000"/);
  assert.equal((await inZone(trusted, 'recipe', 'mapping', 'shop')).exitCode, 0);
  const shown = await inZone(trusted, 'content', 'show', 'origin.example_5000/shop/web:1.4.0');
  assert.equal(shown.exitCode, 0, shown.stderr);
  for (const args of [
    ['client', 'config', 'containerd'],
    ['recipe', 'mapping', 'shop'],
  ]) {
    const blocked = await inZone([], ...args);
    assert.deepEqual([blocked.exitCode, blocked.stdout], [3, ''], blocked.stderr);
    assert.match(blocked.stderr, /SVC-MED-032/);
  }
});

test('files of others are kept, and no path leaves the folder', async () => {
  await using folder = await openTempFolder();
  const directory = join(folder.path, 'certs.d');
  const config = (path: string): ClientConfig => ({
    client: 'containerd',
    directory: '/etc/containerd/certs.d',
    files: [
      { path: 'first/hosts.toml', content: '# Made by svc client config containerd. first\n' },
      { path, content: '# Made by svc client config containerd. second\n' },
    ],
  });
  const refusedAs = (code: 'SVC-FIL-003' | 'SVC-FIL-005' | 'SVC-FIL-006') => (error: unknown) =>
    isSvcError(error, code);
  for (const path of ['../outside', '/etc/passwd', 'a/../../outside']) {
    await assert.rejects(writeConfig(config(path), { directory, overwrite: true }), refusedAs('SVC-FIL-003'));
  }
  await mkdir(join(directory, 'own'), { recursive: true });
  await writeFile(join(directory, 'own', 'hosts.toml'), 'server = "https://own.example"\n');
  const own = { directory, overwrite: false };
  await assert.rejects(writeConfig(config('own/hosts.toml'), own), refusedAs('SVC-FIL-006'));
  await assert.rejects(
    readFile(join(directory, 'first', 'hosts.toml')),
    'nothing is written when one is refused',
  );
  await writeConfig(config('own/hosts.toml'), { directory, overwrite: true });
  assert.match(await readFile(join(directory, 'own', 'hosts.toml'), 'utf8'), /second/);
  await mkdir(join(directory, 'folder', 'hosts.toml'), { recursive: true });
  await assert.rejects(writeConfig(config('folder/hosts.toml'), own));
  await symlink('/nowhere', join(directory, 'link'));
  await assert.rejects(writeConfig(config('link/hosts.toml'), own));
});
