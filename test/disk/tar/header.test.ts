import assert from 'node:assert/strict';
import { readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { list, type ReadEntry } from 'tar';
import {
  type TarEntry,
  tarBlockBytes,
  tarEnd,
  tarPadding,
  toTarHeader,
} from '../../../src/disk/tar/header.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { runProgram } from '../../kit/program/run-program.ts';

const long = 'x'.repeat(100);
const entries: readonly TarEntry[] = [
  { path: 'folder/', type: 'folder' },
  { path: 'folder/file', type: 'file', size: 5, mode: 0o640 },
  { path: 'folder/program', type: 'file', size: 0, mode: 0o755 },
  { path: 'folder/link', type: 'link', target: 'file' },
  { path: 'y'.repeat(100), type: 'file', size: 1 },
  { path: `${long.slice(0, 99)}/`, type: 'folder' },
  { path: `${long.slice(0, 99)}/${long}`, type: 'file', size: 512 },
  { path: `${long}/`, type: 'folder' },
  { path: `${long}y`, type: 'file', size: 2 },
  { path: 'blobs/', type: 'folder' },
  { path: `blobs/${'a'.repeat(128)}`, type: 'file', size: 3 },
  { path: `${`${'d'.repeat(80)}/`.repeat(3)}name`, type: 'file', size: 1 },
  { path: 'Grüße', type: 'file', size: 513 },
  { path: `${'日本語'.repeat(20)}.txt`, type: 'file', size: 1 },
  { path: 'far', type: 'link', target: `${long}y` },
  { path: 'weit', type: 'link', target: 'Grüße' },
  { path: 'new\nline and space', type: 'file', size: 1 },
];

function toArchive(list: readonly TarEntry[]): Buffer {
  const parts = list.flatMap((entry) => [
    toTarHeader(entry),
    Buffer.alloc(entry.size ?? 0, 'c'),
    Buffer.alloc(tarPadding(entry.size ?? 0)),
  ]);
  return Buffer.concat([...parts, tarEnd]);
}

test('every header is whole blocks', () => {
  for (const entry of entries) assert.equal(toTarHeader(entry).length % tarBlockBytes, 0, entry.path);
});

test('the tar package reads back what every entry said', async () => {
  await using folder = await openTempFolder();
  const file = join(folder.path, 'archive.tar');
  await writeFile(file, toArchive(entries));
  const seen: Pick<ReadEntry, 'path' | 'type' | 'size' | 'mode' | 'linkpath' | 'uid' | 'gid' | 'mtime'>[] =
    [];
  await list({ file, strict: true, onReadEntry: (entry) => seen.push(entry) });
  const types = { file: 'File', folder: 'Directory', link: 'SymbolicLink' } as const;
  const modes = { file: 0o644, folder: 0o755, link: 0o777 } as const;
  assert.deepEqual(
    seen.map(({ path, type, size, mode, linkpath, uid, gid, mtime }) => ({
      path,
      type,
      size,
      mode,
      linkpath: linkpath ?? '',
      uid,
      gid,
      mtime: mtime?.getTime(),
    })),
    entries.map(({ path, type, size = 0, mode = modes[type], target = '' }) => ({
      path,
      type: types[type],
      size,
      mode,
      linkpath: target,
      uid: 0,
      gid: 0,
      mtime: 0,
    })),
  );
});

test('GNU tar extracts every entry under its name', async (t) => {
  const tar = needs(t, 'tar');
  if (!tar) return;
  await using temporary = await openTempFolder();
  const folder = temporary.path;
  await writeFile(join(folder, 'archive.tar'), toArchive(entries));
  const { exitCode, stderr } = await runProgram(tar, ['-xf', 'archive.tar', '--no-same-owner'], {
    env: {},
    cwd: folder,
  });
  assert.equal(exitCode, 0, stderr);
  for (const { path, type, size = 0, target } of entries) {
    if (type === 'link') assert.equal(await readlink(join(folder, path)), target);
    else if (type === 'file') assert.equal((await stat(join(folder, path))).size, size, path);
    else assert.ok((await stat(join(folder, path))).isDirectory(), path);
  }
  assert.equal((await stat(join(folder, 'folder/file'))).mode & 0o777, 0o640);
  assert.equal(await readFile(join(folder, 'Grüße'), 'utf8'), 'c'.repeat(513));
});

test('a size of more than 11 octal digits is exact', () => {
  const size = 2 ** 33;
  const header = toTarHeader({ path: 'large', type: 'file', size });
  assert.equal(header.length, 3 * tarBlockBytes);
  assert.equal(header.toString('latin1', 512, 512 + 19), `19 size=${size}\n`);
  const below = toTarHeader({ path: 'large', type: 'file', size: size - 1 });
  assert.equal(below.length, tarBlockBytes);
  assert.equal(below.toString('latin1', 124, 135), '77777777777');
});

test('the length of an extended record counts its own digits', () => {
  for (let length = 60; length < 1100; length += 1) {
    const path = 'é'.repeat(length);
    const header = toTarHeader({ path, type: 'file' });
    const total = Number(/^[0-9]+/.exec(header.toString('latin1', 512))![0]);
    assert.equal(header.toString('utf8', 512, 512 + total), `${total} path=${path}\n`);
    assert.equal(header.length, 1024 + Math.ceil(total / 512) * 512);
  }
});

test('bits that are no permissions never get in beside the setuid, setgid and sticky bits', () => {
  const header = toTarHeader({ path: 'file', type: 'file', mode: 0o100644 });
  assert.equal(header.toString('latin1', 100, 107), '0000644');
});
