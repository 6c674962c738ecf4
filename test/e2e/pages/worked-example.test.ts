import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { TestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = await openTempFolder();
const copy = join(folder.path, 'svc');
let server: TestServer;

/** Makes the change of one block of the page: a new file, an addition below a line, or one at the end. */
async function apply(block: string): Promise<void> {
  const [first, ...others] = block.split('\n');
  const path = join(copy, /^\/\/ (\S+)$/.exec(first!)![1]!);
  const anchor = /^\/\/ after: (.*)$/.exec(others[0]!)?.[1];
  const lines = anchor === undefined ? others : others.slice(1);
  const imports = lines.filter((line) => line.startsWith('import '));
  const added = lines.filter((line) => !line.startsWith('import '));
  const before = await readFile(path, 'utf8').catch(() => '');
  const at = anchor === undefined ? before.length : before.indexOf(`${anchor}\n`) + anchor.length + 1;
  assert.ok(anchor === undefined || before.includes(`${anchor}\n`), `${path} has no line ${anchor}`);
  await mkdir(dirname(path), { recursive: true });
  const text = `${before.slice(0, at)}${added.join('\n')}\n${before.slice(at)}`;
  await writeFile(path, `${imports.map((line) => `${line}\n`).join('')}${text}`);
}

before(async () => {
  for (const name of ['src', 'commands', 'server', 'test/kit', 'package.json', 'tsconfig.json', 'docs'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const page = await readFile(join(root, 'docs/changing-the-code.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(.*?)\n```$/gms)].map(([, block]) => block!);
  assert.ok(blocks.length > 7, String(blocks.length));
  for (const block of blocks) await apply(block);
  const { startTestServer } = await import(join(copy, 'test/kit/instance/server.ts'));
  server = await startTestServer({ folder: join(folder.path, 'instance') });
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('the example of the guide for maintainers compiles', async () => {
  const compiler = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(compiler, ['-p', copy, '--incremental', 'false'], { cwd: copy }).catch((error) =>
    assert.fail(error.stdout),
  );
});

test('the operation of the example answers by the API, and checks its query', async () => {
  const headers = { authorization: server.as.viewer };
  const answer = await server.fetch('/api/v1/task-counts', { headers });
  assert.deepEqual(await answer.json(), {
    counts: { pending: 0, running: 0, done: 0, failed: 0, cancelled: 0 },
  });
  const wrong = await server.fetch('/api/v1/task-counts?type=bogus', { headers });
  assert.equal(wrong.status, 422);
  const document = await server.fetch('/api/v1/openapi.yaml', { headers });
  assert.match(await document.text(), /operationId: countTasks/);
});

test('the command of the example prints the answer, and refuses a wrong value in both languages', async () => {
  const { runInLanguage } = await import(join(copy, 'test/kit/program/run-command.ts'));
  const args = ['task', 'count', '--instance', server.url];
  const env = { SVC_API_TOKEN: server.as.viewer.replace('Bearer ', '') };
  const printed = await runInLanguage(args, 'en', env);
  assert.match(printed.stdout, /^pending\s+0$/m, printed.stderr);
  const wrong = await runInLanguage([...args, '--type', 'bogus'], 'fr', env);
  assert.deepEqual([wrong.exitCode, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /--type prend une valeur parmi sync, import/);
  const help = await runInLanguage(['task', 'count', '--help'], 'fr');
  assert.match(help.stdout, /seulement les tâches de ce type/);
});

test('the page of the example shows the answer and its form, in both languages', async () => {
  for (const [language, title] of [
    ['en', 'Tasks by state'],
    ['fr', 'Tâches par état'],
  ] as const) {
    const page = await server.fetch('/task-counts?type=sync', {
      headers: { authorization: server.as.viewer, 'accept-language': language },
    });
    const text = await page.text();
    assert.equal(page.status, 200, text);
    assert.match(text, new RegExp(`<h1[^>]*>${title}`));
    assert.match(text, /<option value="sync" selected/);
    assert.match(text, /<dt>failed<\/dt><dd>0<\/dd>/);
  }
});
