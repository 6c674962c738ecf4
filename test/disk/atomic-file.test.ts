import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { removeDurably, syncFolder, writeFileAtomic } from '../../src/disk/atomic-file.ts';
import { isSvcError } from '../../src/text/error.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-atomic-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file is replaced whole, with the permissions asked for, and nothing else is left', async () => {
  const path = join(folder, 'file');
  await writeFileAtomic(path, 'first', { mode: 0o600 });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await writeFileAtomic(path, Buffer.from('second'));
  assert.equal(await readFile(path, 'utf8'), 'second');
  assert.deepEqual(await readdir(folder), ['file']);
});

test('a source that fails in the middle changes nothing', async () => {
  const path = join(folder, 'file');
  await writeFile(path, 'old');
  const source = async function* (): AsyncGenerator<string> {
    yield 'new';
    throw new Error('the source broke');
  };
  await assert.rejects(writeFileAtomic(path, source()), (error) => isSvcError(error, 'SVC-STO-002'));
  assert.equal(await readFile(path, 'utf8'), 'old');
  assert.deepEqual(await readdir(folder), ['file']);
});

test('the temporary file goes where it is told to', async () => {
  const temporaryFolder = join(folder, 'tmp');
  await mkdir(temporaryFolder);
  const seen: string[][] = [];
  const source = async function* (): AsyncGenerator<string> {
    seen.push(await readdir(temporaryFolder));
    yield 'content';
  };
  await writeFileAtomic(join(folder, 'file'), source(), { temporaryFolder });
  assert.match(seen[0]!.join(), /^file\.[0-9a-f]{12}\.tmp$/);
  assert.deepEqual(await readdir(temporaryFolder), []);
  assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'content');
});

test('a link is replaced, not written through', async () => {
  await writeFile(join(folder, 'victim'), 'precious');
  await symlink('victim', join(folder, 'link'));
  await writeFileAtomic(join(folder, 'link'), 'new');
  assert.equal(await readFile(join(folder, 'victim'), 'utf8'), 'precious');
  assert.equal(await readFile(join(folder, 'link'), 'utf8'), 'new');
});

test('a target that cannot be replaced is an error with the path, and leaves no temporary file', async () => {
  await mkdir(join(folder, 'occupied'));
  for (const name of ['occupied', 'absent/file']) {
    await assert.rejects(
      writeFileAtomic(join(folder, name), 'x'),
      (error) => isSvcError(error, 'SVC-STO-002') && error.params.path === join(folder, name),
    );
  }
  assert.deepEqual(await readdir(folder), ['occupied']);
});

test('removing tells whether there was something', async () => {
  const path = join(folder, 'file');
  await writeFile(path, '');
  assert.equal(await removeDurably(path), true);
  assert.equal(await removeDurably(path), false);
  await mkdir(path);
  await assert.rejects(removeDurably(path), (error) => isSvcError(error, 'SVC-STO-002'));
});

test('only a folder that is there can be synced', async () => {
  await syncFolder(folder);
  await assert.rejects(syncFolder(join(folder, 'absent')));
});
