import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { judgePlaces, type WrittenPlaces } from '../../commands/client/judge-places.ts';
import { writeConfig } from '../../commands/client-config/write-config.ts';
import { listLedPlaces } from '../../src/client/led-places.ts';
import { type ClientFacts, type ClientKind, clientKinds } from '../../src/client/model.ts';
import { toRegistryBase } from '../../src/client/node-mirrors.ts';
import { renderClientConfig } from '../../src/client/render-client-config.ts';
import { requireClientConfig } from '../../src/client/require-config.ts';
import type { ClientConfig } from '../../src/contract/recipe.ts';
import { isSvcError, toExitCode } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { startTestServer } from '../kit/instance/server.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { findEnglish, runInLanguage } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { buildMedium } from '../kit/scene/medium.ts';
import { openRehearsal } from '../kit/scene/rehearsal.ts';
import { answer, startPeer } from '../kit/scene/scripted-instance.ts';

const allFacts: ClientFacts = {
  zone: 'zone-b',
  revision: '0123456789ab',
  registry: { scheme: 'https', host: '[fd00::1]:5443' },
  instance: { scheme: 'http', host: 'svc.example:8080' },
  redirections: [
    { host: 'origin.example:5000', prefix: 'origin.example_5000' },
    { host: 'docker.io', prefix: 'base/docker.io' },
  ],
  references: [
    {
      kind: 'ContainerImage',
      nominal: 'docker.io/library/nginx:1.27.3',
      relocated: 'svc.example/base/docker.io/library/nginx:1.27.3',
      digest: `sha256:${'0'.repeat(64)}`,
    },
    { kind: 'ContainerImage', nominal: 'docker.io/library/long:1', digest: `sha256:${'0'.repeat(64)}` },
    {
      kind: 'HelmChart',
      nominal: 'charts.example/shop:1.0.0_7',
      relocated: 'svc.example/charts.example/shop:1.0.0_7',
      digest: `sha256:${'0'.repeat(64)}`,
    },
  ],
  views: [
    { name: 'charts', anonymous: false },
    { name: 'open', anonymous: true },
  ],
  filesets: [
    {
      name: 'deb',
      anonymous: false,
      indexes: [
        ...[
          'a/Packages',
          'b/Packages',
          'b/Release.gpg',
          'dists/bookworm/InRelease',
          'dists/trixie/InRelease',
        ],
        ...['dists/bookworm/updates/InRelease', 'dists/bookworm/main/binary-amd64/Packages.xz'],
        ...['c/dists/trixie/Release', 'c/dists/trixie/updates/main/binary-amd64/Packages'],
      ],
      unsigned: [],
    },
    { name: 'open', anonymous: true, indexes: ['Packages'], unsigned: [] },
    { name: 'rpm', anonymous: true, indexes: ['a/repodata/repomd.xml'], unsigned: [] },
    {
      name: 'rpms',
      anonymous: false,
      indexes: ['repodata/repomd.xml', 'repodata/repomd.xml.asc'],
      unsigned: ['repodata/repomd.xml'],
    },
  ],
};

/** Judges a configuration as the answer of the instance that its facts name. */
const accept = (client: ClientKind, config: ClientConfig): ClientConfig =>
  requireClientConfig(JSON.parse(JSON.stringify(config)), client, { from: 'x', places: [allFacts.instance] });

