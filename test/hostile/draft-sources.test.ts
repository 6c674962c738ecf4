import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { packChart } from '../kit/content/helm-chart.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runSvc } from '../kit/program/svc.ts';

const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

/** Levels of two aliases each: a short text that stands for very many values. */
function toBomb(levels: number): string {
  const lines = ['a0: &a0 {image: {repository: x/y, tag: "1"}}'];
  for (let i = 1; i <= levels; i += 1) lines.push(`a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`);
  return `${lines.join('\n')}\n`;
}

function nest(levels: number): Buffer {
  let inner = packChart('web', { 'Chart.yaml': chart });
  for (let i = 0; i < levels; i += 1)
    inner = packChart('web', { 'Chart.yaml': chart, 'charts/a.tgz': inner });
  return inner;
}

interface Scene {
  readonly name: string;
  readonly content: string | Buffer;
  readonly expected: RegExp;
}

const manifest = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: ${JSON.stringify(image)}}]}\n`;

const scenes: readonly Scene[] = [
  {
    name: 'aliases-in-values.tgz',
    content: packChart('web', { 'Chart.yaml': chart, 'values.yaml': toBomb(45) }),
    expected: /SVC-VAL-001.*aliases/,
  },
  {
    name: 'aliases-in-compose.yaml',
    content: `services: {web: {image: "nginx:1"}}\n${toBomb(45)}`,
    expected: /SVC-VAL-001.*aliases/,
  },
  {
    name: 'many-aliases.yaml',
    content: `services: {web: {image: &i "nginx:1"}}\nx: [${'*i, '.repeat(200)}*i]\n`,
    expected: /SVC-VAL-001.*aliases/,
  },
  { name: 'deep.yaml', content: `services: ${'['.repeat(500)}`, expected: /SVC-VAL-001.*deeper/ },
  {
    name: 'large-document.yaml',
    content: `apiVersion: v1\nkind: List\nx: "${'y'.repeat(5_000_000)}" # image\n`,
    expected: /SVC-VAL-002/,
  },
  {
    name: 'bomb.tgz',
    content: gzipSync(toArchive({ 'web/Chart.yaml': chart, 'web/other.bin': Buffer.alloc(300_000_000) }), {
      level: 1,
    }),
    expected: /SVC-VAL-002/,
  },
  {
    name: 'large-values.tgz',
    content: packChart('web', { 'Chart.yaml': chart, 'values.yaml': ' '.repeat(5_000_000) }),
    expected: /SVC-VAL-002.*values\.yaml/,
  },
  {
    name: 'cut.tgz',
    content: packChart('web', { 'Chart.yaml': chart }).subarray(0, 60),
    expected: /SVC-VAL-001.*damaged/,
  },
  {
    name: 'no-chart.tgz',
    content: gzipSync(toArchive({ 'web/values.yaml': 'a: 1\n' })),
    expected: /SVC-VAL-001.*Chart\.yaml/,
  },
  { name: 'nested.tgz', content: nest(40), expected: /SVC-DRF-002/ },
  {
    name: 'traversal.tgz',
    content: gzipSync(
      toArchive({
        'web/Chart.yaml': chart,
        'web/../../escape.yaml': 'x',
        'web/charts/../../../x/Chart.yaml': chart,
      }),
    ),
    expected: /SVC-DRF-002|SVC-VAL-001/,
  },
  {
    name: 'too-many.txt',
    content: Array.from({ length: 10_001 }, (_, i) => `team/app${i}:1`).join('\n'),
    expected: /SVC-VAL-001.*10000/,
  },
  { name: 'no-tag.txt', content: 'nginx\nredis\n', expected: /SVC-DRF-001.*nginx.*redis/ },
  {
    name: 'long-line.txt',
    content: `nginx:1\n${'a'.repeat(3_000_000)}\n`,
    expected: /SVC-VAL-001.*long-line\.txt:2.*1024 characters/,
  },
  { name: 'control.yaml', content: manifest('ngi\u001b[31mnx:1'), expected: /SVC-VAL-001.*ASCII/ },
  { name: 'bidi.yaml', content: manifest('nginx\u202e:1'), expected: /SVC-VAL-001.*ASCII/ },
  { name: 'escape.yaml', content: manifest('../../etc/passwd:1'), expected: /SVC-VAL-001/ },
  { name: 'latin1.txt', content: Buffer.from('nginx:1\n\xe9\n', 'latin1'), expected: /SVC-VAL-001.*UTF-8/ },
  { name: 'number-keys.yaml', content: 'services: {1: {image: "a b"}}\n', expected: /SVC-VAL-001/ },
];

test('hostile sources end with one coded sentence, and nothing is written', async () => {
  await using folder = await openTempFolder();
  for (const { name, content, expected } of scenes) {
    await writeFile(join(folder.path, name), content);
    const before = (await readdir(folder.path)).length;
    const { exitCode, stdout, stderr, milliseconds } = await runSvc(
      ['recipe', 'init', 'shop', '--from', name, '--out', 'shop.yaml'],
      { cwd: folder.path, timeout: 60_000 },
    );
    assert.deepEqual([exitCode, stdout], [1, ''], `${name}: ${stderr}`);
    assert.match(stderr, expected, name);
    assert.doesNotMatch(stderr, /\u001b|\u202e|at .*\.ts:/, name);
    assert.ok(stderr.length < 8000, name);
    assert.ok(milliseconds < 30_000, `${name} took ${milliseconds} ms`);
    assert.equal((await readdir(folder.path)).length, before, name);
  }
});

test('names of sources and places are escaped in the draft and on the terminal', async () => {
  await using folder = await openTempFolder();
  await writeFile(
    join(folder.path, 'c.yaml'),
    'services: {"we\\u202eb\\n- name: x": {image: "nginx:1"}, "b\\u001b[2J": {build: .}}\n',
  );
  const { exitCode, stdout, stderr } = await runSvc(['recipe', 'init', 'shop', '--from', 'c.yaml'], {
    cwd: folder.path,
  });
  assert.equal(exitCode, 0, stderr);
  assert.doesNotMatch(stdout + stderr, /\u001b|\u202e/);
  assert.equal(stdout.split('\n').filter((line) => line.includes('- name:')).length, 2);
  assert.equal(stdout.split('\n').filter((line) => /^ {4}- name:/.test(line)).length, 1);
});

test('a folder whose links lead outside is refused', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'secret.yaml'), 'image: {repository: secret/app, tag: "1"}\n');
  const root = join(folder.path, 'chart');
  await mkdir(root);
  await writeFile(join(root, 'Chart.yaml'), chart);
  await symlink('../secret.yaml', join(root, 'values.yaml'));
  const { exitCode, stdout, stderr } = await runSvc(['recipe', 'init', 'shop', '--from', 'chart'], {
    cwd: folder.path,
  });
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.match(stderr, /SVC-VAL-001.*values\.yaml.*out of the folder/);
  assert.doesNotMatch(stderr, /secret\/app/);
});
