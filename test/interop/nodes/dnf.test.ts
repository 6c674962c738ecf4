import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildRpm } from '../../kit/content/packages.ts';
import { pushFolder } from '../../kit/content/push-folder.ts';
import { startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs, needsPart } from '../../kit/program/peers.ts';
import { readExample } from '../../kit/web/page-example.ts';

/** A dnf with a root and a configuration of its own, and no right it does not have. */
async function openDnf(folder: string, name: string, repository: string) {
  const home = await openClientHome(folder, name);
  const at = (path: string) => join(home.path, path);
  for (const path of ['root', 'repos', 'cache', 'log']) await mkdir(at(path), { recursive: true });
  const main = [
    ...[`installroot=${at('root')}`, `reposdir=${at('repos')}`, `cachedir=${at('cache')}`],
    ...[`logdir=${at('log')}`, `persistdir=${at('persist')}`, 'retries=1', 'gpgcheck=0'],
  ];
  await writeFile(at('dnf.conf'), `[main]\n${main.join('\n')}\n`);
  await writeFile(at('repos/sample.repo'), repository);
  const options = [
    '--config',
    at('dnf.conf'),
    '--releasever',
    '12',
    '--disableplugin=*',
    '--enableplugin=download',
  ];
  return {
    makecache: () => home.try('dnf', [...options, 'makecache', '--refresh']),
    versions: (package_: string) =>
      home.run('dnf', [...options, '--quiet', 'repoquery', '--queryformat', '%{version}', package_]),
    /** The bytes of a package as dnf brought and checked it. */
    download: async (package_: string): Promise<Buffer> => {
      await rm(at('downloads'), { recursive: true, force: true });
      await home.run('dnf', [...options, 'download', '--destdir', at('downloads'), package_]);
      const names = await readdir(at('downloads'));
      assert.equal(names.length, 1, names.join());
      return readFile(join(at('downloads'), names[0]!));
    },
  };
}

test('dnf uses a repository, with its credentials and not without', async (t) => {
  if (!['rpmbuild', 'createrepo_c'].every((program) => needs(t, program) !== undefined)) return;
  // `download` is a plugin that Debian packages apart
  if (!needsPart(t, 'dnf', ['download', '--help'])) return;
  await using folder = await openTempFolder();
  await using instance = await startInstance({
    folder: folder.path,
    config: {
      files: {
        filesets: [
          { name: 'rpm', ref: 'registry.example:5000/filesets/rpm' },
          { name: 'open', ref: 'registry.example:5000/filesets/rpm', anonymous: true },
        ],
      },
    },
  });
  const maker = await openClientHome(folder.path, 'maker');
  const repository = join(folder.path, 'repository');
  await mkdir(repository);
  // compressed layers, as tools that build images push them
  const publish = async (tag: string, packing: 'gzip' | 'zstd'): Promise<void> => {
    await maker.run('createrepo_c', ['--zck', repository]);
    const target = { repository: 'registry.example_5000/filesets/rpm', tag, packing };
    await pushFolder(instance, repository, target);
  };
  const first = await buildRpm(maker, repository, 'hello', '1.0');
  await publish('1.0.0', 'gzip');

  const token = await instance.createToken('viewer');
  const example = (changes: Readonly<Record<string, string>>) =>
    readExample('docs/filesets.md', '/etc/yum.repos.d/zone.repo', {
      'instance.example:8080': instance.host,
      // the packages of this test are not signed
      'gpgcheck=1\ngpgkey=file:///etc/pki/rpm-gpg/zone.asc\n': 'gpgcheck=0\n',
      ...changes,
    });
  const login = { 'svc_token-of-a-viewer': token };
  const credentials = 'username=reader\npassword=svc_token-of-a-viewer\n';

  await t.test('with a token of a viewer', async () => {
    const dnf = await openDnf(folder.path, 'reader', await example(login));
    const { exitCode, stderr } = await dnf.makecache();
    assert.equal(exitCode, 0, stderr);
    assert.equal(await dnf.versions('hello'), '1.0');
    assert.ok((await dnf.download('hello')).equals(await readFile(first)));
  });

  await t.test('anonymously where that is configured', async () => {
    const dnf = await openDnf(
      folder.path,
      'anybody',
      await example({ 'files/rpm': 'files/open', [credentials]: '' }),
    );
    assert.equal((await dnf.makecache()).exitCode, 0);
    assert.ok((await dnf.download('hello')).equals(await readFile(first)));
  });

  await t.test('a new version is seen by whoever had the old one', async () => {
    const dnf = await openDnf(folder.path, 'follower', await example(login));
    assert.equal((await dnf.makecache()).exitCode, 0);
    const second = await buildRpm(maker, repository, 'hello', '1.1');
    await publish('1.1.0', 'zstd');
    assert.equal((await dnf.makecache()).exitCode, 0);
    assert.equal(await dnf.versions('hello'), '1.0\n1.1');
    assert.ok((await dnf.download('hello-1.1')).equals(await readFile(second)));
  });

  await t.test('without or with a wrong credential nothing is had', async () => {
    const wrong = { 'svc_token-of-a-viewer': 'svc_wrong' };
    for (const [name, given] of Object.entries({ stranger: { [credentials]: '' }, mistaken: wrong })) {
      const dnf = await openDnf(folder.path, name, await example(given));
      const { exitCode, stderr } = await dnf.makecache();
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /401/);
    }
  });
});
