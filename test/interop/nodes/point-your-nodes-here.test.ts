import assert from 'node:assert/strict';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { buildDeb, buildRpm, openKeyring } from '../../kit/content/packages.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs, needsPart } from '../../kit/program/peers.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { followPage } from '../../kit/web/follow-page.ts';

test('what “Point your nodes here” says to type leads every client here', async (t) => {
  const programs = [
    'ctr',
    'podman',
    'helm',
    'apt-get',
    'apt-ftparchive',
    'dpkg-deb',
    'dnf',
    'createrepo_c',
    'rpmbuild',
    'gpg',
  ];
  if (!programs.every((name) => needs(t, name) !== undefined)) return;
  if (!needsPart(t, 'dnf', ['download', '--help'])) return;
  await using world = await openRehearsal();
  const { root, blobs } = createSampleImage({ seed: 'web', platforms: ['linux/amd64'] });
  await using medium = await buildMedium({
    recipes: [
      {
        name: 'shop',
        version: '1.0.0',
        layout: 'classic',
        ingredients: [
          {
            name: 'web',
            kind: 'ContainerImage',
            ref: 'origin.example:5000/shop/web',
            tag: '1.0.0',
            artifact: { manifest: root, children: [], blobs },
          },
          {
            name: 'chart',
            kind: 'HelmChart',
            ref: 'charts.example/shop',
            tag: '1.2.3',
            artifact: buildHelmChart('shop', '1.2.3'),
          },
        ],
      },
    ],
  });
  const state = world.path('zone', 'state');
  const store = world.path('zone', 'store');
  const page = world.path('page');
  await mkdir(world.path('zone'));
  await mkdir(join(page, 'keys'), { recursive: true });
  await cp(medium.root, store, { recursive: true });
  const filesets = ['deb', 'rpm'].map((name) => ({ name, ref: `localhost/filesets/${name}` }));
  const views = [{ name: 'charts', kind: 'helm', repositories: ['charts.example/*'] }];
  const instance = await world.start('zone', {
    storage: { root: store },
    state: { root: state },
    files: { filesets, views, packRoots: [world.folder] },
  });
  const maker = await openClientHome(world.folder, 'maker');
  await using keyring = await openKeyring(maker);
  const key = await keyring.create('release');
  const env = { HOME: maker.path, ...keyring.env };
  for (const [name, kind, build] of [
    ['deb', 'apt', buildDeb],
    ['rpm', 'rpm', buildRpm],
  ] as const) {
    const tree = world.path(name);
    await mkdir(tree);
    await build(maker, tree, 'hello', '1.0');
    // made and signed where the packages come from, and packed by the instance
    const made = await runSvc(
      [
        'fileset',
        'pack',
        tree,
        `${name}:1.0.0`,
        '--index',
        kind,
        '--gpg-key',
        key,
        '--storage-root',
        world.path('source'),
      ],
      { env },
    );
    assert.equal(made.exitCode, 0, made.stderr);
    const packed = await instance.api('POST', '/filesets/pack', { source: tree, name, version: '1.0.0' });
    assert.equal(packed.status, 201, JSON.stringify(packed.body));
  }
  await keyring.exportTo(join(page, 'keys', 'svc-deb.gpg'), key);
  await keyring.exportTo(join(page, 'keys', 'svc-rpm.asc'), key, true);
  const token = await instance.createToken('viewer');
  await writeFile(join(page, 'token'), `${token}\n`);

  const said = new Map<string, string>();
  const run = await followPage('docs/point-your-nodes-here.md', {
    folder: page,
    env: { SVC_INSTANCE_URL: instance.url, HOME: world.path('home') },
    // the folders of a node lie below the page
    fit: (text) => text.replaceAll(/ \/etc(?=\/|$)/gm, ` ${page}/etc`),
    after: async (command, stdout) => void said.set(command, stdout),
  });
  assert.ok(run.length >= 15, run.join('\n'));
  for (const [command, stdout] of said)
    if (command.startsWith('svc client test')) assert.match(stdout, /^pulled/m, command);
  const hosts = await readFile(join(page, 'etc/containerd/certs.d/origin.example_5000_/hosts.toml'), 'utf8');
  assert.ok(hosts.includes(`server = "${instance.url}/v2/origin.example_5000"`), hosts);
  assert.match(
    await readFile(join(page, 'etc/containers/registries.conf.d/svc.conf'), 'utf8'),
    /prefix = "origin\.example:5000"/,
  );
  const login = join(page, 'etc/apt/auth.conf.d/svc.conf');
  assert.equal((await stat(login)).mode & 0o777, 0o600);
  assert.ok((await readFile(login, 'utf8')).includes(`password ${token}`), 'the secret is kept');
});
