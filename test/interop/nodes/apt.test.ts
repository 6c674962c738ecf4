import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildDeb } from '../../kit/content/packages.ts';
import { type Instance, startInstance } from '../../kit/instance/instance.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';
import { readExample } from '../../kit/web/page-example.ts';

/** An apt with a root of its own: no setting, source, key or lock of the machine, and no right it does not have. */
async function openApt(folder: string, name: string, source: string, login?: string) {
  const home = await openClientHome(folder, name);
  const root = join(home.path, 'root');
  for (const path of ['etc/apt.conf.d', 'state/lists/partial', 'cache/archives/partial', 'log'])
    await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, 'status'), '');
  await writeFile(join(root, 'sources.list'), `${source}\n`);
  await writeFile(join(root, 'auth.conf'), login ?? '', { mode: 0o600 });
  const configuration = [
    `Dir "${root}";`,
    'Dir::Etc "etc"; Dir::Etc::SourceParts "-"; Dir::Etc::Parts "apt.conf.d"; Dir::Etc::Main "-";',
    `Dir::Etc::SourceList "${root}/sources.list"; Dir::Etc::Netrc "${root}/auth.conf"; Dir::Etc::NetrcParts "-";`,
    `Dir::State "state"; Dir::State::status "${root}/status"; Dir::Cache "cache"; Dir::Log "log";`,
    'APT::Architecture "amd64"; APT::Architectures "amd64"; APT::Sandbox::User ""; Acquire::Languages "none";',
    'Acquire::http::Proxy "DIRECT"; Acquire::Retries "0";',
  ];
  await writeFile(join(root, 'apt.conf'), `${configuration.join('\n')}\n`);
  const env = { APT_CONFIG: join(root, 'apt.conf') };
  return {
    home,
    update: () => home.try('apt-get', ['update', '--error-on=any'], { env }),
    /** The bytes of a package as apt brought and checked it. */
    download: async (package_: string): Promise<Buffer> => {
      const into = join(home.path, 'downloads', package_);
      await mkdir(into, { recursive: true });
      await home.run('apt-get', ['download', package_], { env, cwd: into });
      const names = await readdir(into);
      assert.equal(names.length, 1, names.join());
      return readFile(join(into, names[0]!));
    },
    versions: async (package_: string): Promise<string> =>
      home.run('apt-cache', ['madison', package_], { env }),
  };
}

function needed(t: Parameters<typeof needs>[0]): boolean {
  return ['apt-get', 'apt-ftparchive', 'dpkg-deb', 'dpkg-scanpackages', 'gpg'].every(
    (program) => needs(t, program) !== undefined,
  );
}

const filesets = [
  { name: 'debian', ref: 'localhost/filesets/debian' },
  { name: 'open', ref: 'localhost/filesets/debian', anonymous: true },
];

/** An instance that serves packages packed from one folder, and the tools that fill that folder. */
async function openZone() {
  const { path: folder, ...temp } = await openTempFolder();
  const config = { files: { filesets, packRoots: [folder] } };
  const instance = await startInstance({ folder, config });
  return {
    folder,
    instance,
    maker: await openClientHome(folder, 'maker'),
    archive: join(folder, 'archive'),
    [Symbol.asyncDispose]: async () => {
      await instance[Symbol.asyncDispose]();
      await temp[Symbol.asyncDispose]();
    },
  };
}

