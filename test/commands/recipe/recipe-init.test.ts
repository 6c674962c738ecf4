import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { RecipeDraft } from '../../../src/authoring/door.ts';
import { parseRecipe } from '../../../src/recipe/document.ts';
import { openChartServer } from '../../kit/content/chart-server.ts';
import { buildHelmChart, packChart } from '../../kit/content/helm-chart.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { startTestServer, type TestServer } from '../../kit/instance/server.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';

let folder: TempFolder;
let registry: TestServer;
let host: string;
let config: string;
const image = createSampleImage({ seed: 'draft', platforms: ['linux/amd64'] });
const other = createSampleImage({ seed: 'other', platforms: ['linux/amd64'] });

before(async () => {
  folder = await openTempFolder();
  registry = await startTestServer({ folder: join(folder.path, 'registry') });
  host = new URL(registry.url).host;
  const at = (repository: string) => ({
    registry: registry.url,
    repository,
    authorization: registry.as.operator,
  });
  const blobs = { blobs: image.blobs, manifest: image.root };
  for (const tag of ['1.0.0', '1.2.0', '1.2.0-alpine', 'latest'])
    await pushArtifactOverHttp(at('team/app'), blobs, tag);
  await pushArtifactOverHttp(at('team/app'), { blobs: other.blobs, manifest: other.root }, '2.0.0');
  const chart = buildHelmChart('web', '1.1.0', {
    more: 'appVersion: "9"\n',
    files: { 'values.yaml': `image: {repository: ${host}/team/app, tag: "1.2.0"}\n` },
  });
  await pushArtifactOverHttp(at('charts/web'), chart, '1.1.0');
  const auth = Buffer.from(`token:${registry.as.operator.replace('Bearer ', '')}`).toString('base64');
  await writeFile(join(folder.path, 'auth.json'), JSON.stringify({ auths: { [host]: { auth } } }), {
    mode: 0o600,
  });
  config = join(folder.path, 'config.yaml');
  await writeFile(
    config,
    JSON.stringify({
      registries: { insecure: [host], credentialsFile: join(folder.path, 'auth.json') },
      network: { tls: { ca: tlsPair.ca } },
    }),
  );
});
after(async () => {
  await registry[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const init = (args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}) =>
  runCommand(['recipe', 'init', 'shop', ...args, '--config', config], { cwd: folder.path, ...options });

const ingredients = (text: string) =>
  parseRecipe(Buffer.from(text), 'draft').ingredients.map(
    ({ name, kind, ref, version, digest }) =>
      `${name} ${kind} ${ref.host}/${ref.repository}:${version}${digest === undefined ? '' : '@'}`,
  );

test('several sources become one draft, which says where each ingredient was found', async () => {
  await writeFile(
    join(folder.path, 'compose.yaml'),
    `services: {web: {image: "nginx:\${TAG:-1.27}"}, built: {build: .}}\n`,
  );
  await writeFile(join(folder.path, 'env'), 'TAG=1.28\r\n');
  const { exitCode, stdout, stderr } = await init(
    ['--from', 'compose.yaml', '--env-file', 'env', '--from', '-', '--platform', 'linux/amd64'],
    { input: 'redis:7 # cache\n' },
  );
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(ingredients(stdout), [
    'nginx ContainerImage docker.io/library/nginx:1.28',
    'redis ContainerImage docker.io/library/redis:7',
  ]);
  assert.match(stdout, /# compose\.yaml: services\.web\.image\n {4}- name: nginx/);
  assert.match(stdout, /# stdin:1\n {4}- name: redis/);
  assert.match(stderr, /compose\.yaml: read as a compose file: 1 image\n/);
  assert.match(stderr, /not taken: built \(compose\.yaml, services\.built\.build\): the service is built/);
});

test('sources that have too many images together are named, not the recipe', async () => {
  for (const half of ['a', 'b'])
    await writeFile(
      join(folder.path, `${half}.txt`),
      Array.from({ length: 5001 }, (_, i) => `x.example/${half}${i}:1\n`).join(''),
    );
  const { exitCode, stderr } = await init(['--from', 'a.txt', '--from', 'b.txt']);
  assert.equal(exitCode, 1);
  assert.match(stderr, /a\.txt, b\.txt[\s\S]*must have at most 10000 entries together/);
});

test('the tags of a repository are selected by a constraint, by a glob, or as the highest release', async () => {
  for (const [args, tags] of [
    [[], ['^2.0.0']],
    [
      ['--tags', '^1'],
      ['1.2.0', '1.0.0'],
    ],
    [['--tags', '*-alpine'], ['1.2.0-alpine']],
  ] as const) {
    const { exitCode, stdout, stderr } = await init(['--from', `${host}/team/app`, ...args]);
    assert.equal(exitCode, 0, stderr);
    const found = parseRecipe(Buffer.from(stdout), 'draft').ingredients;
    assert.deepEqual(
      found.map(({ version }) => version),
      tags,
    );
    assert.equal(new Set(found.map(({ name }) => name)).size, tags.length);
  }
  const none = await init(['--from', `repository:${host}/team/app`, '--tags', '^9']);
  assert.deepEqual([none.exitCode, none.stdout], [1, '']);
  assert.match(none.stderr, /SVC-REG-006/);
  const tagged = await init(['--from', `${host}/team/app:1.2.0`]);
  assert.equal(tagged.exitCode, 1);
  assert.match(tagged.stderr, /SVC-REG-001.*--tags, or the image in a list of images/);
  assert.doesNotMatch(tagged.stderr, /alpine:3/);
});

test('the draft of a repository is pinned again for the next version, takes the new release, and names one beyond its range', async () => {
  const at = { registry: registry.url, repository: 'team/next', authorization: registry.as.operator };
  const release = (tag: string) =>
    pushArtifactOverHttp(at, { blobs: image.blobs, manifest: image.root }, tag);
  const run = (...args: string[]) =>
    runCommand(['recipe', ...args, '--config', config], { cwd: folder.path });
  const pin = async (version: string): Promise<readonly [tags: readonly string[], stderr: string]> => {
    const out = `next-${version}.yaml`;
    const { exitCode, stderr } = await run('pin', 'next.yaml', '--set-version', version, '--out', out);
    assert.equal(exitCode, 0, stderr);
    const { ingredients: pinned } = parseRecipe(await readFile(join(folder.path, out)), out);
    return [pinned.map((one) => one.version), stderr];
  };
  await release('1.0.0');
  const drafted = await run('init', 'next', '--from', `${host}/team/next`, '--out', 'next.yaml');
  assert.equal(drafted.exitCode, 0, drafted.stderr);
  assert.match(drafted.stderr, /1 tag taken/);
  const draft = await readFile(join(folder.path, 'next.yaml'), 'utf8');
  assert.match(draft, /# .*: highest release, 1\.0\.0 when this was written\n/);
  assert.match(draft, /version: "\^1\.0\.0"\n/);
  assert.deepEqual((await pin('1.0.0'))[0], ['1.0.0']);
  await release('1.1.0');
  assert.deepEqual((await pin('1.1.0'))[0], ['1.1.0']);
  await release('2.0.0');
  const [tags, told] = await pin('1.2.0');
  assert.deepEqual(tags, ['1.1.0']);
  assert.match(
    told.replace(/\s+/g, ' '),
    /has 2\.0\.0 in its registry, and its version \^1\.0\.0 does not take it\. To take it, write version: "\^2\.0\.0"/,
  );
  assert.equal(await readFile(join(folder.path, 'next.yaml'), 'utf8'), draft);
});

test('an image that is named by its digest gets the highest version that has it, or the tag that is given', async () => {
  const named = (digest: string) => `images:-\n${host}/team/app@${digest}\n`.split('\n')[1]!;
  const found = await init(['--from', '-'], { input: named(image.root.descriptor.digest) });
  assert.equal(found.exitCode, 0, found.stderr);
  assert.deepEqual(ingredients(found.stdout), [`app ContainerImage ${host}/team/app:1.2.0@`]);
  const unknown = { input: `${named(`sha256:${'0'.repeat(64)}`)}\nnginx\n` };
  const refused = await init(['--from', '-', '--out', 'never.yaml'], unknown);
  assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
  assert.match(refused.stderr, /SVC-DRF-001/);
  assert.match(refused.stderr, /--tag app=TAG --tag nginx=TAG/);
  await assert.rejects(readFile(join(folder.path, 'never.yaml')));
  const given = await init(['--from', '-', '--tag', 'app=1.3.0', '--tag', 'nginx=^1.27'], unknown);
  assert.equal(given.exitCode, 0, given.stderr);
  assert.deepEqual(ingredients(given.stdout), [
    `app ContainerImage ${host}/team/app:1.3.0@`,
    'nginx ContainerImage docker.io/library/nginx:^1.27',
  ]);
  const mistyped = await init(['--from', '-', '--tag', 'ap=1'], unknown);
  assert.match(mistyped.stderr, /SVC-VAL-001.*--tag ap/);
});

test('a chart of a registry and its images become ingredients', async () => {
  const { exitCode, stdout, stderr } = await init(['--from', `oci://${host}/charts/web`]);
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(ingredients(stdout), [
    `app ContainerImage ${host}/team/app:1.2.0`,
    `web HelmChart ${host}/charts/web:1.1.0`,
  ]);
  const wrong = await init(['--from', `oci://${host}/team/app:1.0.0`]);
  assert.deepEqual([wrong.exitCode, wrong.stdout], [1, '']);
  assert.match(wrong.stderr, /SVC-VAL-001.*is no Helm chart/);
});

test('the images of a chart that a definition takes with its images become ingredients', async () => {
  const input = (images: boolean) =>
    `apiVersion: content.hauler.cattle.io/v1\nkind: Charts\nspec:\n  charts: [{name: web, repoURL: "oci://${host}/charts", version: 1.1.0, add-images: ${images}}]\n`;
  const taken = await init(['--from', '-', '--output', 'json'], { input: input(true) });
  assert.equal(taken.exitCode, 0, taken.stderr);
  assertCliDocument('svc recipe init', taken.stdout);
  assert.deepEqual(ingredients(JSON.parse(taken.stdout).document), [
    `app ContainerImage ${host}/team/app:1.2.0`,
    `web HelmChart ${host}/charts/web:1.1.0`,
  ]);
  const alone = await init(['--from', '-'], { input: input(false) });
  assert.deepEqual(ingredients(alone.stdout), [`web HelmChart ${host}/charts/web:1.1.0`]);
  assert.match(
    alone.stderr,
    /not taken: oci:\/\/\S+\/charts\/web:1\.1\.0 \(stdin, Charts spec\.charts\[0\]\): only the images of this chart: .*--from/,
  );
});

test('charts of this machine and of classic repositories are pushed on request, twice with the same result', async () => {
  await using charts = await openChartServer();
  const archive = packChart('classic', {
    'Chart.yaml': 'apiVersion: v2\nname: classic\nversion: 1.0.0+b1\nappVersion: "3"\n',
    'values.yaml': 'image: {repository: team/classic}\n',
  });
  charts.list([{ name: 'classic', version: '1.0.0+b1', archive }]);
  // a chart whose own name differs from that of the index is no source
  charts.list([{ name: 'classic', version: '1.0.1', archive }]);
  const misnamed = await init(['--from', `${charts.base}/classic`]);
  assert.equal(misnamed.exitCode, 1);
  assert.match(misnamed.stderr, /classic:1\.0\.1.*is no Helm chart: classic 1\.0\.0\+b1/s);
  charts.list([{ name: 'classic', version: '1.0.0+b1', archive }]);
  const local = join(folder.path, 'chart');
  await mkdir(join(local, 'templates'), { recursive: true });
  await writeFile(join(local, 'Chart.yaml'), 'apiVersion: v2\nname: mine\nversion: 0.2.0\n');
  await writeFile(join(local, '.helmignore'), '*.swp\n');
  await writeFile(join(local, 'values.yaml'), 'image: {repository: team/mine, tag: v1}\n');
  await writeFile(join(local, 'templates/x.swp'), 'never');
  const from = ['--from', 'chart', '--from', `${charts.base}/classic`];
  const without = await init(from);
  assert.equal(without.exitCode, 0, without.stderr);
  assert.deepEqual(ingredients(without.stdout), [
    'mine ContainerImage docker.io/team/mine:v1',
    'classic ContainerImage docker.io/team/classic:3',
  ]);
  assert.match(
    without.stderr,
    /mine 0\.2\.0 \(chart, Chart\.yaml\): a recipe names charts of registries: --push-charts/,
  );
  const pushed = await init([...from, '--push-charts', `${host}/pushed`]);
  assert.equal(pushed.exitCode, 0, pushed.stderr);
  assert.deepEqual(
    ingredients(pushed.stdout).filter((line) => line.includes('HelmChart')),
    [
      `mine-chart HelmChart ${host}/pushed/mine:0.2.0@`,
      `classic-chart HelmChart ${host}/pushed/classic:1.0.0_b1@`,
    ],
  );
  assert.equal((await init([...from, '--push-charts', `${host}/pushed`])).stdout, pushed.stdout);
  await writeFile(join(local, 'values.yaml'), 'image: {repository: team/mine, tag: v2}\n');
  const changed = await init([...from, '--push-charts', `${host}/pushed`]);
  assert.deepEqual([changed.exitCode, changed.stdout], [3, '']);
  assert.match(changed.stderr, /SVC-POL-004/);
  assert.match(changed.stderr, /Raise version in Chart\.yaml/);
  assert.doesNotMatch(changed.stderr, /version of the recipe/);
});

test('a chart that is pushed without its dependencies is named at once, by lint --online too, and pin asks for a place', async () => {
  const local = join(folder.path, 'lacking');
  await mkdir(local);
  const dependencies = `dependencies: [{name: cache, version: ^1, repository: "oci://${host}/deps"}]\n`;
  await writeFile(
    join(local, 'Chart.yaml'),
    `apiVersion: v2\nname: lacking\nversion: 1.0.0\n${dependencies}`,
  );
  await pushArtifactOverHttp(
    { registry: registry.url, repository: 'deps/cache', authorization: registry.as.operator },
    buildHelmChart('cache', '1.2.0'),
    '1.2.0',
  );
  const push = ['--from', 'lacking', '--push-charts', `${host}/pushed`];
  const drafted = await init([...push, '--out', 'lacking.yaml']);
  assert.equal(drafted.exitCode, 0, drafted.stderr);
  assert.match(drafted.stderr, /warning: the chart lacking was pushed without cache: .*--vendor-to/);
  const document = await init([...push, '--output', 'json']);
  assertCliDocument('svc recipe init', document.stdout);
  const { ingredients: shown } = JSON.parse(document.stdout) as RecipeDraft;
  assert.deepEqual(shown[0]!.missingDependencies, ['cache']);
  const run = (...args: string[]) =>
    runCommand(['recipe', ...args, '--config', config], { cwd: folder.path });
  const linted = await run('lint', '--online', 'lacking.yaml');
  assert.equal(linted.exitCode, 1);
  assert.match(linted.stdout, /error: The chart lacking depends on cache,.*\[chart-dependency\]/);
  const draft = join(folder.path, 'lacking.yaml');
  const text = await readFile(draft, 'utf8');
  await writeFile(draft, text.replace(/^( +)digest: .*$/m, '$&\n$1vendorDependencies: true'));
  const pin = ['pin', 'lacking.yaml', '--set-version', '1.0.0', '--out', 'lacking-1.0.0.yaml'];
  const unplaced = await run(...pin);
  assert.equal(unplaced.exitCode, 1);
  assert.match(unplaced.stderr, /give svc recipe pin the flag --vendor-to <registry>\/<path>/);
  const taken = await run(...pin, '--vendor-to', `${host}/pushed`);
  assert.match(taken.stderr, /SVC-POL-004[\s\S]*below another repository/);
  const pinned = await run(...pin, '--vendor-to', `${host}/whole`);
  assert.equal(pinned.exitCode, 0, pinned.stderr);
  const clean = await run('lint', '--online', 'lacking-1.0.0.yaml');
  assert.doesNotMatch(clean.stdout, /chart-dependency/);
});

test('flags that no source uses are named, and names that are no image too', async () => {
  await mkdir(join(folder.path, 'odd'), { recursive: true });
  await writeFile(join(folder.path, 'odd/Chart.yaml'), 'apiVersion: v2\nname: odd\nversion: 0.1.0\n');
  await writeFile(
    join(folder.path, 'odd/values.yaml'),
    'image: {repository: team/odd, tag: v1}\nother: {image: {repository: Team/Odd, tag: v1}}\nmesh: {hub: gcr.io/mesh, image: pilot, tag: "1.2"}\n',
  );
  const odd = await init(['--from', 'odd', '--tags', '^1', '--env-file', 'odd/values.yaml']);
  assert.equal(odd.exitCode, 0, odd.stderr);
  assert.match(odd.stderr, /warning: no source uses --tags, --env-file\n/);
  // a reference that other values may complete is no image of Docker Hub
  assert.deepEqual(ingredients(odd.stdout), ['odd ContainerImage docker.io/team/odd:v1']);
  assert.match(
    odd.stdout,
    /# odd: values mesh\.image \(beside hub\)\n.*part of its name.*\n {4}#- name: pilot\n/,
  );
  assert.match(odd.stderr, /proposed in comments: pilot: values beside it may be a part of its name/);
  assert.match(
    odd.stderr,
    /not taken: Team\/Odd:v1 \(odd, values other\.image\.repository\): it is not the name/,
  );
});

test('of a folder all that is recognised is taken, and the rest is named with the reason', async () => {
  const at = (name: string): string => join(folder.path, 'project', name);
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  const pod = (image: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: x, image: "${image}"}]}\n`;
  const compose = (image: string) => `services: {web: {image: "${image}"}}\n`;
  await put('compose.yaml', compose('nginx:1.27'));
  await put('compose.dev.yaml', compose('debug:1'));
  await put('images.txt', 'redis:7\n');
  await put('requirements.txt', 'flask\n');
  await put('deploy/pod.yaml', pod('postgres:16'));
  await put('deploy/values.yaml', 'replicas: 2\n');
  await put('deploy/broken.yaml', 'a: [\n');
  await put('charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  await put(
    'charts/web/values.yaml',
    'image: {repository: memcached, tag: "1.6"}\njob: {image: {repository: x.example/job, tag: ""}}\n',
  );
  await put('charts/web/templates/pod.yaml', pod('{{ .Values.image.repository }}'));
  await put('.hidden/pod.yaml', pod('hidden:1'));
  const { exitCode, stdout, stderr } = await init(['--from', 'project', '--output', 'json']);
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc recipe init', stdout);
  const draft = JSON.parse(stdout) as RecipeDraft;
  assert.deepEqual(
    draft.sources.map(({ source, format }) => `${source} ${format}`),
    [
      'project/charts/web chart',
      'project/compose.yaml compose',
      'project/images.txt images',
      'project manifests',
    ],
  );
  assert.deepEqual(draft.ingredients.map(({ ref, version }) => `${ref}:${version}`).sort(), [
    'docker.io/library/memcached:1.6',
    'docker.io/library/nginx:1.27',
    'docker.io/library/postgres:16',
    'docker.io/library/redis:7',
    'x.example/job:undefined',
  ]);
  assert.match(stderr, /^svc: proposed in comments: job: the values name no tag: add one$/m);
  assert.deepEqual(
    draft.omissions
      .filter(({ where }) => where === '')
      .map(({ source, what, reason }) => [source, what, reason]),
    [
      ['project', 'compose.dev.yaml', 'not-named-so'],
      ['project', 'deploy/broken.yaml', 'unreadable'],
      ['project', 'deploy/values.yaml', 'no-known-form'],
      ['project', 'requirements.txt', 'not-named-so'],
      ['project', '.hidden/', 'hidden'],
    ],
  );
  assert.match(stderr, /not taken: compose\.dev\.yaml \(project\): its content looks like a source/);
});

test('whatever a folder has is taken, or named with the reason', async () => {
  const at = (name: string): string => join(folder.path, 'whatever', name);
  const svc = 'apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\n';
  for (const [name, bytes] of [
    ['compose.yaml', 'services: {web: {image: "nginx:1.27"}}\n'],
    ['image-notes.txt', 'What to know about images\n'],
    ['images-utf16.txt', Buffer.from('\ufeffnginx:1\nredis:7\n', 'utf16le')],
    ['images.lst', '# none yet\n'],
    ['list.txt', 'x.example/a:1\nx.example/b:1\nx.example/c 1\n'],
    ['README.md', 'text\n'],
    ['LICENSE.txt', 'A text: of several words: in a line\n'],
    ['.env', 'A=1\n'],
    ['shop.yaml', svc],
    ['svc.yaml', 'zone: b\nstorage: {root: storage}\n'],
    ['storage/_svc/lock', ''],
    ['storage/index.json', '{}'],
    ['state/accounts.lock', ''],
    ['state/tasks/a.json', '{}'],
  ] as const) {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), bytes);
  }
  await mkdir(at('images.txt'));
  await symlink('compose.yaml', at('linked.yaml'));
  const { exitCode, stdout, stderr } = await init(['--from', 'whatever', '--output', 'json']);
  assert.equal(exitCode, 0, stderr);
  assertCliDocument('svc recipe init', stdout);
  const draft = JSON.parse(stdout) as RecipeDraft;
  assert.deepEqual(Object.fromEntries(draft.omissions.map(({ what, reason }) => [what, reason])), {
    '.env': 'hidden',
    'LICENSE.txt': 'other-kind',
    'README.md': 'other-kind',
    'image-notes.txt': 'unreadable',
    'images-utf16.txt': 'unreadable',
    'images.lst': 'empty',
    'images.txt/': 'empty',
    'linked.yaml': 'link',
    'list.txt': 'not-named-so',
    'shop.yaml': 'own',
    'state/': 'own',
    'storage/': 'own',
    'svc.yaml': 'own',
  });
  assert.match(
    stderr,
    /not taken: images-utf16\.txt \(whatever\): it cannot be read: is UTF-16, and must be UTF-8\n/,
  );
  assert.match(stderr, /not taken: image-notes\.txt .*: line 1: 'What to know about images' is not the name/);
  assert.match(stderr, /not taken: shop\.yaml, svc\.yaml, state\/, storage\/ \(whatever\): made by svc/);
});

test('a draft is written to a new file only', async () => {
  await writeFile(join(folder.path, 'list'), 'nginx:1\n');
  const args = ['--from', 'list', '--out', 'new.yaml'];
  const first = await init(args);
  assert.deepEqual([first.exitCode, first.stdout], [0, ''], first.stderr);
  assert.equal(ingredients(await readFile(join(folder.path, 'new.yaml'), 'utf8')).length, 1);
  const second = await init(args);
  assert.equal(second.exitCode, 2);
  assert.match(second.stderr, /already exists/);
});

test('when all that is found is a proposal, it is named with its place, and the advice fits the source', async () => {
  await writeFile(
    join(folder.path, 'cr.yaml'),
    'apiVersion: example/v1\nkind: Db\nmetadata: {name: d}\nspec: {image: "prom/prometheus:v2.50.1"}\n',
  );
  await mkdir(join(folder.path, 'literal/templates'), { recursive: true });
  await writeFile(join(folder.path, 'literal/Chart.yaml'), 'apiVersion: v2\nname: literal\nversion: 0.1.0\n');
  await writeFile(join(folder.path, 'literal/templates/pod.yaml'), 'image: grafana/grafana:10.4.1\n');
  for (const [source, found, advice, never] of [
    [
      'cr.yaml',
      'docker.io/prom/prometheus:v2.50.1 (cr.yaml: Db/d spec.image)',
      /to a list, one on each line, and give it with --from/,
      /--values|--render/,
    ],
    [
      'literal',
      'docker.io/grafana/grafana:10.4.1 (literal: templates/pod.yaml line 1)',
      /Let --render find what the chart uses/,
      /no tag/,
    ],
  ] as const) {
    const { exitCode, stdout, stderr } = await init(['--from', source, '--find-more', '--output', 'json']);
    assert.deepEqual([exitCode, stderr.includes(found)], [1, true], stderr);
    assert.match(stderr, advice);
    assert.doesNotMatch(stderr, never);
    const { error } = JSON.parse(stdout === '' ? stderr : stdout);
    assert.deepEqual(error.params.found, [found]);
  }
});

test('a source of another form, an empty one and an unreadable one are refused with their codes', async () => {
  const built = Buffer.from('28b52ffd0000', 'hex');
  await writeFile(join(folder.path, 'package.tar.zst'), built);
  await writeFile(
    join(folder.path, 'empty.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: image}\n',
  );
  await mkdir(join(folder.path, 'nothing'), { recursive: true });
  for (const [source, expected] of [
    ['absent.yaml', /SVC-FIL-005/],
    ['package.tar.zst', /SVC-VAL-001.*built package/],
    ['empty.yaml', /SVC-DRF-002/],
    ['nothing', /SVC-VAL-001.*is an empty folder/],
    ['images:compose.yaml', /SVC-VAL-001: compose\.yaml:1/],
    ['compose:https://x.example/a', /SVC-VAL-001.*save the document/],
    ['oci://', /SVC-REG-001/],
  ] as const) {
    const { exitCode, stdout, stderr } = await init(['--from', source]);
    assert.deepEqual([exitCode, stdout], [1, ''], `${source} ${stderr}`);
    assert.match(stderr, expected, source);
  }
  for (const args of [[], ['--from', 'list', '--platform', 'amd64'], ['--from', 'list', '--tag', 'x']]) {
    const { exitCode } = await init(args);
    assert.equal(exitCode, 2, args.join(' '));
  }
});
