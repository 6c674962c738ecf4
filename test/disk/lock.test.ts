import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { acquireLock } from '../../src/disk/lock.ts';
import { isSvcError } from '../../src/text/error.ts';
import { exhaustDescriptors } from '../kit/hostile/exhaust-descriptors.ts';
import { startLockHolder } from '../kit/instance/lock-holder.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const holder = 'test';
const held = (error: unknown): boolean => isSvcError(error, 'SVC-STO-007');
const refused = (error: unknown): boolean => isSvcError(error, 'SVC-STO-002');

test('an exclusive lock keeps others of this process out until it is released', async () => {
  const lock = await acquireLock(path, 'exclusive', { holder });
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), held);
  await assert.rejects(acquireLock(path, 'shared', { holder }), held);
  await lock.release();
  await lock.release();
  await using _again = await acquireLock(path, 'exclusive', { holder });
});

test('a lock leaves one empty file, and a holder beside it only while it stands', async () => {
  const lock = await acquireLock(path, 'exclusive', { holder: 'serve' });
  assert.deepEqual(await readdir(folder), ['lock', 'lock.holder']);
  assert.match(await readFile(`${path}.holder`, 'utf8'), /^serve \(process \d+\)\n$/);
  await lock.release();
  assert.deepEqual(await readdir(folder), ['lock']);
  assert.equal((await stat(path)).size, 0);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('a kill of the holder ends its lock, and until then the error names it', async () => {
  const other = await startLockHolder(path, 'exclusive', { holder: 'the other one' });
  await assert.rejects(
    acquireLock(path, 'exclusive', { holder }),
    (error) => held(error) && /^the other one \(process \d+\)$/.test(String((error as any).params.holder)),
  );
  await assert.rejects(acquireLock(path, 'shared', { holder }), held);
  await other.kill();
  await using _lock = await acquireLock(path, 'exclusive', { holder });
  assert.match(await readFile(`${path}.holder`, 'utf8'), /^test /);
});

test('shared holders stand beside each other and keep a writer out', async () => {
  const other = await startLockHolder(path, 'shared');
  {
    await using _lock = await acquireLock(path, 'shared', { holder });
    await assert.rejects(acquireLock(path, 'exclusive', { holder }), held);
  }
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), held);
  await other.kill();
  await using _lock = await acquireLock(path, 'exclusive', { holder });
});

test('with patience the lock is waited for', async () => {
  const first = await acquireLock(path, 'exclusive', { holder });
  const second = acquireLock(path, 'exclusive', { holder, patience: 10_000 });
  const order: string[] = [];
  const waiting = second.then((lock) => {
    order.push('second');
    return lock;
  });
  order.push('release');
  await first.release();
  await (await waiting).release();
  assert.deepEqual(order, ['release', 'second']);
});

test('many asking at once for a file that is not there yet get it one after the other', async () => {
  let inside = 0;
  let turns = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await using _lock = await acquireLock(path, 'exclusive', { holder, patience: 20_000 });
      inside += 1;
      assert.equal(inside, 1);
      await new Promise(setImmediate);
      turns += 1;
      inside -= 1;
    }),
  );
  assert.equal(turns, 20);
});

test('a hot journal planted beside our own lock is removed before SQLite can follow it', async () => {
  const victim = join(folder, 'victim');
  await writeFile(victim, 'precious');
  await writeFile(path, '');
  for (const companion of ['-journal', '-wal', '-shm']) await writeFile(path + companion, 'planted');
  {
    await using _lock = await acquireLock(path, 'exclusive', { holder });
    assert.deepEqual(await readdir(folder), ['lock', 'lock.holder', 'victim']);
  }
  await symlink('victim', `${path}-journal`);
  await using _lock = await acquireLock(path, 'exclusive', { holder });
  assert.equal(await readFile(victim, 'utf8'), 'precious');
});

test('what is not an empty regular file is no lock', async () => {
  await writeFile(path, 'not a database');
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), refused);
  await rm(path);
  await mkdir(path);
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), refused);
  await rm(path, { recursive: true });
  await writeFile(join(folder, 'elsewhere'), '');
  await symlink('elsewhere', path);
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), refused);
  await assert.rejects(acquireLock(path, 'shared', { holder, untouched: true }), refused);
  await assert.rejects(acquireLock(join(folder, 'absent', 'lock'), 'exclusive', { holder }), refused);
});

test('an untouched lock makes nothing and refuses what SQLite would mend', async () => {
  const untouched = { holder, untouched: true };
  await assert.rejects(acquireLock(path, 'shared', untouched), refused);
  assert.deepEqual(await readdir(folder), []);
  await writeFile(path, '');
  for (const companion of ['-journal', '-wal', '-shm']) {
    await writeFile(path + companion, '');
    await assert.rejects(acquireLock(path, 'shared', untouched), refused);
    assert.deepEqual((await readdir(folder)).sort(), ['lock', `lock${companion}`]);
    await rm(path + companion);
  }
  const before = await stat(path, { bigint: true });
  {
    await using _lock = await acquireLock(path, 'shared', untouched);
    assert.deepEqual(await readdir(folder), ['lock']);
  }
  const after = await stat(path, { bigint: true });
  assert.deepEqual([after.ino, after.mtimeNs, after.ctimeNs], [before.ino, before.mtimeNs, before.ctimeNs]);
});

test('a lock file that may only be read locks shared, and a writer of another process sees it', async () => {
  await writeFile(path, '');
  const other = await startLockHolder(path, 'shared', { holder, untouched: true });
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), held);
  await other.kill();
  if (process.getuid?.() === 0) return;
  await chmod(path, 0o400);
  await using _lock = await acquireLock(path, 'shared', { holder, untouched: true });
  await assert.rejects(acquireLock(path, 'exclusive', { holder }), refused);
});

test('a holder text is never written through a link, and hostile text is not passed on', async () => {
  const victim = join(folder, 'victim');
  await writeFile(victim, 'precious');
  await symlink('victim', `${path}.holder`);
  const lock = await acquireLock(path, 'exclusive', { holder });
  assert.equal(await readFile(victim, 'utf8'), 'precious');
  await writeFile(`${path}.holder`, '\u001b[2Jevil\u202e\n');
  await assert.rejects(
    acquireLock(path, 'shared', { holder }),
    (error) => (error as any).params.holder === '[2Jevil',
  );
  await lock.release();
});

test('a lock that cannot be taken for want of descriptors is transient, however many are left', async (t) => {
  await writeFile(path, '');
  for (const mode of ['exclusive', 'shared'] as const) {
    const codes: string[] = [];
    for (let spared = 0; spared <= 6; spared += 1) {
      using short = exhaustDescriptors(t);
      if (short === undefined) return;
      short.spare(spared);
      await acquireLock(path, mode, { holder }).then(
        (lock) => lock.release(),
        ({ code }) => codes.push(code),
      );
    }
    assert.deepEqual([...new Set(codes)], ['SVC-STO-014'], mode);
  }
});
