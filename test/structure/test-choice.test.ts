import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Choice, selectTests } from '../../scripts/test/select.ts';
import { isLong } from '../../scripts/test/tiers.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const short = ['command', 'one', 'page', 'table', 'two'].map((name) => `test/${name}.test.ts`);
const long = 'test/e2e/scene.test.ts';

const project: Readonly<Record<string, string>> = {
  'docs/page.md': 'svc media verify\n',
  'src/kind.ts': 'export type Kind = string;\n',
  'src/one.ts': "import type { Kind } from './kind.ts';\nexport const one: Kind = 'one';\n",
  'src/two.ts': "export const two = async () => (await import('./one.ts')).one;\n",
  'src/verify.ts': '',
  'commands/command-index.ts':
    "export const index = [() => import('./media/verify.ts'), () => import('./media/show.ts')];\n",
  'commands/main.ts': "import { index } from './command-index.ts';\n",
  'commands/media/show.ts': '',
  'commands/media/verify.ts': "import '../../src/verify.ts';\n",
  'server/app.ts': "import './ui/routes.ts';\n",
  'server/ui/routes.ts':
    "import { about } from './pages/about.ts';\nimport { log } from './pages/tasks/log.ts';\n",
  'server/ui/pages/about.ts': "export const about = { path: '/about' };\n",
  'server/ui/pages/tasks/log.ts': "export const log = { path: '/tasks/{id}/log' };\n",
  'test/page.test.ts': "import '../server/app.ts';\nawait ask('/tasks/1');\n",
  'test/kit/svc.ts': "const main = join(import.meta.dirname, '..', '..', 'commands', 'main.ts');\n",
  'test/one.test.ts': "import { one } from '../src/one.ts';\ntest('is the one');\n",
  'test/two.test.ts': "import { two } from '../src/two.ts';\nconst folder = join(root, 'docs');\n",
  'test/command.test.ts': "import { run } from './kit/svc.ts';\nawait run(['media', 'show']);\n",
  'test/table.test.ts': "import { index } from '../commands/command-index.ts';\n",
  [long]: "import { run } from '../kit/svc.ts';\nconst files = globSync('src/**/*.ts');\n",
};

