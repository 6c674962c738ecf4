import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openGuardedFolder } from '../../src/disk/guarded-folder.ts';
import { openGuarded, requirePlace } from '../../src/disk/guarded-open.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { isTransient, toReadError } from '../../src/disk/read-error.ts';
import { isDamage } from '../../src/store/blobs/judge-blob.ts';
import { isSvcError } from '../../src/text/error.ts';
import { leaveSocket } from '../kit/hostile/leave-socket.ts';

let outer: string;
let root: string;
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'svc-guard-')));
  root = join(outer, 'root');
  await mkdir(join(root, 'blobs', 'sha256'), { recursive: true });
  await writeFile(join(root, 'blobs', 'sha256', 'abc'), 'content');
  await mkdir(join(outer, 'outside'));
  await writeFile(join(outer, 'outside', 'secret'), 'secret');
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const unreadable = (error: unknown): boolean => isSvcError(error, 'SVC-STO-001') && !isAbsent(error);
const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

test('a file that is removed while it is opened is read whole, and is not written', async () => {
  const path = join(root, 'blobs', 'sha256', 'abc');
  await using file = await openGuarded(root, 'blobs/sha256/abc');
  await rm(path);
  requirePlace(file, path, true);
  assert.equal(await file.readFile('utf8'), 'content');
  assert.throws(() => requirePlace(file, path), unreadable);
  assert.throws(() => requirePlace(file, join(root, 'blobs', 'sha512', 'abc'), true), unreadable);
});

test('a regular file below the root is opened', async () => {
  await using file = await openGuarded(root, 'blobs/sha256/abc');
  assert.equal(await file.readFile('utf8'), 'content');
});

test('what is missing is told from what is refused', async () => {
  await assert.rejects(openGuarded(root, 'blobs/none'), isAbsent);
  await assert.rejects(openGuarded(root, 'none/file'), isAbsent);
  await assert.rejects(openGuardedFolder(root, 'none'), isAbsent);
});

test('no link is followed, neither of the file nor of a folder above it, wherever it points', async () => {
  await symlink(join(outer, 'outside', 'secret'), join(root, 'file-link'));
  await symlink(join(outer, 'outside'), join(root, 'folder-link'));
  await symlink('blobs', join(root, 'inner-link'));
  for (const path of ['file-link', 'folder-link/secret', 'inner-link/sha256/abc']) {
    await assert.rejects(openGuarded(root, path), unreadable, path);
  }
  for (const path of ['folder-link', 'inner-link', 'inner-link/sha256']) {
    await assert.rejects(openGuardedFolder(root, path), unreadable, path);
    await assert.rejects(openGuardedFolder(root, path, { create: true }), unreadable, path);
  }
});

test('nothing above the root is reached', async () => {
  await assert.rejects(openGuardedFolder(root, '../outside', { create: true }), unreadable);
  await assert.rejects(openGuardedFolder(root, 'blobs/../../outside'), unreadable);
});

test('a pipe, a socket, a folder and a device are refused without waiting, and not as something that may pass', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  await leaveSocket(join(root, 'socket'), join(outer, 'socket'));
  const lasting = (error: unknown): boolean => unreadable(error) && isDamage(error) && !isTransient(error);
  for (const name of ['pipe', 'socket', 'blobs'])
    await assert.rejects(openGuarded(root, name), lasting, name);
  await assert.rejects(openGuarded('/dev', 'null'), lasting);
  await using folder = await openGuardedFolder(root, '');
  for (const name of ['pipe', 'socket'])
    await assert.rejects(folder.open(name, constants.O_WRONLY), lasting, name);
});

