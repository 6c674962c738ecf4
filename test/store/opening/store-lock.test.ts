import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireStoreLock } from '../../../src/store/opening/store-lock.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { startLockHolder } from '../../kit/instance/lock-holder.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const write = { access: 'write', holder: 'test' } as const;
const read = { access: 'read', holder: 'test' } as const;
const visit = { access: 'visit', holder: 'test' } as const;
const held = (error: unknown): boolean => isSvcError(error, 'SVC-STO-007');

/** Every name below a folder with the facts that a change of it would show. */
async function snapshot(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const { ino, size, mtimeNs, ctimeNs } = await lstat(join(folder, name), { bigint: true });
      return [name, ino, size, mtimeNs, ctimeNs].join(' ');
    }),
  );
}

test('the writer of its own store locks it exclusively, and the lock file is created', async () => {
  await using folder = await openTempFolder();
  {
    await using lock = await acquireStoreLock(folder.path, write);
    assert.deepEqual([lock.mode, lock.notice], ['exclusive', undefined]);
    await assert.rejects(acquireStoreLock(folder.path, write), held);
    await assert.rejects(acquireStoreLock(folder.path, read), held);
    await assert.rejects(acquireStoreLock(folder.path, visit), held);
  }
  assert.deepEqual(await readdir(join(folder.path, '_svc')), ['lock']);
});

test('several visitors lock a store at once, and are refused beside a writer until it is killed', async () => {
  await using folder = await openTempFolder();
  await (await acquireStoreLock(folder.path, write)).release();
  const path = join(folder.path, '_svc', 'lock');
  const other = await startLockHolder(path, 'shared', { holder: 'other', untouched: true });
  {
    await using lock = await acquireStoreLock(folder.path, visit);
    assert.equal(lock.mode, 'shared');
    await assert.rejects(acquireStoreLock(folder.path, write), held);
  }
  await other.kill();
  const writer = await startLockHolder(path, 'exclusive');
  await assert.rejects(acquireStoreLock(folder.path, visit), held);
  await writer.kill();
  await using lock = await acquireStoreLock(folder.path, visit);
  assert.equal(lock.mode, 'shared');
});

test('a visit changes nothing in a store and creates no lock file', async () => {
  await using folder = await openTempFolder();
  const bare = await snapshot(folder.path);
  {
    await using lock = await acquireStoreLock(folder.path, visit);
    assert.equal(lock.mode, 'none');
    assert.equal(lock.notice, undefined, 'nobody has locked it');
  }
  assert.deepEqual(await snapshot(folder.path), bare);
  await mkdir(join(folder.path, '_svc'));
  await writeFile(join(folder.path, '_svc', 'lock'), '');
  const before = await snapshot(folder.path);
  {
    await using lock = await acquireStoreLock(folder.path, visit);
    assert.equal(lock.mode, 'shared');
  }
  assert.deepEqual(await snapshot(folder.path), before);
});

test('a lock file that is not an empty regular file is not opened, with a notice', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, '_svc', 'lock');
  await mkdir(join(folder.path, '_svc'));
  const plants: (() => Promise<unknown> | unknown)[] = [
    () => writeFile(path, 'SQLite format 3\0'),
    () => mkdir(path),
    () => symlink('/dev/zero', path),
    () => execFileSync('mkfifo', [path]),
    async () => {
      await writeFile(path, '');
      await writeFile(`${path}-journal`, 'planted');
    },
    async () => {
      await writeFile(path, '');
      await symlink('/etc/passwd', `${path}-wal`);
    },
    async () => {
      await writeFile(path, '');
      await writeFile(`${path}-shm`, '');
    },
  ];
  for (const plant of plants) {
    await plant();
    const before = await snapshot(folder.path);
    await using lock = await acquireStoreLock(folder.path, visit);
    assert.equal(lock.mode, 'none');
    assert.ok(lock.notice);
    assert.deepEqual(await snapshot(folder.path), before);
    for (const name of ['lock', 'lock-journal', 'lock-wal', 'lock-shm'])
      await rm(join(folder.path, '_svc', name), { recursive: true, force: true });
  }
});

test('a link in the place of the folder is refused by a writer and not followed by a visitor', async () => {
  await using folder = await openTempFolder();
  await using outside = await openTempFolder();
  await writeFile(join(outside.path, 'lock'), '');
  await symlink(outside.path, join(folder.path, '_svc'));
  await assert.rejects(acquireStoreLock(folder.path, write), (error) => isSvcError(error, 'SVC-STO-001'));
  await using lock = await acquireStoreLock(folder.path, visit);
  assert.equal(lock.mode, 'none');
  assert.deepEqual(await readdir(outside.path), ['lock']);
});
