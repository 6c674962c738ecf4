import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createRotatingFile } from '../../src/disk/rotating-file.ts';
import { isSvcError } from '../../src/text/error.ts';

let root: string;
const path = '_svc/logs/operations.log';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-rotate-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function contents(): Promise<Record<string, string>> {
  const folder = join(root, '_svc', 'logs');
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
}

test('texts keep their order, and old ones move on generation by generation', async () => {
  await using file = createRotatingFile({ root, path, maxSize: 10, keep: 2 });
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => file.append(`${letter}234\n`)));
  assert.deepEqual(await contents(), {
    'operations.log': 'g234\n',
    'operations.log.1': 'e234\nf234\n',
    'operations.log.2': 'c234\nd234\n',
  });
});

test('without old generations one file remains', async () => {
  await using file = createRotatingFile({ root, path, maxSize: 10, keep: 0 });
  for (const letter of ['a', 'b', 'c']) await file.append(`${letter}234\n`);
  assert.deepEqual(await contents(), { 'operations.log': 'c234\n' });
});

test('what is there is continued, also after closing', async () => {
  await mkdir(join(root, '_svc', 'logs'), { recursive: true });
  await writeFile(join(root, path), 'old\n');
  await using file = createRotatingFile({ root, path, maxSize: 100, keep: 1 });
  await file.append('new\n');
  await file.close();
  await file.append('newer\n');
  assert.deepEqual(await contents(), { 'operations.log': 'old\nnew\nnewer\n' });
});

test('a text larger than the file is cut, and its line still ends', async () => {
  await using file = createRotatingFile({ root, path, maxSize: 10, keep: 1 });
  await file.append(`${'x'.repeat(50)}\n`);
  assert.deepEqual(await contents(), { 'operations.log': `${'x'.repeat(9)}\n` });
});

test('a link in the place of the file or a folder is refused, and nothing behind it changes', async () => {
  const victim = join(root, 'victim');
  await writeFile(victim, 'precious');
  await mkdir(join(root, '_svc', 'logs'), { recursive: true });
  await symlink(victim, join(root, path));
  await using file = createRotatingFile({ root, path, maxSize: 10, keep: 1 });
  await assert.rejects(file.append('evil'), (error) => isSvcError(error));
  await rm(join(root, path));
  await link(victim, join(root, path));
  await assert.rejects(file.append('evil'), (error) => isSvcError(error));
  await rm(join(root, '_svc'), { recursive: true });
  await symlink('.', join(root, '_svc'));
  await assert.rejects(file.append('evil'), (error) => isSvcError(error));
  assert.equal(await readFile(victim, 'utf8'), 'precious');
  // and it recovers when the link is gone
  await rm(join(root, '_svc'));
  await file.append('good\n');
  assert.equal((await stat(join(root, path))).size, 5);
});