test('a file whose device was taken away is not read now, and a socket at its name never', async () => {
  const path = join(root, 'blobs', 'sha256', 'abc');
  const failed = (at: string) =>
    Object.assign(new Error('ENXIO'), { code: 'ENXIO', syscall: 'open', path: at });
  assert.equal(toReadError(failed(path), path).code, 'SVC-STO-014');
  assert.equal(isTransient(failed(path)), true);
  assert.equal(isTransient(failed(join(root, 'none'))), true);
  const socket = join(root, 'socket');
  await leaveSocket(socket, join(outer, 'socket'));
  assert.equal(toReadError(failed(socket), socket).code, 'SVC-STO-001');
  assert.equal(isTransient(failed(socket)), false);
});

test('a file with a second name is not opened for writing', async () => {
  await link(join(root, 'blobs', 'sha256', 'abc'), join(root, 'twin'));
  await assert.rejects(openGuarded(root, 'twin', constants.O_RDWR), unreadable);
  await (await openGuarded(root, 'twin')).close();
});

test('missing folders are made, and files are made in the very folder that was opened', async () => {
  await using folder = await openGuardedFolder(root, '_svc/tmp', { create: true });
  assert.equal(folder.path, join(root, '_svc', 'tmp'));
  // the name now leads elsewhere; the open folder does not
  await rename(join(root, '_svc', 'tmp'), join(root, '_svc', 'moved'));
  await symlink(join(outer, 'outside'), join(root, '_svc', 'tmp'));
  await using file = await folder.open('new', creating);
  await file.writeFile('text');
  await folder.sync();
  assert.deepEqual(await readdir(join(outer, 'outside')), ['secret']);
  assert.equal(await readFile(join(root, '_svc', 'moved', 'new'), 'utf8'), 'text');
});

test('a link in the place of a folder to write to is refused before anything is made behind it', async () => {
  await symlink(join(outer, 'outside'), join(root, '_svc'));
  await assert.rejects(openGuardedFolder(root, '_svc/logs', { create: true }), unreadable);
  assert.deepEqual(await readdir(join(outer, 'outside')), ['secret']);
});

test('a link in the place of a file to write is an error of the write, and is not followed', async () => {
  await using folder = await openGuardedFolder(root, 'blobs');
  await symlink(join(outer, 'outside', 'made'), join(root, 'blobs', 'link'));
  const flags = constants.O_WRONLY | constants.O_CREAT;
  await assert.rejects(folder.open('link', flags), (error) => isSvcError(error, 'SVC-STO-002'));
  await assert.rejects(folder.open('link', constants.O_RDONLY), unreadable);
  await assert.rejects(folder.open('none', constants.O_RDONLY), isAbsent);
  assert.deepEqual(await readdir(join(outer, 'outside')), ['secret']);
});

test('a file in the place of a folder is refused, not taken for absent', async () => {
  await writeFile(join(root, '_svc'), '');
  await assert.rejects(openGuardedFolder(root, '_svc', { create: true }), unreadable);
  await assert.rejects(openGuardedFolder(root, '_svc'), unreadable);
});

test('a folder that several make at once is a folder to all of them', async () => {
  for (let round = 0; round < 100; round += 1) {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => openGuardedFolder(root, `made/${round}/below`, { create: true })),
    );
    for (const folder of opened) await folder.close();
  }
});

test('no folder is made in another root that took the place of the one that was looked at', async () => {
  const [disk, pulled] = [join(outer, 'disk'), join(outer, 'pulled')];
  await mkdir(disk);
  // the disk is pulled after the look, and a folder of the root filesystem is in its place
  const check = async (): Promise<void> => {
    await rename(disk, pulled);
    await mkdir(disk);
  };
  await assert.rejects(openGuardedFolder(disk, 'delivery/part-2', { create: true, check }), (error) =>
    isSvcError(error, 'SVC-STO-001'),
  );
  assert.deepEqual(await readdir(disk), []);
  const refusal = new Error('gone');
  await assert.rejects(
    openGuardedFolder(disk, 'other', { create: true, check: () => Promise.reject(refusal) }),
    (error) => error === refusal,
  );
  assert.deepEqual(await readdir(disk), []);
});
