import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import {
  packSmallFiles,
  readSmallFiles,
  type SmallFile,
  unpackSmallFiles,
} from '../../../src/disk/threads/read-small.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const contentOf = (name: string): Buffer => Buffer.from(`the content of ${name}`);
const toFile = (name: string, content = contentOf(name)): SmallFile => ({
  path: `blobs/${name}`,
  digest: hashBytes(content, 'sha256'),
  size: content.length,
});

test('small files are read whole when they have their digest and size, and through no link', async () => {
  await using folder = await openTempFolder();
  const path = (name: string) => join(folder.path, 'blobs', name);
  await mkdir(path('folder'), { recursive: true });
  await mkdir(join(folder.path, 'aside'));
  for (const name of ['a', 'b', 'longer', 'shorter', 'other', 'empty', 'last'])
    await writeFile(path(name), name === 'empty' ? '' : contentOf(name));
  await writeFile(path('longer'), 'and more', { flag: 'a' });
  await writeFile(path('shorter'), contentOf('shorter').subarray(1));
  await writeFile(path('other'), contentOf('OTHER'));
  await symlink(path('a'), path('link'));
  await link(path('a'), path('twice'));
  execFileSync('mkfifo', [path('fifo')]);
  await writeFile(join(folder.path, 'aside', 'x'), contentOf('x'));
  await symlink(join(folder.path, 'aside'), path('linked'));
  const files: readonly (readonly [SmallFile, boolean])[] = [
    [toFile('a'), true],
    [toFile('absent'), false],
    [toFile('longer'), false],
    [toFile('shorter'), false],
    [toFile('other'), false],
    [toFile('b'), true],
    [toFile('empty', Buffer.alloc(0)), true],
    [{ ...toFile('a'), path: 'blobs/link' }, false],
    [{ ...toFile('a'), path: 'blobs/twice' }, true],
    [toFile('fifo'), false],
    [toFile('folder'), false],
    [{ ...toFile('x'), path: 'blobs/linked/x' }, false],
    [{ ...toFile('a'), path: '/dev/zero' }, false],
    [toFile('last'), true],
  ];
  const { bytes, found } = readSmallFiles(
    folder.path,
    files.map(([file]) => file),
  );
  assert.deepEqual(
    found,
    files.map(([, isThere]) => isThere),
  );
  let at = 0;
  for (const [{ digest, size }] of files.filter(([, isThere]) => isThere)) {
    assert.equal(hashBytes(bytes.subarray(at, at + size), 'sha256'), digest);
    at += size;
  }
});

test('after its time, nothing is opened; a folder that became a link is left', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'blobs'));
  await writeFile(join(folder.path, 'blobs', 'a'), contentOf('a'));
  const read = (until?: number) => readSmallFiles(folder.path, [toFile('a')], until).found;
  assert.deepEqual(read(performance.now() - 1), [false]);
  assert.deepEqual(read(), [true]);
  await rename(join(folder.path, 'blobs'), join(folder.path, 'moved'));
  await symlink(join(folder.path, 'moved'), join(folder.path, 'blobs'));
  assert.deepEqual(read(), [false]);
});

test('files are the same when they were packed for a thread', () => {
  for (const files of [[], [toFile('a')], [toFile('a'), toFile('b c\n'), toFile('', Buffer.alloc(0))]])
    assert.deepEqual(unpackSmallFiles(packSmallFiles(files)), files);
});
