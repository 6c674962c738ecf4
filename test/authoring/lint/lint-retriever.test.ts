import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lintRetriever } from '../../../src/authoring/lint/lint-retriever.ts';
import { parseRetriever } from '../../../src/recipe/document.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';

const write = (entries: readonly string[], cookbook = 'registry.example/cookbook'): Buffer =>
  Buffer.from(`apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata: {name: zone-b}
spec:
  cookbook: ${cookbook}
  recipes:
${entries.map((entry) => `    - {${entry}}\n`).join('')}`);

const lint = (bytes: Buffer) =>
  lintRetriever(bytes, 'zone.yaml', 'en').map(({ rule, severity, line }) => `${line} ${severity} ${rule}`);

test('a Retriever without mistakes has no findings', () => {
  for (const entries of [
    ['name: a, version: ^1.2'],
    ['name: a, version: 1.2.0', 'name: a, version: 1.3.0'],
    ['name: a, version: ^1', 'name: a, version: ^2'],
    ['name: a, version: ">=1 <2"', 'name: a, version: 2.0.0-rc.1', 'name: b, version: ^1'],
    ['name: a, version: ^1', 'name: a, version: ^1, cookbook: other.example/cookbook'],
  ])
    assert.deepEqual(lint(write(entries)), [], entries.join(' '));
});

test('each rule names its line', () => {
  for (const [entries, expected] of [
    [['name: a, version: "*"'], ['7 warning any-version']],
    [['name: a, version: ^1', 'name: a, version: ^1'], ['8 error duplicate-entry']],
    [['name: a, version: ^1', 'name: a, version: 1.4.0'], ['8 warning overlapping-entries']],
    [['name: a, version: ">=1.2"', 'name: a, version: <2'], ['8 warning overlapping-entries']],
    [['name: a, version: 2.3.x', 'name: a, version: ~2.3.4'], ['8 warning overlapping-entries']],
    [['name: a, version: "2.3"'], ['7 error no-recipe-version']],
    [['name: a, version: latest'], ['7 error no-recipe-version']],
    [['name: a, version: ^1, cookbook: registry.example/cookbook'], ['7 warning redundant-cookbook']],
    [
      ['name: a, version: ^1, tag: x', 'name: B, version: ^1'],
      ['7 error format', '8 error format'],
    ],
  ] as const)
    assert.deepEqual(lint(write(entries)), expected, entries.join(' '));
  assert.deepEqual(lint(write(['name: a, version: ^1'], '127.0.0.1:5000/c')), [
    '5 warning loopback-cookbook',
  ]);
  assert.deepEqual(lint(Buffer.from('kind: [')).length, 1);
});

test('svc retriever init prints what svc retriever lint accepts, and refuses what it would not', async () => {
  await using folder = await openTempFolder();
  const made = await runCommand([
    'retriever',
    'init',
    'zone-b',
    '--cookbook',
    'registry.example/c',
    '--recipe',
    'shop@^1.4',
    '--recipe',
    'base@2.0.0',
  ]);
  assert.equal(made.exitCode, 0, made.stderr);
  const { metadata, recipes } = parseRetriever(Buffer.from(made.stdout), 'made');
  assert.deepEqual(
    [metadata.name, ...recipes.map(({ name, version }) => `${name}@${version}`)],
    ['zone-b', 'shop@^1.4', 'base@2.0.0'],
  );
  const good = join(folder.path, 'good.yaml');
  const bad = join(folder.path, 'bad.yaml');
  await writeFile(good, made.stdout);
  await writeFile(bad, write(['name: a, version: "2.3"', 'name: b, version: "*"']));
  assert.equal((await runCommand(['retriever', 'lint', good])).exitCode, 0);
  const text = await runCommand(['retriever', 'lint', good, bad]);
  assert.equal(text.exitCode, 1);
  assert.match(
    text.stdout,
    /bad\.yaml:7: error: spec\.recipes\[0\]\.version: no recipe is published as 2\.3/,
  );
  const json = await runCommand(['retriever', 'lint', bad, '--output', 'json']);
  assertCliDocument('svc retriever lint', json.stdout);
  assertCliDocument(
    'svc retriever init',
    (
      await runCommand([
        'retriever',
        'init',
        'z',
        '--cookbook',
        'r.example/c',
        '--recipe',
        'a@1.0.0',
        '--output',
        'json',
      ])
    ).stdout,
  );
  for (const args of [
    ['zone'],
    ['zone', '--cookbook', 'r.example/c'],
    ['Zone', '--cookbook', 'r.example/c', '--recipe', 'a@^1'],
    ['zone', '--cookbook', 'r.example', '--recipe', 'a@^1'],
    ['zone', '--cookbook', 'r.example/c', '--recipe', 'a@2.3'],
    ['zone', '--cookbook', 'r.example/c', '--recipe', 'a@||'],
  ]) {
    const { exitCode, stdout } = await runCommand(['retriever', 'init', ...args]);
    assert.deepEqual([exitCode, stdout], [2, ''], args.join(' '));
  }
  assert.equal((await runCommand(['retriever', 'lint', join(folder.path, 'absent.yaml')])).exitCode, 1);
});