test('a store and the instance that serves it give the same files, each time', async () => {
  await using world = await openRehearsal({ inProcess: true });
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
  assert.equal(printed.stderr, '');
  for (const command of [
    ['client', 'config', 'k3s'],
    ['recipe', 'mapping', 'shop'],
  ]) {
    const unnamed = await runInLanguage([...command, ...asked], 'en', env);
    assert.ok(
      unnamed.stderr.startsWith(
        `svc: warning: nodes are led to ${new URL(instance.url).host}, which on each`,
      ),
      unnamed.stderr,
    );
  }
  const { mirrors } = parse(printed.stdout);
  assert.deepEqual(mirrors['origin.example:5000'].endpoint, ['https://zone.example:5443']);
  for (const client of ['k3s', 'rke2']) {
    const node = world.path(client);
    assert.equal((await from(asked, client, ...registry, '--directory', node)).exitCode, 0);
    const read = async (path: string) => parse(await readFile(join(node, path), 'utf8'));
    assert.deepEqual(await read('registries.yaml'), { mirrors });
    // without it the node asks the origin after the endpoints of the mirror
    assert.deepEqual(await read('config.yaml.d/svc.yaml'), { 'disable-default-registry-endpoint': true });
  }
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
  const body = (text: string): string => text.slice(text.indexOf('\n'));
  assert.equal(body(one.stdout), body(files[0]!.content), 'one file is printed as it is');
  const other = await from(asked, 'pacman');
  assert.equal(other.exitCode, 2);
  assert.match(other.stderr, /containerd, k3s/);
  const text = await fetch(
    `${instance.url}/api/v1/clients/k3s?format=text&registry=https://zone.example:5443`,
    {
      headers: { authorization: `Bearer ${env.SVC_API_TOKEN}` },
    },
  );
  assert.equal(await text.text(), printed.stdout);
  for (const client of ['rke2', 'crio', 'podman', 'docker', 'openshift', 'helm']) {
    const made = await from(local, client, ...registry);
    assert.deepEqual([made.exitCode, made.stderr], [0, ''], made.stderr);
    // of several files each has its path in front
    assert.match(
      made.stdout,
      new RegExp(`^(# /etc/.*\\n)?# Made by svc client config ${client}: revision [0-9a-f]{12}\\.`),
    );
    assert.match(made.stdout, /zone\.example:5443/);
    assert.equal((await from(asked, client, ...registry)).stdout, made.stdout, client);
  }
  const packages = await from(local, 'apt', ...registry);
  assert.equal(packages.exitCode, 2);
  assert.match(packages.stderr, /give --instance/);
  const none = await from(asked, 'dnf', ...registry);
  assert.deepEqual([none.exitCode, none.stdout], [0, '']);
  assert.match(none.stderr, /nothing to configure/);
  // the content goes to another registry: the files are made, with a warning
  const promoted = { SVC_DESTINATION_REGISTRY: 'registry.zone-b.example' };
  const look = (host: string) =>
    runInLanguage(['client', 'config', 'containerd', ...local, '--registry', host], 'en', promoted);
  const strange = await look('other.example');
  assert.equal(strange.exitCode, 0, strange.stderr);
  assert.match(strange.stdout, /other\.example/);
  assert.match(
    strange.stderr,
    /warning: --registry names other\.example, where nothing of this store is known to be/,
  );
  assert.equal((await look('registry.zone-b.example')).stderr, '');
});

test('an address that nodes may not reach is warned of, unless the operator named it', () => {
  const say = (written: WrittenPlaces): readonly string[] => {
    const { warnings, notes } = judgePlaces(written);
    return [...warnings.map(([text]) => `warning: ${text}`), ...notes.map(([text]) => text)];
  };
  for (const registry of ['127.0.0.1:8080', 'localhost', '[::1]:8080']) {
    for (const asked of [undefined, 'http://127.0.0.1:8080', 'https://svc.example']) {
      const [said, ...rest] = say({ registry: [registry], asked });
      assert.ok(said?.startsWith(`warning: nodes are led to ${registry}, `) && /--registry/.test(said), said);
      assert.deepEqual(rest, []);
    }
  }
  assert.deepEqual(say({ registry: ['127.0.0.1:8080'], named: 'http://127.0.0.1:8080' }), []);
  const [differs] = say({ registry: ['10.0.0.5:8080'], asked: 'https://svc.example/' });
  assert.match(differs!, /^nodes are led to 10\.0\.0\.5:8080, while svc\.example was asked; .*--registry/);
  assert.deepEqual(say({ registry: ['svc.example'], asked: 'https://svc.example:443' }), []);
  assert.deepEqual(
    say({ registry: ['zone.example'], asked: 'https://svc.example', named: 'zone.example' }),
    [],
  );
  const [fileset] = say({ registry: [], instance: ['127.0.0.1:8080'], named: 'zone.example' });
  assert.match(fileset!, /^warning: .*server\.publicURL/);
  assert.doesNotMatch(fileset!, /--registry/);
  const led = (client: ClientKind) => listLedPlaces(renderClientConfig(client, allFacts));
  assert.deepEqual(led('containerd'), { registry: ['[fd00::1]:5443'], instance: [] });
  assert.deepEqual(led('docker'), { registry: ['svc.example'], instance: [] });
  assert.deepEqual(led('helm'), { registry: ['svc.example'], instance: ['svc.example:8080'] });
  assert.deepEqual(led('apt'), { registry: [], instance: ['svc.example:8080'] });
});

