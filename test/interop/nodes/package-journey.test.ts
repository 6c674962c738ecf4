import assert from 'node:assert/strict';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { buildDeb, buildRpm, openKeyring } from '../../kit/content/packages.ts';
import { eventually } from '../../kit/instance/eventually.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { openNames } from '../../kit/program/open-names.ts';
import { needs } from '../../kit/program/peers.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { followPage, takeFreePort } from '../../kit/web/follow-page.ts';

const programs = [
  ...['apt-get', 'apt-ftparchive', 'dpkg', 'dpkg-deb', 'dnf', 'createrepo_c', 'rpmbuild', 'gpg'],
];

/** Whether this machine can install packages: dpkg and rpm do so as root only. */
function canInstall(t: TestContext): boolean {
  if (!programs.every((program) => needs(t, program) !== undefined)) return false;
  if (process.getuid?.() === 0) return true;
  t.skip('dpkg and rpm install as root only');
  return false;
}

/** A node of apt and a node of dnf, each in a folder: nothing of this machine is read or written. */
async function makeNodes(folder: string): Promise<Readonly<Record<string, string>>> {
  const [debian, fedora] = [join(folder, 'debian'), join(folder, 'fedora')];
  const ofDebian = [
    ...['etc/apt', 'usr/share/keyrings', 'var/lib/apt/lists/partial', 'var/cache/apt/archives/partial'],
    ...['var/log/apt', 'var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/dpkg/triggers'],
  ];
  for (const path of ofDebian) await mkdir(join(debian, path), { recursive: true });
  for (const path of ['etc/yum.repos.d', 'etc/pki/rpm-gpg'])
    await mkdir(join(fedora, path), { recursive: true });
  await writeFile(join(debian, 'var/lib/dpkg/status'), '');
  const settings = [
    `Dir "${debian}"; Dir::State::status "${debian}/var/lib/dpkg/status"; Dir::Etc::Parts "-"; Dir::Etc::Main "-";`,
    `DPkg::Options { "--root=${debian}"; "--force-bad-path"; };`,
    'APT::Architecture "amd64"; APT::Architectures "amd64"; APT::Sandbox::User ""; Acquire::Languages "none";',
    'Acquire::http::Proxy "DIRECT"; Acquire::Retries "0";',
  ];
  await writeFile(join(folder, 'apt.conf'), `${settings.join('\n')}\n`);
  const main = [
    ...[`installroot=${fedora}`, `reposdir=${fedora}/etc/yum.repos.d`, `cachedir=${fedora}/var/cache/dnf`],
    ...[`logdir=${fedora}/var/log`, `persistdir=${fedora}/var/lib/dnf`, 'retries=1', 'plugins=0'],
  ];
  await writeFile(join(folder, 'dnf.conf'), `[main]\n${main.join('\n')}\n`);
  await mkdir(join(folder, 'bin'), { recursive: true });
  const dnf = `#!/bin/sh\nexec /usr/bin/dnf --config '${folder}/dnf.conf' --releasever 12 "$@"\n`;
  await writeFile(join(folder, 'bin', 'dnf'), dnf);
  await chmod(join(folder, 'bin', 'dnf'), 0o755);
  return { APT_CONFIG: join(folder, 'apt.conf') };
}

