import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { listMedium, toBlobDigest } from '../../../src/engine/medium/inventory.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const hex = hashBytes('x').slice(7);

test('a path below blobs names a digest only in its one form', () => {
  assert.equal(toBlobDigest(`blobs/sha256/${hex}`), `sha256:${hex}`);
  assert.equal(toBlobDigest(`blobs/sha512/${hex}${hex}`), `sha512:${hex}${hex}`);
  for (const path of [
    `blobs/sha256/${hex.toUpperCase()}`,
    `blobs/sha256/${hex}/x`,
    `blobs/sha256/${hex}x`,
    `blobs/sha512/${hex}`,
    `blobs/md5/${hex}`,
    `Blobs/sha256/${hex}`,
    `blobs/sha256`,
    'blobs',
    '',
  ])
    assert.equal(toBlobDigest(path), undefined, path);
});

test('listed files, listed names without a file, and unlisted names are distinguished, and unlisted folders are not entered', async () => {
  await using folder = await openTempFolder();
  const root = folder.path;
  const put = async (path: string) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), '');
  };
  for (const path of ['oci-layout', 'media.jsonl', '_svc/logs/x', 'ledger/a', 'lost+found/x', 'blobs/x'])
    await put(path);
  await put(`blobs/sha256/${hex}`);
  await put('blobs/md5/inside');
  await mkdir(join(root, 'blobs/sha512'), { recursive: true });
  await symlink('x', join(root, 'blobs/sha512/link'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await mkdir(join(root, 'folder'));
  const listed = new Set([
    'oci-layout',
    `blobs/sha256/${hex}`,
    'ledger/a',
    'pipe',
    'folder',
    'blobs/sha512/link',
    'gone',
  ]);
  const { files, special, extraneous } = await listMedium(root, (path) => listed.has(path));
  assert.deepEqual([...files].sort(), [`blobs/sha256/${hex}`, 'ledger/a', 'oci-layout']);
  assert.deepEqual([...special].sort(), ['blobs/sha512/link', 'folder', 'pipe']);
  assert.deepEqual([...extraneous], ['blobs/md5', 'blobs/x', 'lost+found']);
});

test('folders of a store behind links are strangers', async () => {
  await using folder = await openTempFolder();
  const root = folder.path;
  for (const name of ['blobs', 'ledger', '_svc', 'media.jsonl']) await symlink('/etc', join(root, name));
  const { files, extraneous } = await listMedium(root, () => false);
  assert.equal(files.size, 0);
  assert.deepEqual([...extraneous], ['_svc', 'blobs', 'ledger', 'media.jsonl']);
});

test('a folder that cannot be read is no verdict', async () => {
  await using folder = await openTempFolder();
  await assert.rejects(
    listMedium(join(folder.path, 'gone'), () => false),
    (error) => isSvcError(error, 'SVC-STO-001'),
  );
});