async function openProject() {
  const folder = await openTempFolder();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  };
  for (const [path, text] of Object.entries(project)) await write(path, text);
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example'];
    execFileSync('git', ['-C', folder.path, ...identity, ...args], { stdio: 'ignore' });
  };
  const commit = (): void => {
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
  };
  const select = (choice: Partial<Choice> = {}) =>
    selectTests(folder.path, { paths: [], part: 'short', ...choice });
  return {
    path: folder.path,
    write,
    commit,
    select,
    /** The tests that the working tree reaches, as it differs from the last commit. */
    reached: (part: Choice['part'] = 'all') => select({ part, since: 'HEAD' }).files,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('a run is of the short tests, of the long ones or of all, and names the others with their command', async () => {
  await using at = await openProject();
  assert.deepEqual(at.select().files, short);
  assert.match(
    at.select().notes.join('\n'),
    /^not part of this run: 1 files of long .*e2e.*npm run test:long$/,
  );
  assert.deepEqual(at.select({ part: 'long' }).files, [long]);
  assert.match(at.select({ part: 'long' }).notes.join('\n'), /: 5 files of short tests.*: npm test$/);
  assert.deepEqual(at.select({ part: 'all' }), {
    files: [...short, long].sort(),
    formatted: undefined,
    notes: [],
  });
});

test('paths select tests of both kinds, and a misspelt one is an error', async () => {
  await using at = await openProject();
  assert.deepEqual(at.select({ paths: ['test/e2e', 'test/one.test.ts'] }).files, [long, 'test/one.test.ts']);
  assert.throws(() => at.select({ paths: ['test/oen.test.ts'] }), {
    message: 'test/oen.test.ts: no such file or folder',
  });
  for (const path of ['src', 'src/one.ts'])
    assert.throws(() => at.select({ paths: [path] }), { message: `${path}: no tests there` });
  assert.deepEqual(at.select({ pattern: 'the o.e' }).files, ['test/one.test.ts']);
  assert.throws(() => at.select({ pattern: 'nobody' }), { message: 'no test is named nobody' });
});

test('a change reaches the tests that import it, run it as a command, read it or find it by a pattern', async () => {
  await using at = await openProject();
  at.commit();
  assert.deepEqual(at.select({ since: 'HEAD' }), {
    files: [],
    formatted: [],
    notes: ['nothing has changed since HEAD'],
  });
  const change = async (...paths: readonly string[]): Promise<readonly string[]> => {
    for (const path of paths) await at.write(path, `${project[path] ?? ''}// changed\n`);
    const files = at.reached();
    at.commit();
    return files;
  };
  assert.deepEqual(await change('src/one.ts'), [long, 'test/one.test.ts', 'test/two.test.ts']);
  assert.deepEqual(await change('src/two.ts'), [long, 'test/two.test.ts']);
  assert.deepEqual(await change('src/kind.ts'), [long], 'types are erased');
  assert.deepEqual(await change('docs/page.md'), ['test/two.test.ts']);
  assert.deepEqual(await change('commands/media/show.ts'), ['test/command.test.ts', 'test/table.test.ts']);
  assert.deepEqual(
    await change('src/verify.ts'),
    [long, 'test/table.test.ts'],
    'no other test names the command',
  );
  assert.deepEqual(await change('server/ui/pages/tasks/log.ts'), ['test/page.test.ts']);
  assert.deepEqual(await change('server/ui/pages/about.ts'), [], 'no test asks for the page');
  assert.deepEqual(await change('test/kit/svc.ts'), ['test/command.test.ts', long]);
  assert.deepEqual(await change('package-lock.json'), [...short, long].sort(), 'all depends on the packages');
  assert.deepEqual(await change('src/new.ts'), [long], 'git does not know the file yet');
});

test('what a change reaches and is not run is named, as is what no test reaches', async () => {
  await using at = await openProject();
  at.commit();
  await at.write('src/kind.ts', '');
  await rm(join(at.path, 'src/two.ts'));
  const { files, formatted, notes } = at.select({ since: 'HEAD' });
  assert.deepEqual(files, ['test/two.test.ts']);
  assert.deepEqual(formatted, ['src/kind.ts'], 'the other is gone');
  assert.match(notes.join('\n'), /^not part of this run: 1 files of long.*npm run test:long -- --changed$/);
  at.commit();
  assert.match(at.select({ since: 'HEAD~1' }).notes.join('\n'), /npm run test:long -- --changed HEAD~1$/);
  await at.write('notes.txt', '');
  assert.deepEqual(at.select({ since: 'HEAD' }).notes, ['no test reaches notes.txt']);
});

test('a change needs a checkout and a commit that git knows', async () => {
  await using at = await openProject();
  assert.throws(
    () => at.select({ since: 'HEAD' }),
    /^Error: --changed needs a checkout of git: .*not a git repository/,
  );
  at.commit();
  assert.throws(() => at.select({ since: 'maim' }), { message: 'git knows no commit maim' });
  assert.throws(() => at.select({ since: '--help' }), { message: 'git knows no commit --help' });
});

test('a short test opens no browser, and needs no program that a plain system does not have', () => {
  const root = join(import.meta.dirname, '..', '..');
  const plain = ['bash', 'mkfifo', 'mknod', 'openssl', 'prlimit', 'python3', 'script', 'tar', 'unshare'];
  const wrong: string[] = [];
  for (const file of globSync('test/**/*.test.ts', { cwd: root }).filter((path) => !isLong(path))) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/\b(?:needs|needsPart|onPath)\((?:\w+, )?'([^']+)'/g))
      if (!plain.includes(name!)) wrong.push(`${file} needs ${name}`);
    if (/kit\/(?:web\/(?:browser|visitor)|scene\/visited-instance)\.ts'/.test(text))
      wrong.push(`${file} opens a browser`);
  }
  assert.deepEqual(wrong, []);
});