test('apt uses an archive with dists and pool, with its credentials and not without', async (t) => {
  if (!needed(t)) return;
  await using zone = await openZone();
  const { folder, instance, maker, archive } = zone;
  const packages = join(archive, 'dists/stable/main/binary-amd64');
  await mkdir(packages, { recursive: true });
  // short, as the socket of the agent lies below it
  await using short = await openTempFolder('k-');
  const keys = short.path;
  await chmod(keys, 0o700);
  await using _agent = {
    [Symbol.asyncDispose]: async () => {
      await maker.try('gpgconf', ['--kill', 'all'], { env: { GNUPGHOME: keys } });
    },
  };
  const publish = async (version: string): Promise<void> => {
    const listed = await maker.run('apt-ftparchive', ['packages', 'pool'], { cwd: archive });
    await writeFile(join(packages, 'Packages'), `${listed}\n`);
    const options = ['Suite=stable', 'Codename=stable', 'Architectures=amd64', 'Components=main'];
    const flags = options.flatMap((one) => ['-o', `APT::FTPArchive::Release::${one}`]);
    const release = await maker.run('apt-ftparchive', [...flags, 'release', 'dists/stable'], {
      cwd: archive,
    });
    await writeFile(join(archive, 'dists/stable/Release'), `${release}\n`);
    await maker.run('gpg', ['--batch', '--yes', '--clearsign', '--output', 'InRelease', 'Release'], {
      cwd: join(archive, 'dists/stable'),
      env: { GNUPGHOME: keys },
    });
    await deliver(instance, archive, version);
  };
  const keyring = join(folder, 'zone.gpg');
  await maker.run('gpg', ['--batch', '--passphrase', '', '--quick-generate-key', 'zone@example.org'], {
    env: { GNUPGHOME: keys },
  });
  await maker.run('gpg', ['--batch', '--output', keyring, '--export'], { env: { GNUPGHOME: keys } });
  const pool = join(archive, 'pool/main');
  const plain = await buildDeb(maker, pool, 'hello', '1.0-1');
  const epoch = await buildDeb(maker, pool, 'epoch', '2:1.0+git~1-1');
  await publish('1.0.0');

  const { host } = instance;
  const token = await instance.createToken('viewer');
  const example = (path: string, changes: Readonly<Record<string, string>>) =>
    readExample('docs/filesets.md', path, { 'instance.example:8080': host, ...changes });
  const login = await example('/etc/apt/auth.conf.d/zone.conf', { 'svc_token-of-a-viewer': token });
  const source = async (name: string) =>
    example('/etc/apt/sources.list.d/zone.list', {
      '/usr/share/keyrings/zone.gpg': keyring,
      'files/debian': `files/${name}`,
    });

  await t.test('with a token of a viewer', async () => {
    const apt = await openApt(folder, 'reader', await source('debian'), login);
    const { exitCode, stderr, stdout } = await apt.update();
    assert.equal(exitCode, 0, stderr + stdout);
    assert.ok((await apt.download('hello')).equals(await readFile(plain)));
    // its name has an encoded colon, which apt encodes once more
    assert.ok((await apt.download('epoch')).equals(await readFile(epoch)));
    const again = await apt.update();
    assert.equal(again.exitCode, 0);
    assert.doesNotMatch(again.stdout, /^Get:.* Packages/m);
  });

  await t.test('anonymously where that is configured', async () => {
    const apt = await openApt(folder, 'anybody', await source('open'));
    const { exitCode, stderr } = await apt.update();
    assert.equal(exitCode, 0, stderr);
    assert.ok((await apt.download('epoch')).equals(await readFile(epoch)));
  });

  await t.test('a new version is seen by whoever had the old one', async () => {
    const apt = await openApt(folder, 'follower', await source('debian'), login);
    await apt.update();
    assert.match(await apt.versions('hello'), /1\.0-1/);
    const newer = await buildDeb(maker, pool, 'hello', '1.1-1');
    await publish('1.1.0');
    const { exitCode, stderr } = await apt.update();
    assert.equal(exitCode, 0, stderr);
    assert.match(await apt.versions('hello'), /1\.1-1/);
    assert.ok((await apt.download('hello')).equals(await readFile(newer)));
  });

  await t.test('without or with a wrong credential nothing is had', async () => {
    const wrong = `machine http://${host} login reader password svc_wrong\n`;
    for (const [name, netrc] of Object.entries({ stranger: undefined, mistaken: wrong })) {
      const apt = await openApt(folder, name, await source('debian'), netrc);
      const { exitCode, stdout } = await apt.update();
      assert.notEqual(exitCode, 0);
      assert.match(stdout, /401/);
      assert.equal(await apt.versions('hello'), '');
    }
  });
});

test('apt uses a flat repository', async (t) => {
  if (!needed(t)) return;
  await using zone = await openZone();
  const { folder, instance, maker, archive } = zone;
  const plain = await buildDeb(maker, archive, 'hello', '3:1.0');
  const listed = await maker.run('dpkg-scanpackages', ['--multiversion', '.'], { cwd: archive });
  await writeFile(join(archive, 'Packages'), `${listed}\n`);
  await deliver(instance, archive, '1.0.0');
  const source = `deb [trusted=yes] http://${instance.host}/files/open ./`;
  const apt = await openApt(folder, 'reader', source);
  const { exitCode, stderr } = await apt.update();
  assert.equal(exitCode, 0, stderr);
  assert.ok((await apt.download('hello')).equals(await readFile(plain)));
});

/** Packs a version of the archive into the running instance. */
async function deliver(instance: Instance, source: string, version: string): Promise<void> {
  const { status, body } = await instance.api('POST', '/filesets/pack', { source, name: 'debian', version });
  assert.equal(status, 201, JSON.stringify(body));
}
