import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openGate } from '../../../commands/client-test/gate.ts';
import type { Sandbox } from '../../../commands/client-test/model.ts';
import { testContainerd, testPodman } from '../../../commands/client-test/test-images.ts';
import { answerExamples } from '../../../server/api/openapi/answer-examples.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import type { ClientFacts, ClientKind } from '../../../src/client/model.ts';
import { toRegistriesYaml, toRegistryBase } from '../../../src/client/node-mirrors.ts';
import { renderClientConfig } from '../../../src/client/render-client-config.ts';
import type { RecipeMapping } from '../../../src/contract/recipe.ts';
import { runOutside } from '../../../src/program/run-outside.ts';
import type { Artifact } from '../../kit/content/content.ts';
import { buildHelmChart, packSimpleChart } from '../../kit/content/helm-chart.ts';
import { buildDeb, buildRpm, openKeyring } from '../../kit/content/packages.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs, needsPart, onPath } from '../../kit/program/peers.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { testInstalled } from '../../kit/program/test-installed.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';
import { answer, startPeer } from '../../kit/scene/scripted-instance.ts';

function toArtifact(seed: string): Artifact {
  const { root, blobs } = createSampleImage({ seed, platforms: ['linux/amd64'] });
  return { manifest: root, children: [], blobs };
}

/** An instance that serves TLS with a certificate of an authority of its own. */
async function toTlsConfig(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const at = (name: string) => join(folder, name);
  await writeFile(at('cert.pem'), tlsPair.cert);
  await writeFile(at('key.pem'), tlsPair.key, { mode: 0o600 });
  return { addr: '127.0.0.1:0', tls: { certFile: at('cert.pem'), keyFile: at('key.pem') } };
}

/** The environment in which the authority of that certificate is trusted. */
const trusting = { SVC_NETWORK_TLS_CA_FILES: tlsPair.caFile };

/** A token of a viewer, made beside the instance. */
async function createToken(configPath: string): Promise<string> {
  const args = ['token', 'create', 'nodes', '--role', 'viewer', '--output', 'json', '--config', configPath];
  const { stdout, stderr } = await runCommand(args);
  assert.match(stdout, /secret/, stderr);
  return JSON.parse(stdout).secret;
}

const image = (name: string) =>
  ({
    name,
    kind: 'ContainerImage',
    ref: `origin.example:5000/shop/${name}`,
    tag: '1.0.0',
    artifact: toArtifact(name),
  }) as const;
const chart = {
  name: 'chart',
  kind: 'HelmChart',
  ref: 'charts.example/shop',
  tag: '1.2.3',
  artifact: buildHelmChart('shop', '1.2.3'),
} as const;
const ingredients = [image('web'), image('api'), chart];

/** The delivery, whose folder each zone copies. */
let delivery: Promise<BuiltMedium> | undefined;

function openDelivery(): Promise<BuiltMedium> {
  delivery ??= buildMedium({ recipes: [{ name: 'shop', version: '1.0.0', layout: 'classic', ingredients }] });
  return delivery;
}