test('a registry that is no host is refused before anything is opened or asked', async () => {
  for (const command of [
    ['client', 'config', 'containerd'],
    ['client', 'config', 'helm', '--instance', 'http://127.0.0.1:1'],
    ['client', 'test', 'containerd', '--instance', 'http://127.0.0.1:1'],
    ['recipe', 'mapping', 'shop'],
  ])
    for (const host of [
      'a b',
      'ftp://x y',
      'reg_x',
      'x.example/path',
      'https://x.example/',
      'x:0',
      'x:65536',
      '..',
    ]) {
      const { exitCode, stdout, stderr } = await runInLanguage([...command, '--registry', host], 'en');
      assert.deepEqual([exitCode, stdout], [2, ''], host + stderr);
      assert.ok(stderr.startsWith(`svc: '${host}' is not [http://|https://]<host>[:<port>]`), stderr);
    }
});

test('a store without recipes gives no file, and says so; a carried medium is verified first', async () => {
  await using world = await openRehearsal({ inProcess: true });
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
    assert.match(
      blocked.stderr,
      /SVC-MED-032.*svc media verify prints it with the configuration of the zone/s,
    );
  }
  const config = await world.configure('zone', {
    zone: 'zone-b',
    storage: { root: medium.root },
    destination: { registry: 'zone.example' },
  });
  const person = await runInLanguage(['client', 'config', 'containerd', '--config', config], 'en', {}, true);
  assert.ok(
    person.stderr.endsWith(`svc: see why with:\n  svc media verify --config ${config}\n`),
    person.stderr,
  );
});

