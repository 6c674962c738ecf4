import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openGate } from '../../commands/client-test/gate.ts';
import type { Sandbox } from '../../commands/client-test/model.ts';
import { testContainerd, testPodman } from '../../commands/client-test/test-images.ts';
import { assertCliDocument } from '../kit/cli-schema.ts';
import { openClientHome } from '../kit/client-home.ts';
import type { Artifact } from '../kit/content.ts';
import { buildHelmChart } from '../kit/helm-chart.ts';
import { buildMedium } from '../kit/medium.ts';
import { buildDeb, buildRpm, openKeyring } from '../kit/packages.ts';
import { needs, needsPart, onPath } from '../kit/peers.ts';
import { openRehearsal } from '../kit/rehearsal.ts';
import { createSampleImage } from '../kit/sample-image.ts';
import { runSvc } from '../kit/svc.ts';
import { openTempFolder } from '../kit/temp-folder.ts';

function toArtifact(seed: string): Artifact {
  const { root, blobs } = createSampleImage({ seed, platforms: ['linux/amd64'] });
  return { manifest: root, children: [], blobs };
}

/** An instance with a delivered recipe, and the command that tests a client against it. */
async function openZone(config: Readonly<Record<string, unknown>> = {}) {
  const world = await openRehearsal();
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
  const medium = await buildMedium({
    recipes: [
      { name: 'shop', version: '1.0.0', layout: 'classic', ingredients: [image('web'), image('api'), chart] },
    ],
  });
  const store = world.path('zone', 'store');
  await mkdir(world.path('zone'));
  await cp(medium.root, store, { recursive: true });
  const instance = await world.start('zone', { storage: { root: store }, ...config });
  const token = await instance.createToken('viewer');
  return {
    world,
    instance,
    run: (...args: (string | Readonly<Record<string, string>>)[]) => {
      const flags = args.filter((each) => typeof each === 'string');
      const more = Object.assign({}, ...args.filter((each) => typeof each !== 'string'));
      return runSvc(['client', 'test', ...flags, '--instance', instance.url], {
        env: { SVC_API_TOKEN: token, ...more },
        timeout: 120_000,
      });
    },
    [Symbol.asyncDispose]: async () => {
      await medium[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

for (const [client, program, count] of [
  ['containerd', 'ctr', 3],
  ['podman', 'podman', 2],
] as const)
  test(`${client} pulls what was delivered under its nominal names, as the real client says`, async (t) => {
    if (needs(t, program) === undefined) return;
    await using zone = await openZone();
    const passed = await zone.run(client, '--output', 'json');
    assert.equal(passed.exitCode, 0, passed.stdout + passed.stderr);
    assertCliDocument('svc client test', passed.stdout);
    const { checks, version } = JSON.parse(passed.stdout);
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
    signal: AbortSignal.timeout(60_000),
    config: { client: 'podman', directory: '/nonexistent', revision: '', files },
    installed: false,
    registry: undefined,
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
    assert.match(check?.detail ?? '', /^asked origin\.example:443/);
  }
});

test('helm pulls charts of the views, and of the registry where there is none', async (t) => {
  if (needs(t, 'helm') === undefined) return;
  await using zone = await openZone();
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
  await writeFile(list, toList('http://charts.example/old'));
  const strayed = await installed();
  assert.equal(strayed.exitCode, 1, strayed.stdout);
  assert.match(strayed.stdout, /asked charts\.example:80/);
});

test('apt and dnf verify the signature and pull packages; a revoked key, a missing key and a strange one fail', async (t) => {
  const programs = ['apt-get', 'apt-ftparchive', 'dpkg-deb', 'dnf', 'createrepo_c', 'rpmbuild', 'gpg'];
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
    const packed = await runSvc(
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
  const instance = await world.start('zone', { storage: { root: store }, files: { filesets } });
  const env = { SVC_API_TOKEN: await instance.createToken('viewer') };
  const keysOf = async (name: string, fingerprint: string | undefined): Promise<string> => {
    const keys = join(folder.path, name);
    await mkdir(keys);
    if (fingerprint === undefined) return keys;
    await keyring.exportTo(join(keys, 'svc-deb.gpg'), fingerprint);
    await keyring.exportTo(join(keys, 'svc-rpm.asc'), fingerprint, true);
    return keys;
  };
  const run = (client: string, keys: string) =>
    runSvc(['client', 'test', client, '--keys', keys, '--instance', instance.url, '--output', 'json'], {
      env,
      timeout: 120_000,
    });
  const right = await keysOf('right', key);
  for (const client of ['apt', 'dnf']) {
    const passed = await run(client, right);
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
      assert.equal(JSON.parse(failed.stdout).checks[0].outcome, 'failed');
    }
});

test('a client that is not installed is a usage error that names its program', async () => {
  const missing = await runSvc(['client', 'test', 'containerd', '--instance', 'http://127.0.0.1:1'], {
    env: { PATH: '/nonexistent' },
  });
  assert.deepEqual([missing.exitCode, missing.stdout], [2, '']);
  assert.match(missing.stderr, /ctr is not installed/);
  const unknown = await runSvc(['client', 'test', 'pacman', '--instance', 'http://127.0.0.1:1']);
  assert.equal(unknown.exitCode, 2);
});
