import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import type { RecipeDraft } from '../../../src/authoring/door.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { buildDeb, buildRpm, openKeyring } from '../../kit/content/packages.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

/** Folders of an author, and a registry that asks for credentials. */
async function openScene() {
  const world = await openRehearsal({ inProcess: true });
  const registry = await world.start('registry');
  const config = await world.configure('author', { registries: await world.registries([registry.host]) });
  const base = `${registry.host}/filesets`;
  const svc = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
    world.svc([...args, '--config', config], { cwd: world.folder, ...(env ? { env } : {}) });
  const put = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(world.path(name)), { recursive: true });
      await writeFile(world.path(name), text);
    }
  };
  await put({ 'debs/hello_1.0_all.txt': 'a package', 'manuals/en/start.html': 'Read me first' });
  return {
    world,
    registry,
    base,
    svc,
    put,
    init: (...args: string[]) => svc(['recipe', 'init', 'packages', ...args]),
    pushing: (...args: string[]) => svc(['recipe', 'init', 'packages', ...args, '--push-filesets', base]),
    tags: async (name: string): Promise<readonly string[]> => {
      const headers = { authorization: registry.authorization };
      const answer = await fetch(`${registry.url}/v2/filesets/${name}/tags/list`, { headers });
      return answer.ok ? ((await answer.json()) as { tags: string[] }).tags : [];
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: x, image: "nginx:1"}]}\n';

const ingredients = (text: string) =>
  parseRecipe(Buffer.from(text), 'draft').ingredients.map(
    ({ name, kind, ref, version }) => `${name} ${kind} ${ref.host}/${ref.repository}:${version}`,
  );

test('folders are packed, pushed and drafted in one step; the recipe is pinned, published and synchronized', async () => {
  await using scene = await openScene();
  const { world, registry, base, svc, pushing } = scene;
  const from = ['--from', 'debs', '--from', 'manuals'];
  const drafted = await pushing(...from, '--out', 'packages.yaml');
  assert.equal(drafted.exitCode, 0, drafted.stderr);
  assert.match(drafted.stderr, /debs: taken as a folder of files\n/);
  assert.ok(drafted.stderr.includes(`manuals: pushed as ${base}/manuals:1.0.0, 1 file\n`), drafted.stderr);
  assert.match(drafted.stderr, /"action":"content\.push"/);
  const draft = await readFile(world.path('packages.yaml'), 'utf8');
  assert.deepEqual(ingredients(draft), [
    `debs FileSet ${base}/debs:1.0.0`,
    `manuals FileSet ${base}/manuals:1.0.0`,
  ]);
  // the digest is that of svc fileset pack
  const packed = await svc(['fileset', 'pack', 'debs', 'debs:1.0.0', '--push', `${base}/debs:1.0.0`]);
  assert.match(packed.stderr, /already published with the same content/);
  assert.ok(draft.includes(packed.stdout.trim()));

  const again = await pushing(...from, '--output', 'json');
  assert.equal(again.exitCode, 0, again.stderr);
  assertCliDocument('svc recipe init', again.stdout);
  const shown = JSON.parse(again.stdout) as RecipeDraft;
  assert.equal(shown.document, draft);
  assert.deepEqual(
    shown.ingredients.map(({ pushed }) => [pushed?.files, pushed?.unchanged]),
    [
      [1, true],
      [1, true],
    ],
  );

  const password = world.path('password');
  await writeFile(password, 'a good password\n', { mode: 0o600 });
  const sign = ['--key-password-file', password];
  for (const step of [
    ['key', 'new', 'release', ...sign],
    ['recipe', 'pin', 'packages.yaml', '--set-version', '1.0.0', '--out', 'packages-1.0.0.yaml'],
    [
      ...['recipe', 'push', 'packages-1.0.0.yaml', `${registry.host}/cookbook/packages:1.0.0`],
      ...['--sign-key', 'release.key', ...sign],
    ],
  ]) {
    const { exitCode, stderr } = await svc(step);
    assert.equal(exitCode, 0, stderr);
  }
  const mirror = await world.start('mirror', {
    mode: 'mirror',
    retriever: {
      source: await world.retriever('zone', {
        cookbook: `${registry.host}/cookbook`,
        recipes: [{ name: 'packages', version: '^1' }],
      }),
    },
    registries: await world.registries([registry.host]),
    trust: { roots: [{ name: 'release', keyFile: world.path('release.pub') }] },
    files: { filesets: [{ name: 'manuals', ref: `${base}/manuals` }] },
  });
  const { result, task } = await world.sync(mirror);
  assert.equal(result.exitCode, 0, result.stderr);
  assert.equal(task.counts.failed, 0);
  const headers = { authorization: mirror.authorization };
  const served = await fetch(`${mirror.url}/files/manuals/en/start.html`, { headers });
  assert.deepEqual([served.status, await served.text()], [200, 'Read me first']);
});