test('a folder of packages is installed by apt-get and by dnf in the zone, as the page says to type', async (t) => {
  if (!canInstall(t)) return;
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  const zone = await world.start('zone');
  await using names = await openNames({ 'registry.example': origin, 'registry.zone-b.example': zone });
  const maker = await openClientHome(world.folder, 'maker');
  await using keyring = await openKeyring(maker);
  const fingerprint = await keyring.create('packages');
  await buildDeb(maker, world.path('debs'), 'hello', '1.0');
  await mkdir(world.path('rpms'));
  // as rpmbuild makes it, without a signature of its own
  const makeRpm = (version: string) => buildRpm(maker, world.path('rpms'), 'hello', version);
  await makeRpm('1.0');
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  const hosts = ['registry.example', 'registry.zone-b.example'];
  const auths = Object.fromEntries(hosts.map((host) => [host, { auth }]));
  await writeFile(world.path('docker.json'), JSON.stringify({ auths }), { mode: 0o600 });
  await writeFile(world.path('password-file'), 'a good password\n', { mode: 0o600 });
  const key = await world.svc(['key', 'new', 'release', '--key-password-file', 'password-file'], {
    cwd: world.folder,
  });
  assert.equal(key.exitCode, 0, key.stderr);
  const [debian, fedora] = [world.path('debian'), world.path('fedora')];
  const said = new Map<string, string>();
  const source = `127.0.0.1:${await takeFreePort()}`;
  let zoneUrl = '';
  const installed = async () =>
    Promise.all(
      [debian, fedora].map(async (node) =>
        (await readFile(join(node, 'usr/share/hello/version'), 'utf8')).trim(),
      ),
    );
  const headers = { authorization: `Basic ${Buffer.from('admin:a good password').toString('base64')}` };
  // a carried medium is served once it was verified
  const untilServed = (paths: readonly string[]) =>
    eventually(
      'the packages are served',
      async () => {
        const found = paths.map((path) => fetch(`${zoneUrl}/files/${path}`, { headers }));
        return (await Promise.all(found)).every(({ status }) => status === 200);
      },
      90,
    );

  const run = await followPage('docs/deliver-packages.md', {
    elsewhere: true,
    folder: world.folder,
    env: {
      ...keyring.env,
      ...(await makeNodes(world.folder)),
      SVC_SERVER_ADDR: `127.0.0.1:${await takeFreePort()}`,
      SVC_NETWORK_PROXY_URL: names.url,
      SVC_REGISTRIES_INSECURE: hosts.join(','),
      HOME: world.folder,
    },
    fit: (text) =>
      text
        .replaceAll('FINGERPRINT', fingerprint)
        // the source is another machine
        .replace(
          /^svc (?=sync |quickstart --for source )/,
          `env -u SVC_INSTANCE_URL SVC_SERVER_ADDR=${source} svc `,
        )
        .replaceAll(/ (\/etc\/apt|\/usr\/share\/keyrings)/g, ` ${debian}$1`)
        .replaceAll(/ (\/etc\/yum\.repos\.d|\/etc\/pki)/g, ` ${fedora}$1`),
    after: async (command, stdout) => {
      const times = [...said.keys()].filter((line) => line.startsWith(command)).length;
      said.set(times === 0 ? command : `${command} #${times + 1}`, stdout);
      if (command.startsWith('dnf install')) {
        assert.deepEqual(await installed(), ['1.0', '1.0']);
        await buildDeb(maker, world.path('debs'), 'hello', '1.1');
        await makeRpm('1.1');
      }
      // the instance, which runs on, verifies the medium as the import does
      if (command.startsWith('svc media import') && times > 0)
        await untilServed(['debs/hello_1.1_all.deb', 'rpms/noarch/hello-1.1-1.noarch.rpm']);
      // files of a node name places of the node, which is a folder here
      if (!command.startsWith('sed ')) return;
      for (const [file, place, own] of [
        [join(debian, 'etc/apt/sources.list.d/svc-debs.sources'), '/usr/share', `${debian}/usr/share`],
        [join(fedora, 'etc/yum.repos.d/svc.repo'), 'file:///etc', `file://${fedora}/etc`],
      ] as const) {
        const text = await readFile(file, 'utf8');
        assert.ok(text.includes(place), text);
        await writeFile(file, text.replaceAll(place, own));
      }
    },
    onServing: async (url) => {
      if (url.endsWith(source)) return;
      zoneUrl = url;
      await untilServed(['debs/InRelease', 'rpms/repodata/repomd.xml']);
    },
  });

  assert.equal(run.length, 37, run.join('\n'));
  const recipe = parseRecipe(await readFile(world.path('packages-1.0.0.yaml')), 'packages');
  const packed = run
    .filter((line) => line.startsWith('svc fileset pack') && line.includes(':1.0.0'))
    .map((line) => said.get(line)!.trim());
  assert.deepEqual(
    recipe.ingredients.map(({ kind, digest }) => [kind, digest]),
    packed.map((digest) => ['FileSet', digest]),
  );
  const imported = [...said].find(([line]) => line.startsWith('svc media import'))![1];
  assert.doesNotMatch(imported, /stays on the medium/);
  for (const [name, digest] of [
    ['debs', packed[0]],
    ['rpms', packed[1]],
  ]) {
    const arrived = await fetch(`${zone.url}/v2/registry.example/filesets/${name}/manifests/1.0.0`, {
      headers: { authorization: zone.authorization },
    });
    assert.equal(arrived.headers.get('docker-content-digest'), digest, name);
  }
  await access(join(debian, 'var/lib/dpkg/info/hello.list'));
  assert.deepEqual(await installed(), ['1.1', '1.1']);
  assert.match(said.get('dnf install --assumeyes hello')!, /Installed:\s+hello-1\.0-1\.noarch/);
});
