import assert from 'node:assert/strict';
import { readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder, makeFolderBelow } from '../../src/disk/make-folder.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const isCode = (code: string) => (error: unknown) => (error as NodeJS.ErrnoException).code === code;

test('a folder is made with its parents, and making it again or at the same time is fine', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'a', 'b', 'c');
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700)]);
  await makeFolder(path);
  assert.equal((await stat(path)).mode & 0o777, 0o700);
});

test('what stands in the way is an error, not a folder', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'file'), '');
  await assert.rejects(makeFolder(join(folder.path, 'file')), isCode('EEXIST'));
  await assert.rejects(makeFolder(join(folder.path, 'file', 'below')), isCode('ENOTDIR'));
  await symlink(join(folder.path, 'nowhere'), join(folder.path, 'link'));
  await assert.rejects(makeFolder(join(folder.path, 'link')), isCode('EEXIST'));
});

test('a file system that makes no folders is an error, and not waited for', async () => {
  await assert.rejects(makeFolder('/proc/no-such-folder/below'), isCode('ENOENT'));
});

test('a folder below a root is made, and a root that is gone is not', async () => {
  await using folder = await openTempFolder();
  await makeFolderBelow(folder.path, 'blobs/sha256');
  assert.deepEqual((await readdir(folder.path, { recursive: true })).sort(), ['blobs', 'blobs/sha256']);
  await assert.rejects(makeFolderBelow(join(folder.path, 'gone'), 'blobs/sha256'), { code: 'ENOENT' });
  assert.deepEqual(await readdir(folder.path), ['blobs']);
});