test('a FileSet that is configured and cannot be served is named with the reason; an open token file too', async () => {
  await using folder = await openTempFolder();
  const filesets = [{ name: 'deb', ref: 'localhost/filesets/deb', anonymous: false }];
  await using server = await startTestServer({ folder: folder.path, filesets });
  const token = join(folder.path, 'token');
  await writeFile(token, server.as.viewer.replace('Bearer ', ''), { mode: 0o644 });
  const run = (language: 'en' | 'fr', client: string) =>
    runInLanguage(['client', 'config', client, '--instance', server.url, '--token-file', token], language);
  const apt = await run('en', 'apt');
  assert.deepEqual([apt.exitCode, apt.stdout], [1, ''], apt.stderr);
  assert.match(
    apt.stderr,
    /warning: the instance does not serve \/files\/deb\/: SVC-REG-00\d: .*localhost\/filesets\/deb/,
  );
  assert.doesNotMatch(apt.stderr, /serves nothing/);
  assert.match(apt.stderr, /other users can read or change the token file .*chmod 600/);
  const french = await run('fr', 'dnf');
  assert.match(french.stderr, /ne sert pas \/files\/deb\//);
  assert.equal(findEnglish(french.stderr), undefined);
  await chmod(token, 0o600);
  const helm = await run('en', 'helm');
  assert.equal(helm.exitCode, 0);
  assert.match(helm.stderr, /^svc: the instance serves nothing for helm yet/);
});

test('files of others are kept, and no path leaves the folder', async () => {
  await using folder = await openTempFolder();
  const directory = join(folder.path, 'certs.d');
  const config = (path: string): Pick<ClientConfig, 'files'> => ({
    files: [
      { path: 'first/hosts.toml', content: '# Made by svc client config containerd. first\n' },
      { path, content: '# Made by svc client config containerd. second\n' },
    ],
  });
  const refusedAs = (code: 'SVC-FIL-005' | 'SVC-FIL-006' | 'SVC-FIL-007') => (error: unknown) =>
    isSvcError(error, code);
  for (const path of ['../outside', '/etc/passwd', 'a/../../outside']) {
    await assert.rejects(writeConfig(config(path), { directory, overwrite: true }), refusedAs('SVC-FIL-007'));
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
  const links = [
    ['link', 'link/hosts.toml'],
    ['inside', 'inside/hosts.toml'],
    ['linked.toml', 'linked.toml'],
  ] as const;
  await symlink(join(directory, 'own'), join(directory, 'inside'));
  await symlink(join(directory, 'own', 'hosts.toml'), join(directory, 'linked.toml'));
  const before = await readFile(join(directory, 'own', 'hosts.toml'), 'utf8');
  for (const [, path] of links) {
    await rm(join(directory, 'first'), { recursive: true, force: true });
    await assert.rejects(writeConfig(config(path), { directory, overwrite: true }), refusedAs('SVC-FIL-007'));
    await assert.rejects(readFile(join(directory, 'first', 'hosts.toml')), 'nothing is written');
  }
  assert.equal(await readFile(join(directory, 'own', 'hosts.toml'), 'utf8'), before);
});

test('an answer that is no configuration is neither printed nor written', async () => {
  await using folder = await openTempFolder();
  const sound = renderClientConfig('containerd', {
    ...allFacts,
    redirections: [{ host: 'a.example:5000', prefix: 'a.example_5000' }],
  });
  const file = (more: object) => ({ ...sound, files: [...sound.files, { ...sound.files[0]!, ...more }] });
  let answered: object = sound;
  await using peer = await startPeer((_, res) => answer(res, 200, answered));
  const run = (...args: string[]) =>
    runInLanguage(['client', 'config', 'containerd', '--instance', peer.url, ...args], 'en');
  const directory = join(folder.path, 'etc');
  assert.equal((await run('--directory', directory)).exitCode, 0);
  await rm(directory, { recursive: true });
  const content = sound.files[0]!.content;
  const hostile: Readonly<Record<string, object>> = {
    'an escape': file({ path: 'b', content: `${content}\u001b]0;x\u0007` }),
    'a mark of direction': file({ path: 'b', content: `${content}\u202e` }),
    'half a character': file({ path: 'b', content: `${content}\ud800` }),
    'an escape in a path': file({ path: 'b\u001b[2J' }),
    'an escape in the folder': { ...sound, directory: '/etc/\u001b[2J' },
    'a line break in the revision': { ...sound, revision: '0\nserver = "x"' },
    'a path upwards': file({ path: '../b' }),
    'an absolute path': file({ path: '/b' }),
    'a hidden path': file({ path: '.b' }),
    'a path twice': file({}),
    'a file as a folder': file({ path: 'a.example_5000_/hosts.toml/b' }),
    'no text': file({ path: 'b', content: 7 }),
    'a file of another kind': file({ path: 'b', content: 'server = "x"' }),
    'a mode': file({ path: 'b', mode: '0777' }),
    'another client': { ...sound, client: 'k3s' },
    'no list': { ...sound, files: {} },
    'too many files': {
      ...sound,
      files: Array.from({ length: 4097 }, (_, i) => ({ path: `f${i}`, content })),
    },
    'too much text': file({ path: 'b', content: content + 'x'.repeat(33_554_432) }),
  };
  for (const [name, document] of Object.entries(hostile)) {
    answered = document;
    const written = await run('--directory', directory);
    assert.deepEqual([written.exitCode, written.stdout], [1, ''], name);
    assert.match(written.stderr, /SVC-VAL-00[12]/, name);
    assert.doesNotMatch(written.stderr, /[\u001b\u202e]/, name);
    assert.deepEqual(await readdir(folder.path), [], name);
  }
  answered = hostile['an escape']!;
  assert.equal((await run()).stdout, '');
});

test('an IPv6 literal that clients refuse is warned of, and noted in their files', async () => {
  const { registry } = allFacts;
  const run = async (client: ClientKind, facts: ClientFacts, language: 'en' | 'fr' = 'en') => {
    const config = renderClientConfig(client, facts);
    await using peer = await startPeer((_req, res) => answer(res, 200, config));
    const result = await runInLanguage(
      ['client', 'config', client, '--instance', peer.url, '--registry', `https://${facts.registry.host}`],
      language,
    );
    assert.equal(result.exitCode, 0, result.stderr);
    return result;
  };
  const warning = /svc: warning: podman 4\.3 .* refuse the IPv6 literal \[fd00::1\]:5443 .*--registry/;
  for (const client of ['podman', 'openshift'] as const) {
    const { stdout, stderr } = await run(client, allFacts);
    assert.match(stderr, warning);
    assert.match(stdout, /^# Podman 4\.3 .* refuse an IPv6 literal/m);
  }
  assert.match((await run('crio', allFacts, 'fr')).stderr, /adresse IPv6 littérale \[fd00::1\]:5443/);
  assert.doesNotMatch((await run('containerd', allFacts)).stderr, /IPv6/);
  const named = await run('podman', { ...allFacts, registry: { ...registry, host: 'zone.example' } });
  assert.doesNotMatch(named.stdout + named.stderr, /IPv6/);
});

test('what an instance makes for each client is accepted as it is', () => {
  for (const registry of [allFacts.registry, { scheme: 'http', host: 'zone.example' }] as const)
    for (const client of clientKinds) {
      const made = renderClientConfig(client, { ...allFacts, registry });
      assert.ok(made.files.length > 0, client);
      assert.deepEqual(accept(client, made), made);
      const none = { ...allFacts, redirections: [], references: [], views: [], filesets: [] };
      assert.deepEqual(accept(client, renderClientConfig(client, none)).files, []);
    }
});

test('an instance chooses values alone: no other file, line or order of lines is accepted', () => {
  const refused = (error: unknown) => isSvcError(error, 'SVC-VAL-001');
  for (const client of clientKinds) {
    const made = renderClientConfig(client, allFacts);
    const [heading = ''] = made.files[0]!.content.split('\n', 1);
    const change = (at: number, file: object) => ({
      ...made,
      files: made.files.with(at, { ...made.files[at]!, ...file }),
    });
    for (const path of [
      'apt.conf.d/99x',
      'apt.conf',
      'cron.d/x',
      '~/x',
      'x.repo',
      'trusted.gpg.d/x.asc',
      'svc\0.conf',
      '..\\x',
    ]) {
      const content = `${heading}\nAPT::Update::Pre-Invoke {"id";};\n`;
      assert.throws(
        () => accept(client, { ...made, files: [...made.files, { path, content }] }),
        refused,
        path,
      );
      assert.throws(() => accept(client, change(0, { path })), refused, path);
    }
    for (const [at, { content, mode }] of made.files.entries()) {
      const lines = content.split('\n');
      for (const line of [
        'exec = "id"',
        'Trusted: yes',
        'gpgcheck=0',
        'include=http://x.example/y',
        '    - "x"',
        'curl x | sh',
        '# x',
        '',
      ])
        for (let before = 0; before <= lines.length; before += 1)
          assert.throws(
            () => accept(client, change(at, { content: lines.toSpliced(before, 0, line).join('\n') })),
            refused,
            `${client}: ${line} as line ${before}`,
          );
      assert.throws(
        () => accept(client, change(at, { mode: mode === undefined ? '0600' : undefined })),
        refused,
      );
      // no line can be left out but one that the rest does not call for
      for (const gone of [
        /^gpgcheck=1\n/m,
        /^ {8}- .*\n/m,
        /^ *override_path.*\n/m,
        /^set -eu\n/m,
        /^Types: deb\n/m,
        /^generated:.*\n/m,
      ])
        if (gone.test(content))
          assert.throws(
            () => accept(client, change(at, { content: content.replace(gone, '') })),
            refused,
            `${gone}`,
          );
    }
  }
});

test('helm, apt and dnf are led to the addresses that the operator gave, and nowhere else', () => {
  for (const client of ['helm', 'apt', 'dnf'] as const)
    for (const [host, scheme, asked, isNamed] of [
      ['svc.example', 'https', 'https://svc.example', true],
      ['svc.example', 'http', 'https://svc.example', false],
      ['svc.example:8443', 'https', 'https://svc.example', false],
      ['other.example', 'https', 'https://svc.example', false],
      ['127.0.0.1:80', 'http', 'http://localhost', true],
      ['127.0.0.2:80', 'http', 'http://127.0.0.1', false],
      ['127.0.0.1:8080', 'http', 'http://127.0.0.1', false],
    ] as const) {
      const made = renderClientConfig(client, { ...allFacts, instance: { scheme, host } });
      const run = (places: readonly string[]) => () =>
        requireClientConfig(made, client, { from: 'x', places: places.map(toRegistryBase) });
      if (isNamed) run([asked])();
      else assert.throws(run([asked]), (error) => isSvcError(error, 'SVC-VAL-001'), `${host} ${asked}`);
      run([asked, `${scheme}://${host}`])();
    }
  const apt = renderClientConfig('apt', allFacts);
  for (const scheme of ['file', 'ssh', 'cdrom', 'mirror+http']) {
    const files = apt.files.map((file) => ({
      ...file,
      content: file.content.replaceAll('http:', `${scheme}:`),
    }));
    assert.throws(
      () => accept('apt', { ...apt, files }),
      (error) => isSvcError(error, 'SVC-VAL-001'),
    );
  }
});

test('what stands in the place of a folder is refused with a code, and a folder that is a link too', async () => {
  await using folder = await openTempFolder();
  const at = (name: string): string => join(folder.path, name);
  const content = '# Made by svc client config containerd: x\n';
  const write = (directory: string, path: string) =>
    writeConfig({ files: [{ path, content }] }, { directory, overwrite: true });
  await mkdir(at('real'));
  await symlink(at('real'), at('link'));
  await writeFile(at('file'), '');
  await writeFile(at('real/file'), '');
  for (const [directory, path, code, exitCode] of [
    ['link', 'a', 'SVC-FIL-007', 3],
    ['file', 'a', 'SVC-FIL-006', 1],
    ['real', 'file/a', 'SVC-FIL-006', 1],
  ] as const)
    await assert.rejects(write(at(directory), path), (error) => {
      assert.ok(isSvcError(error, code), `${directory} ${path}: ${error}`);
      assert.equal(toExitCode(error), exitCode);
      // no flag of the command has it replace a file by a folder
      assert.doesNotMatch(renderError(error, 'en').action, /--overwrite/);
      return true;
    });
  await assert.rejects(write('/proc/svc', 'a'), (error) => isSvcError(error, 'SVC-STO-002'));
  assert.deepEqual(await readdir(at('real')), ['file']);
});

test('a file with places for secrets is for its owner, and the secrets put there are kept', async () => {
  await using folder = await openTempFolder();
  const facts = {
    revision: '000000000000',
    registry: { scheme: 'https', host: 'zone.example' },
    instance: { scheme: 'https', host: 'svc.example' },
    redirections: [],
    references: [],
    views: [
      { name: 'charts', anonymous: false },
      { name: 'open', anonymous: true },
    ],
    filesets: [
      {
        name: 'rpm',
        anonymous: false,
        indexes: ['a/repodata/repomd.xml', 'b/repodata/repomd.xml'],
        unsigned: [],
      },
      { name: 'deb', anonymous: false, indexes: ['Packages', 'Release.gpg'], unsigned: [] },
    ],
  } as const;
  for (const client of ['apt', 'dnf', 'helm'] as const) {
    const directory = join(folder.path, client);
    const own = { directory, overwrite: false };
    const config = renderClientConfig(client, facts);
    const secret = config.files.find(({ mode }) => mode === '0600')!;
    const isOpen = async (made: typeof config): Promise<boolean> =>
      (await writeConfig(made, own)).some(({ needsSecret }) => needsSecret);
    assert.equal(await isOpen(config), true);
    const path = join(directory, secret.path);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(secret.content, /TOKEN/);
    const places = secret.content.split('TOKEN').length - 1;
    const filled = secret.content.replaceAll('TOKEN', (_, at: number) => `svc_secret${at}`);
    await writeFile(path, filled);
    await chmod(path, 0o644);
    const [written] = (await writeConfig(config, own)).filter((each) => each.path === path);
    assert.equal(written?.isNew, true, 'its permissions were wrong');
    assert.equal(await readFile(path, 'utf8'), filled, `${places} secrets`);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const later = renderClientConfig(client, { ...facts, revision: '111111111111' });
    assert.equal(await isOpen(later), false, 'every place has its secret');
    assert.equal(await readFile(path, 'utf8'), filled.replace('000000000000', '111111111111'));
    assert.ok((await writeConfig(later, own)).every(({ isNew }) => !isNew));
  }
});