test('a changed folder needs another version, which --tag gives; the highest release is then the one that stays', async () => {
  await using scene = await openScene();
  const { base, put, pushing, tags } = scene;
  assert.equal((await pushing('--from', 'debs')).exitCode, 0);
  await put({ 'debs/more': 'more' });
  const refused = await pushing('--from', 'debs', '--out', 'never.yaml');
  assert.deepEqual([refused.exitCode, refused.stdout], [3, '']);
  assert.match(refused.stderr, /SVC-POL-004[\s\S]*--tag NAME=VERSION/);
  await assert.rejects(readFile(scene.world.path('never.yaml')));
  const raised = await pushing('--from', 'debs', '--tag', 'debs=1.1.0');
  assert.equal(raised.exitCode, 0, raised.stderr);
  assert.deepEqual(ingredients(raised.stdout), [`debs FileSet ${base}/debs:1.1.0`]);
  assert.equal((await pushing('--from', 'debs')).stdout, raised.stdout);
  assert.deepEqual(await tags('debs'), ['1.0.0', '1.1.0']);
  const loose = await pushing('--from', 'debs', '--tag', 'debs=^1');
  assert.equal(loose.exitCode, 1);
  assert.match(loose.stderr, /SVC-VAL-001: --tag debs is not valid: .*an exact version, not \^1/);
});

test('without --push-filesets a folder of files is refused with this flag, and nothing is pushed', async () => {
  await using scene = await openScene();
  for (const source of ['debs', 'fileset:debs']) {
    const { exitCode, stdout, stderr } = await scene.init('--from', source);
    assert.deepEqual([exitCode, stdout], [1, ''], stderr);
    assert.match(stderr, /SVC-VAL-001: debs is not valid: .*--push-filesets REGISTRY\/PATH/);
  }
  const wrong = await scene.init('--from', 'debs', '--push-filesets', 'filesets');
  assert.equal(wrong.exitCode, 2);
  assert.match(wrong.stderr, /<registry>\/<path>/);
});

test('with --push-filesets a source keeps its meaning, and a folder that could be both is refused with both forms', async () => {
  await using scene = await openScene();
  const { base, put, pushing, tags } = scene;
  await put({
    'k8s/pod.yaml': pod,
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'image: {repository: redis, tag: "7"}\n',
    'web/README.md': 'a chart',
    'mixed/pod.yaml': pod,
    'mixed/compose.yaml': 'services: {a: {image: "redis:7"}}\n',
    'mixed/tool.bin': 'x',
    'stack/stack.yml': 'services: {a: {image: "redis:7"}}\n',
    'broken/a.yaml': 'a: [\n',
  });
  const kept = await pushing('--from', 'k8s', '--from', 'web');
  assert.equal(kept.exitCode, 0, kept.stderr);
  assert.match(kept.stderr, /warning: no source uses --push-filesets\n/);
  assert.deepEqual(ingredients(kept.stdout), [
    'nginx ContainerImage docker.io/library/nginx:1',
    'redis ContainerImage docker.io/library/redis:7',
  ]);
  for (const [source, says] of [
    [
      'mixed',
      'mixed is not valid: has compose.yaml beside tool.bin: --from fileset:mixed packs the folder, --from mixed/compose.yaml --from manifests:mixed reads its files',
    ],
    [
      'stack',
      'stack is not valid: has stack.yml: --from fileset:stack packs the folder, --from stack/stack.yml names it alone',
    ],
    ['broken', 'broken is not valid: has a.yaml: --from fileset:broken packs the folder'],
  ] as const) {
    const refused = await pushing('--from', 'debs', '--from', source);
    assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
    assert.ok(refused.stderr.includes(says), refused.stderr);
  }
  assert.deepEqual(await tags('debs'), [], 'nothing is pushed before every source is judged');
  const packed = await pushing('--from', 'fileset:mixed', '--from', 'manifests:mixed');
  assert.equal(packed.exitCode, 0, packed.stderr);
  assert.deepEqual(ingredients(packed.stdout), [
    `mixed FileSet ${base}/mixed:1.0.0`,
    'nginx ContainerImage docker.io/library/nginx:1',
  ]);
});

