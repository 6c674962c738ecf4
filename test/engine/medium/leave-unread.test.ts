import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { leaveUnread } from '../../../src/engine/medium/leave-unread.ts';
import { openTempFolder, type TempFolder } from '../../kit/instance/temp-folder.ts';

const mib = 1 << 20;
const bsize = 4096;
const ext4 = 61267;
const zfs = 801189825;

let folder: TempFolder;
const sizes = new Map([
  ['whole', mib],
  ['hole-1', mib],
  ['hole-2', mib],
  ['small', 100],
]);
before(async () => {
  folder = await openTempFolder();
  for (const [name, size] of sizes) {
    const isWhole = name === 'whole' || name === 'small';
    await writeFile(`${folder.path}/${name}`, Buffer.alloc(isWhole ? size : 0, 1));
    await truncate(`${folder.path}/${name}`, size);
  }
});
after(() => folder[Symbol.asyncDispose]());

/** The paths that are left unread on a volume of so many bytes. */
const unreadOn = async (bytes: number, type: number): Promise<readonly string[]> => [
  ...(await leaveUnread(folder.path, sizes, async () => ({ type, bsize, blocks: bytes / bsize }))).keys(),
];

test('files with holes are left unread where all files together are larger than the volume', async () => {
  assert.deepEqual(await unreadOn(2 * mib, ext4), ['hole-1', 'hole-2']);
  assert.deepEqual(await unreadOn(4 * mib, ext4), []);
});

test('a filesystem that compresses may hold more bytes than it has', async () => {
  assert.deepEqual(await unreadOn(2 * mib, zfs), []);
});

test('a file that is larger than the volume is left unread on every filesystem', async () => {
  for (const type of [ext4, zfs])
    assert.deepEqual(await unreadOn(mib / 2, type), ['whole', 'hole-1', 'hole-2']);
  // a volume that does not tell its size
  assert.deepEqual(await unreadOn(0, ext4), []);
});