/** An instance with the delivered recipe, and the command that tests a client against it. */
async function openZone(config: Readonly<Record<string, unknown>> = {}, hasTls = false) {
  const world = await openRehearsal();
  const store = world.path('zone', 'store');
  await mkdir(world.path('zone'));
  await cp((await openDelivery()).root, store, { recursive: true });
  const server = hasTls ? { server: await toTlsConfig(world.folder) } : {};
  const instance = await world.start('zone', { storage: { root: store }, ...server, ...config });
  const token = await createToken(instance.configPath);
  return {
    world,
    instance,
    token,
    run: (...args: (string | Readonly<Record<string, string>>)[]) => {
      const flags = args.filter((each) => typeof each === 'string');
      const more = Object.assign({}, ...args.filter((each) => typeof each !== 'string'));
      return runCommand(['client', 'test', ...flags, '--instance', instance.url], {
        env: { SVC_API_TOKEN: token, ...more },
      });
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

let plain: ReturnType<typeof openZone> | undefined;

/** The zone of the tests that need no configuration of their own. They change nothing in it. */
function openPlainZone(): ReturnType<typeof openZone> {
  plain ??= openZone();
  return plain;
}

after(async () => {
  await (await plain)?.[Symbol.asyncDispose]();
  await (await delivery)?.[Symbol.asyncDispose]();
});

for (const [client, program, count] of [
  ['containerd', 'ctr', 3],
  ['podman', 'podman', 2],
] as const)
  test(`${client} pulls what was delivered under its nominal names, as the real client says`, async (t) => {
    if (needs(t, program) === undefined) return;
    const zone = await openPlainZone();
    const passed = await zone.run(client, '--output', 'json');
    assert.equal(passed.exitCode, 0, passed.stdout + passed.stderr);
    assertCliDocument('svc client test', passed.stdout);
    const { checks, version, ...named } = JSON.parse(passed.stdout);
    assert.deepEqual(named, { client, program });
    assert.match(version, /^\d+\.\d+/);
    assert.equal(checks.length, count);
    assert.deepEqual([...new Set(checks.map(({ outcome }: { outcome: string }) => outcome))], ['pulled']);
    assert.ok(
      checks.some(
        ({ reference }: { reference: string }) => reference === 'origin.example:5000/shop/api:1.0.0',
      ),
    );

    const one = await zone.run(client, '--sample', '1');
    assert.equal(one.exitCode, 0, one.stderr);
    assert.match(one.stdout, /^pulled {2}\S+ -> 127\.0\.0\.1:\d+\//m);
    // a registry that has nothing of it, and the origin is not asked either
    await using empty = await openRehearsal();
    const other = await empty.start('empty');
    const failed = await zone.run(client, '--registry', other.url, '--output', 'json');
    assert.equal(failed.exitCode, 1, failed.stdout);
    for (const { outcome } of JSON.parse(failed.stdout).checks) assert.equal(outcome, 'failed');
    assert.equal((await zone.run(client, '--sample', '0')).exitCode, 2);
  });

test('clients pull over TLS from a private authority that the settings name, and not without it', async (t) => {
  for (const program of ['ctr', 'podman', 'helm']) if (needs(t, program) === undefined) return;
  await using zone = await openZone(
    { files: { views: [{ name: 'charts', kind: 'helm', repositories: ['charts.example/*'] }] } },
    true,
  );
  assert.match(zone.instance.url, /^https:/);
  for (const client of ['containerd', 'podman', 'helm']) {
    const passed = await zone.run(client, '--sample', '1', trusting);
    assert.equal(passed.exitCode, 0, client + passed.stdout + passed.stderr);
    assert.match(passed.stdout, /^pulled/m);
  }
  // an installed configuration counts with the certificates of the machine alone
  const home = zone.world.path('home');
  const list = join(home, '.config', 'helm', 'repositories.yaml');
  await mkdir(join(list, '..'), { recursive: true });
  const url = `${zone.instance.url}/files/charts`;
  await writeFile(
    list,
    `apiVersion: ""\nrepositories:\n  - name: mine\n    url: ${url}\n    username: reader\n    password: TOKEN\n`,
  );
  const installed = await zone.run('helm', '--installed', { ...trusting, HOME: home });
  assert.equal(installed.exitCode, 1, installed.stdout + installed.stderr);
  assert.match(installed.stdout, /^failed {2}mine .*\n.*(?:certificate|x509)/m);
  const refused = await zone.run('podman', '--sample', '1');
  assert.equal(refused.exitCode, 1, refused.stdout);
  assert.match(refused.stderr, /SVC-SRV-003/);
});

test('--installed tests the files of the machine, and says when containerd reads none', async (t) => {
  for (const program of ['ctr', 'containerd', 'podman', 'unshare'])
    if (needs(t, program) === undefined) return;
  const zone = await openPlainZone();
  const at = (name: string) => zone.world.path(name);
  for (const name of ['etc-containers', 'etc-containerd']) await mkdir(at(name));
  const config = async (client: string, directory: string) => {
    const args = ['client', 'config', client, '--directory', directory, '--instance', zone.instance.url];
    const made = await runCommand(args, { env: { SVC_API_TOKEN: zone.token } });
    assert.equal(made.exitCode, 0, made.stderr);
  };
  await config('podman', at('etc-containers/registries.conf.d'));
  await writeFile(at('etc-containers/policy.json'), '{"default": [{"type": "insecureAcceptAnything"}]}\n');
  await config('containerd', at('certs'));
  const folders = { containers: at('etc-containers'), containerd: at('etc-containerd') };
  const run = (client: string) =>
    testInstalled(client, zone.instance.url, folders, { SVC_API_TOKEN: zone.token });
  for (const client of ['podman', 'crio']) {
    const { exitCode, stdout, stderr } = await run(client);
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout, /^podman \d[^\n]*\npulled/);
  }
  const unread = await run('containerd');
  assert.equal(unread.exitCode, 1, unread.stdout + unread.stderr);
  assert.match(unread.stdout + unread.stderr, /containerd reads no hosts\.toml: config_path is not set/);
  await writeFile(
    at('etc-containerd/config.toml'),
    `version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "${at('nowhere')}:${at('certs')}"\n`,
  );
  const read = await run('containerd');
  assert.equal(read.exitCode, 0, read.stdout + read.stderr);
  assert.match(read.stdout, /^pulled/m);
});

test('a client that falls back to the origin is found out', async (t) => {
  if (needs(t, 'ctr') === undefined || needs(t, 'podman') === undefined) return;
  await using folder = await openTempFolder();
  const home = await openClientHome(folder.path);
  await using gate = await openGate(new Set(['127.0.0.1:1']));
  const env = { ...home.env, HTTP_PROXY: gate.url, HTTPS_PROXY: gate.url };
  const digest = `sha256:${'a'.repeat(64)}`;
  const sandbox = (program: string, name: string, files: Sandbox['config']['files']): Sandbox => ({
    program: onPath(program)!,
    folder: join(home.path, name),
    env,
    path: process.env.PATH ?? '',
    gate,
    lookout: { followUrl: async () => undefined, followPull: async () => undefined },
    signal: AbortSignal.timeout(60_000),
    config: { client: 'podman', directory: '/nonexistent', revision: '', files },
    installed: undefined,
    registry: undefined,
    places: [],
    token: undefined,
    references: [
      {
        kind: 'ContainerImage',
        nominal: 'origin.example/x:1',
        relocated: '127.0.0.1:1/origin.example/x:1',
        digest,
      },
    ],
    sample: 1,
    keys: undefined,
  });
  await mkdir(join(home.path, 'ctr', 'certs.d'), { recursive: true });
  await mkdir(join(home.path, 'podman'));
  // a mirror that is asked first, and the origin as the location
  const mirror =
    '[[registry]]\nlocation = "origin.example"\n[[registry.mirror]]\nlocation = "127.0.0.1:1"\ninsecure = true\n';
  const [ctr] = await testContainerd(sandbox('ctr', 'ctr', []));
  const [podman] = await testPodman(sandbox('podman', 'podman', [{ path: 'svc.conf', content: mirror }]));
  for (const check of [ctr, podman]) {
    assert.equal(check?.outcome, 'fallback', JSON.stringify(check));
    assert.match(String(check?.detail), /^asked origin\.example:443/);
  }
});

test('helm pulls charts of the views, and of the registry where there is none', async (t) => {
  if (needs(t, 'helm') === undefined) return;
  const zone = await openPlainZone();
  const oci = await zone.run('helm', '--output', 'json');
  assert.equal(oci.exitCode, 0, oci.stdout + oci.stderr);
  assert.equal(JSON.parse(oci.stdout).checks[0].reference, 'charts.example/shop:1.2.3');
  await using viewed = await openZone({
    files: { views: [{ name: 'charts', kind: 'helm', repositories: ['charts.example/*'] }] },
  });
  const view = await viewed.run('helm', '--output', 'json');
  assert.equal(view.exitCode, 0, view.stdout + view.stderr);
  const [{ reference, resolved }] = JSON.parse(view.stdout).checks;
  assert.deepEqual(
    [reference, resolved],
    ['charts/shop:1.2.3', `${viewed.instance.url}/files/charts/shop-1.2.3.tgz`],
  );

  // the list of this user, which is only read
  const home = viewed.world.path('home');
  const list = join(home, '.config', 'helm', 'repositories.yaml');
  await mkdir(join(list, '..'), { recursive: true });
  const installed = () => viewed.run('helm', '--installed', { HOME: home });
  const absent = await installed();
  assert.match(absent.stderr, /SVC-FIL-005/);
  const toList = (url: string) =>
    `apiVersion: ""\nrepositories:\n  - name: mine\n    url: ${url}\n    username: reader\n    password: TOKEN\n`;
  await writeFile(list, toList(`${viewed.instance.url}/files/charts`));
  const own = await installed();
  assert.equal(own.exitCode, 0, own.stdout + own.stderr);
  assert.match(own.stdout, /^pulled {2}mine\/shop:1\.2\.3/m);
  assert.equal(await readFile(list, 'utf8'), toList(`${viewed.instance.url}/files/charts`));
  // as helm writes it: sorted keys, and a list that a variable names
  await rm(list);
  const written = viewed.world.path('written.yaml');
  const node = { HOME: home, HELM_REPOSITORY_CONFIG: written, HELM_CACHE_HOME: viewed.world.path('cache') };
  const add = ['repo', 'add', 'mine', `${viewed.instance.url}/files/charts`, '--username', 'reader'];
  await runOutside(onPath('helm')!, [...add, '--password', viewed.token], {
    env: { PATH: process.env.PATH ?? '', ...node },
    cwd: home,
    signal: AbortSignal.timeout(60_000),
    timeout: 60_000,
  });
  const byHelm = await readFile(written, 'utf8');
  assert.match(byHelm, /^- caFile: ""$/m);
  const added = await viewed.run('helm', '--installed', node);
  assert.equal(added.exitCode, 0, added.stdout + added.stderr);
  assert.match(added.stdout, /^pulled {2}mine\/shop:1\.2\.3/m);
  await writeFile(written, byHelm.replace(viewed.instance.url, 'http://charts.example'));
  const strayed = await viewed.run('helm', '--installed', node);
  assert.equal(strayed.exitCode, 1, strayed.stdout);
  assert.match(strayed.stdout, /^another host .*\n.*names charts\.example, which is neither/m);
  await writeFile(written, byHelm.replace('repositories:', 'repositories: {}\nmore:'));
  const unread = await viewed.run('helm', '--installed', node);
  assert.equal(unread.exitCode, 1, unread.stdout);
  assert.match(unread.stderr, /SVC-VAL-001.*repositories: must be a list/s);
});

test('apt and dnf verify the signature and pull packages; a revoked key, a missing key and a strange one fail', async (t) => {
  const programs = [
    'apt-get',
    'apt-ftparchive',
    'dpkg-deb',
    'dnf',
    'createrepo_c',
    'rpmbuild',
    'gpg',
    'unshare',
  ];
  if (!programs.every((name) => needs(t, name) !== undefined)) return;
  if (!needsPart(t, 'dnf', ['download', '--help'])) return;
  await using folder = await openTempFolder();
  const trees = { deb: join(folder.path, 'deb'), rpm: join(folder.path, 'rpm') };
  const maker = await openClientHome(folder.path, 'maker');
  await using keyring = await openKeyring(maker);
  const key = await keyring.create('release');
  const strange = await keyring.create('strange');
  await mkdir(trees.deb);
  await mkdir(trees.rpm);
  await buildDeb(maker, trees.deb, 'hello', '1.0');
  await buildRpm(maker, trees.rpm, 'hello', '1.0');
  const store = join(folder.path, 'store');
  for (const [name, kind] of [
    ['deb', 'apt'],
    ['rpm', 'rpm'],
  ] as const) {
    const packed = await runCommand(
      [
        'fileset',
        'pack',
        trees[name],
        `${name}:1.0.0`,
        '--index',
        kind,
        '--gpg-key',
        key,
        '--storage-root',
        store,
      ],
      { env: { HOME: maker.path, ...keyring.env } },
    );
    assert.equal(packed.exitCode, 0, packed.stderr);
  }
  await using world = await openRehearsal();
  const filesets = ['deb', 'rpm'].map((name) => ({ name, ref: `localhost/filesets/${name}` }));
  const server = await toTlsConfig(folder.path);
  const instance = await world.start('zone', { storage: { root: store }, files: { filesets }, server });
  const env = { SVC_API_TOKEN: await createToken(instance.configPath), ...trusting };
  const keysOf = async (name: string, fingerprint: string | undefined): Promise<string> => {
    const keys = join(folder.path, name);
    await mkdir(keys);
    if (fingerprint === undefined) return keys;
    await keyring.exportTo(join(keys, 'svc-deb.gpg'), fingerprint);
    await keyring.exportTo(join(keys, 'svc-rpm.asc'), fingerprint, true);
    return keys;
  };
  const run = (client: string, keys: string) =>
    runCommand(['client', 'test', client, '--keys', keys, '--instance', instance.url, '--output', 'json'], {
      env,
      cwd: folder.path,
    });
  const right = await keysOf('right', key);
  for (const client of ['apt', 'dnf']) {
    const passed = await run(client, 'right');
    assert.equal(passed.exitCode, 0, passed.stdout + passed.stderr);
    assertCliDocument('svc client test', passed.stdout);
    const { checks } = JSON.parse(passed.stdout);
    assert.deepEqual(
      checks.map(({ reference, outcome }: { reference: string; outcome: string }) => [reference, outcome]),
      [
        [client === 'apt' ? 'apt-get update' : 'dnf makecache', 'pulled'],
        ['hello', 'pulled'],
      ],
    );
    assert.ok(!passed.stdout.includes(env.SVC_API_TOKEN));
  }
  // the files of the machine, which name a proxy that would lead around the gate
  const around = 'http://127.0.0.1:9';
  for (const [client, place, change] of [
    [
      'apt',
      'apt',
      async (at: string) => {
        await mkdir(join(at, 'apt.conf.d'));
        await writeFile(join(at, 'apt.conf.d', 'proxy'), `Acquire::http::Proxy "${around}";\n`);
        // would fail if it were run
        await writeFile(join(at, 'sources.list'), '# local\ndeb [trusted=yes] file:/srv/none ./\n');
        return ['sources.list.d/svc-deb.sources', 'auth.conf.d/svc.conf'];
      },
    ],
    ['dnf', 'yum.repos.d', async () => ['svc.repo']],
  ] as const) {
    const at = join(folder.path, `installed-${client}`);
    const args = ['client', 'config', client, '--directory', at, '--instance', instance.url];
    const made = await runCommand(args, { env });
    assert.equal(made.exitCode, 0, made.stderr);
    for (const name of await change(at)) {
      const path = join(at, name);
      const text = (await readFile(path, 'utf8'))
        .replace(/(password[ =])TOKEN/, `$1${env.SVC_API_TOKEN}`)
        .replace('/usr/share/keyrings/', `${right}/`)
        .replace('/etc/pki/rpm-gpg/', `${right}/`);
      await writeFile(path, client === 'dnf' ? `${text}proxy=${around}\n` : text);
    }
    const node = { SVC_API_TOKEN: env.SVC_API_TOKEN, SSL_CERT_FILE: tlsPair.caFile };
    const installed = await testInstalled(client, instance.url, { [place]: at }, node);
    assert.equal(installed.exitCode, 0, installed.stdout + installed.stderr);
    assert.match(installed.stdout, /^pulled {2}hello/m);
    const untested =
      /^not tested {2}\/etc\/apt\/sources\.list:2 -> file:\/srv\/none .*\n {2}not tested: apt fetches file: beside/m;
    assert.equal(untested.test(installed.stdout), client === 'apt', installed.stdout);
    // both clients end with success where they have nothing to read, or leave out unreadable files
    const empty = join(folder.path, `empty-${client}`);
    await mkdir(empty);
    for (const [name, wanted] of [
      [undefined, /^failed .*\n {2}(?:apt|dnf) has no source that is enabled in \/etc\//m],
      [
        client === 'apt' ? 'sources.list' : 'svc.repo',
        client === 'apt' ? /^failed .*\n {2}not understood/m : /^failed .*\n.*svc\.repo/m,
      ],
    ] as const) {
      if (name !== undefined) await writeFile(join(empty, name), `nonsense\n[x]\nbaseurl=${around}\n`);
      const nothing = await testInstalled(client, instance.url, { [place]: empty }, node);
      assert.equal(nothing.exitCode, 1, nothing.stdout + nothing.stderr);
      assert.match(nothing.stdout, wanted);
    }
  }
  await keyring.revoke(key);
  const wrong = {
    revoked: await keysOf('revoked', key),
    strange: await keysOf('strange', strange),
    absent: await keysOf('absent', undefined),
  };
  for (const [name, keys] of Object.entries(wrong))
    for (const client of ['apt', 'dnf']) {
      const failed = await run(client, keys);
      assert.equal(failed.exitCode, 1, `${client} with a key that is ${name}: ${failed.stdout}`);
      const { outcome, detail } = JSON.parse(failed.stdout).checks[0];
      assert.equal(outcome, 'failed');
      if (name === 'absent') assert.match(detail, /public key \S+\/absent\/svc-\S+ is not there/);
      else assert.match(detail, /NO_PUBKEY|KEYSIG|GPG|[Ss]ignature/, `${client}, ${name}`);
    }
});

test('an instance that leads elsewhere gets no client to go there, also not to this machine, and no token', async (t) => {
  for (const program of ['helm', 'apt-get', 'ctr']) if (needs(t, program) === undefined) return;
  const visits: string[] = [];
  await using elsewhere = await startPeer((req, res) => {
    visits.push(`${req.url} ${req.headers.authorization ?? ''}`);
    answer(res, 404, {});
  });
  const other = toRegistryBase(elsewhere.url);
  const facts: ClientFacts = {
    revision: '000000000000',
    registry: other,
    instance: other,
    redirections: [{ host: 'docker.io', prefix: 'docker.io' }],
    references: [],
    filesets: [{ name: 'deb', anonymous: false, indexes: ['Packages', 'Release.gpg'], unsigned: [] }],
    views: [{ name: 'charts', anonymous: false }],
  };
  const digest = `sha256:${'a'.repeat(64)}`;
  const sound = answerExamples.getRecipeMapping as RecipeMapping;
  const named = (nominal: string) => ({
    ...sound,
    versions: sound.versions.slice(0, 1).map((version) => ({
      ...version,
      ingredients: ['ContainerImage', 'HelmChart'].map((kind) => {
        return { ...version.ingredients[0], kind, nominal, relocated: `${other.host}/${nominal}`, digest };
      }),
    })),
    mirrors: { registriesYaml: toRegistriesYaml(mirrored, facts.redirections), hostsToml: [] },
  });
  let mirrored = other;
  let nominal = 'docker.io/x:1';
  let made: Partial<ClientFacts> = {};
  let index: string | undefined;
  let served: Buffer | undefined;
  await using peer = await startPeer((req, res) => {
    const [, client] = /\/clients\/([a-z]+)/.exec(req.url ?? '') ?? [];
    if (client !== undefined)
      answer(res, 200, renderClientConfig(client as ClientKind, { ...facts, ...made }));
    else if (req.url?.includes('/mapping')) answer(res, 200, named(nominal));
    else if (/\/recipes(?:\?|$)/.test(req.url ?? '')) answer(res, 200, { recipes: [{ name: 'shop' }] });
    else if (req.url?.endsWith('/index.yaml')) res.end(index);
    else if (req.url?.endsWith('/x.tgz')) res.end(served);
    else answer(res, 404, {});
  });
  const run = (client: string, ...more: string[]) =>
    runCommand(['client', 'test', client, '--instance', peer.url, ...more], {
      env: { SVC_API_TOKEN: 'svc_secret' },
    });
  for (const client of ['helm', 'apt']) {
    const refused = await run(client);
    assert.deepEqual([refused.exitCode, refused.stdout], [1, ''], client);
    assert.match(refused.stderr, /SVC-VAL-001.*the instance that was asked, or the address of --registry/s);
  }
  const said = {
    unnamed: /^not tested {2}.*\n {2}the instance leads nodes to 127\.0\.0\.1:\d+ \(destination/m,
    strayed: /^another host {2}.*\n {2}names 127\.0\.0\.1:\d+, which is neither/m,
  };
  const strayed = async (client: string, reason: keyof typeof said) => {
    const { exitCode, stdout, stderr } = await run(client);
    assert.equal(exitCode, 1, stdout + stderr);
    assert.match(stdout, said[reason], client);
  };
  await strayed('containerd', 'unnamed');
  // the registry alone
  made = {
    views: [],
    references: [{ kind: 'HelmChart', nominal: '', relocated: `${other.host}/x:1`, digest }],
  };
  await strayed('helm', 'unnamed');
  // a chart of an index
  made = { instance: toRegistryBase(peer.url), registry: toRegistryBase(peer.url) };
  for (const url of [`${elsewhere.url}/x.tgz`, `//${other.host}/x.tgz`]) {
    index = JSON.stringify({
      apiVersion: 'v1',
      entries: { x: [{ apiVersion: 'v2', name: 'x', version: '1.0.0', urls: [url] }] },
    });
    mirrored = toRegistryBase(peer.url);
    await strayed('helm', 'strayed');
  }
  assert.deepEqual(visits, []);
  // an archive that is not the one of the index
  const archive = packSimpleChart('x', '1.0.0');
  for (const [named, wanted] of [
    [hashBytes(archive), /^pulled {2}charts\/x:1\.0\.0/m],
    [digest, new RegExp(`^failed .*\\n {2}got ${hashBytes(archive)} in place of ${digest}$`, 'm')],
  ] as const) {
    index = JSON.stringify({
      apiVersion: 'v1',
      entries: {
        x: [{ apiVersion: 'v2', name: 'x', version: '1.0.0', urls: ['x.tgz'], digest: named.slice(7) }],
      },
    });
    served = archive;
    const { stdout, stderr } = await run('helm');
    assert.match(stdout, wanted, stderr);
  }
  nominal = '--plain-http';
  const option = await run('containerd', '--registry', elsewhere.url);
  assert.deepEqual([option.exitCode, option.stdout], [1, '']);
  assert.match(option.stderr, /SVC-REG-001/);
});

test('a client that is not installed is a usage error that names its program', async () => {
  const missing = await runCommand(['client', 'test', 'containerd', '--instance', 'http://127.0.0.1:1'], {
    env: { PATH: '/nonexistent' },
  });
  assert.deepEqual([missing.exitCode, missing.stdout], [2, '']);
  assert.match(missing.stderr, /ctr is not installed/);
  for (const [client, said] of [
    ['k3s', /k3s crictl pull/],
    ['rke2', /svc client test containerd/],
    ['docker', /daemon of Docker/],
    ['openshift', /svc client test crio/],
  ] as const) {
    const untested = await runCommand(['client', 'test', client, '--instance', 'http://127.0.0.1:1']);
    assert.deepEqual([untested.exitCode, untested.stdout], [2, '']);
    assert.match(untested.stderr, said);
  }
  const unknown = await runCommand(['client', 'test', 'pacman', '--instance', 'http://127.0.0.1:1']);
  assert.equal(unknown.exitCode, 2);
});

test('an instance at an IPv6 literal is tested by its address', async (t) => {
  if (needs(t, 'ctr') === undefined || needs(t, 'helm') === undefined) return;
  await using zone = await openZone({ server: { addr: '[::1]:0' } });
  const { url } = zone.instance;
  assert.match(url, /^http:\/\/\[::1\]:/);
  for (const client of ['containerd', 'helm']) {
    const passed = await zone.run(client, '--registry', url, '--sample', '1', '--output', 'json');
    assert.equal(passed.exitCode, 0, passed.stdout + passed.stderr);
    assert.match(passed.stdout, /"resolved": "\[::1\]:\d+\//);
  }
});