test('folders that cannot be packed are refused before one is pushed', async () => {
  await using scene = await openScene();
  const { put, pushing, tags, world } = scene;
  await put({ 'other/debs/a': 'a', 'Upper/a': 'a', file: 'x' });
  await mkdir(world.path('nothing'));
  for (const [source, says] of [
    [
      'other/debs',
      /SVC-VAL-001: other\/debs is not valid: has the name of another folder, debs: .*svc fileset pack/,
    ],
    ['Upper', /SVC-VAL-001: Upper is not valid: the name of a FileSet has lower-case/],
    ['nothing', /SVC-VAL-001: nothing is not valid: is an empty folder/],
    ['fileset:file', /SVC-VAL-001: file is not valid: is a file: fileset: packs a folder/],
    ['fileset:absent', /SVC-FIL-005/],
    // the folder of the store and the state of this machine
    ['author', /SVC-(?:FIL-002|VAL-001)/],
  ] as const) {
    const { exitCode, stdout, stderr } = await pushing('--from', 'debs', '--from', source);
    assert.deepEqual([exitCode === 0, stdout], [false, ''], source + stderr);
    assert.match(stderr, says, source);
  }
  assert.deepEqual(await tags('debs'), []);
});

test('a folder of packages gets a signed index on request, which stays while the packages do', async (t) => {
  if (!['apt-ftparchive', 'dpkg-deb', 'gpg'].every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openScene();
  const { world, svc, base } = scene;
  const maker = await openClientHome(world.folder, 'maker');
  await using keyring = await openKeyring(maker);
  const key = await keyring.create('packages');
  await buildDeb(maker, world.path('tools'), 'hello', '1.0');
  const run = (...args: string[]) =>
    svc(
      [
        'recipe',
        'init',
        'packages',
        '--from',
        'tools',
        '--from',
        'manuals',
        '--push-filesets',
        base,
        ...args,
      ],
      {
        HOME: maker.path,
        ...keyring.env,
      },
    );
  const index = ['--index', 'apt', '--index', 'rpm', '--gpg-key', key];
  for (const flags of [index.slice(0, 2), index.slice(4), [...index.slice(0, 2), '--gpg-key', key.slice(-8)]])
    assert.equal((await run(...flags)).exitCode, 2, flags.join(' '));
  const first = await run(...index);
  assert.equal(first.exitCode, 0, first.stderr);
  assert.deepEqual(
    (await readdir(world.path('tools'))).sort(),
    ['InRelease', 'Packages', 'Packages.gz', 'Release', 'Release.gpg', 'hello_1.0_all.deb'].sort(),
  );
  assert.deepEqual(await readdir(world.path('manuals')), ['en']);
  const again = await run(...index);
  assert.deepEqual([again.exitCode, again.stdout], [0, first.stdout], again.stderr);
  await buildDeb(maker, world.path('tools'), 'hello', '1.1');
  const raised = await run(...index, '--tag', 'tools=1.1.0');
  assert.equal(raised.exitCode, 0, raised.stderr);
  assert.match(await readFile(world.path('tools', 'Packages'), 'utf8'), /Version: 1\.1/);
  await appendFile(world.path('tools', 'hello_1.1_all.deb'), 'x');
  const bare = world.path('bare');
  await buildDeb(maker, bare, 'hello', '1.0');
  const warned = await svc(['recipe', 'init', 'packages', '--from', 'bare', '--push-filesets', base]);
  assert.equal(warned.exitCode, 0, warned.stderr);
  assert.match(warned.stderr, /warning: .*bare has packages and no index.*--index apt --gpg-key FINGERPRINT/);
});

test('packages of rpm without a signature of their own are counted, with an index that is made or was there', async (t) => {
  if (!['createrepo_c', 'rpmbuild', 'gpg'].every((name) => needs(t, name) !== undefined)) return;
  await using scene = await openScene();
  const { world, svc, base } = scene;
  const maker = await openClientHome(world.folder, 'maker');
  await using keyring = await openKeyring(maker);
  await buildRpm(maker, world.path('rpms'), 'hello', '1.0');
  const init = ['recipe', 'init', 'packages', '--from', 'rpms', '--push-filesets', base];
  const flags = ['--index', 'rpm', '--gpg-key', await keyring.create('packages')];
  for (const more of [flags, []]) {
    const { exitCode, stderr } = await svc([...init, ...more], { HOME: maker.path, ...keyring.env });
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /packages without a signature of their own: 1 of 1/);
  }
  await buildRpm(maker, world.path('rpms'), 'hello', '1.1');
  const { exitCode, stderr } = await svc([...init, '--tag', 'rpms=1.1.0']);
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /warning: the index of .*rpms does not describe its packages.*--index rpm/);
});
