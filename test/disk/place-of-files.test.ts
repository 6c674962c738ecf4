import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { liesAt } from '../../src/disk/place/lies-at.ts';
import { isSameNode } from '../../src/disk/place/same-node.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const volume = (type: number) => () => ({ type });
const [vfat, exfat, ext4] = [volume(0x4d44), volume(0x2011bab0), volume(0xef53)];

test('a file lies where it was asked for, in any case where the filesystem takes names in any', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'ledger');
  writeFileSync(path, 'x');
  await symlink(path, join(folder.path, 'LEDGER'));
  const fd = openSync(path, 'r');
  try {
    assert.equal(liesAt(fd, path), true);
    for (const fat of [vfat, exfat]) {
      assert.equal(liesAt(fd, join(folder.path, 'LEDGER'), fat), true);
      assert.equal(liesAt(fd, join(folder.path, 'ledgers'), fat), false);
    }
    assert.equal(liesAt(fd, join(folder.path, 'LEDGER')), false, 'a link elsewhere');
    assert.equal(liesAt(fd, join(folder.path, 'LEDGER'), ext4), false);
  } finally {
    closeSync(fd);
  }
});

test('a file is the same by its number, where the filesystem has numbers of its own', () => {
  const here = { dev: 1n, ino: 2n };
  const anew = { dev: 1n, ino: 3n };
  const never = () => assert.fail('the volume need not be asked');
  assert.equal(isSameNode(here, { ...here }, '/', never), true);
  assert.equal(isSameNode(here, { dev: 2n, ino: 2n }, '/', never), false);
  assert.equal(isSameNode(here, anew, '/', ext4), false);
  for (const fat of [vfat, exfat, volume(0x65735546)]) assert.equal(isSameNode(here, anew, '/', fat), true);
});
