import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandIndex } from '../../commands/command-index.ts';
import { generatedFolders } from '../../scripts/generated-folders.ts';
import { generatedPages } from '../../scripts/generated-pages.ts';

const root = join(import.meta.dirname, '..', '..');

test('what is generated is what the code prints (npm run generate), and nothing besides', async () => {
  const pages = await generatedPages();
  const stale = [...pages].flatMap(([path, text]) =>
    readFileSync(join(root, path), 'utf8') === text ? [] : [path],
  );
  assert.deepEqual(stale, [], 'stale: run npm run generate');
  for (const folder of generatedFolders) {
    const names = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    assert.deepEqual(
      names.filter((name) => !pages.has(name)),
      [],
    );
  }
});

test('the page of exit codes has every command in the table', async () => {
  const page = readFileSync(join(root, 'docs', 'exit-codes.md'), 'utf8');
  const rows = page.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1] ?? []);
  const named = new Set(rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name)));
  const commands = commandIndex.map(({ path }) => path.join(' '));
  assert.ok(commands.length > 40);
  assert.deepEqual(
    commands.filter((command) => !named.has(command)),
    [],
  );
});

test('nothing of the sources is left out of the repository by a pattern that was meant for something else', (t) => {
  const folders = ['commands', 'completions', 'deploy', 'docs', 'man', 'scripts', 'server', 'src', 'test'];
  const { status, stdout } = spawnSync(
    'git',
    ['ls-files', '--others', '--ignored', '--exclude-standard', '--', ...folders],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) return t.skip('not run: needs a git checkout');
  assert.equal(stdout, '');
});
