import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { runAtOnce } from '../../../src/base/pacer.ts';
import { copyInSteps } from '../../../src/disk/threads/copy-range.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const mebibyte = 1 << 20;
const copyRange = (...args: Parameters<typeof copyInSteps>) => runAtOnce(copyInSteps(...args));
const hex = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('a part of a file comes whole to any place of another, and nothing beside it is touched', async () => {
  await using folder = await openTempFolder();
  const root = await realpath(folder.path);
  const bytes = randomBytes(5 * mebibyte);
  await writeFile(join(root, 'source'), bytes);
  const cases = [0, 512, 4096, 4097].flatMap((position) =>
    [1, 4095, mebibyte, mebibyte + 1, 3 * mebibyte + 4608].map((size) => ({ position, size })),
  );
  for (const { position, size } of cases) {
    const path = join(root, `${position} ${size}`);
    const around = Buffer.alloc(position + size + 5000, '.');
    await writeFile(path, around);
    const target = await open(path, 'r+');
    let read = 0;
    const outcome = copyRange(
      {
        source: { root, path: 'source', offset: 77 },
        size,
        algorithm: 'sha256',
        target: { fd: target.fd, position },
      },
      (count) => {
        read += count;
      },
    );
    await target.close();
    const part = bytes.subarray(77, 77 + size);
    assert.deepEqual(outcome, { digest: `sha256:${hex(part)}` });
    assert.equal(read, size);
    part.copy(around, position);
    assert.ok(around.equals(await readFile(path)), `${size} bytes at ${position}`);
  }
});

test('a whole file becomes a new one, durable when that is asked for', async () => {
  await using folder = await openTempFolder();
  const root = await realpath(folder.path);
  for (const size of [0, 1, mebibyte, 2 * mebibyte + 123]) {
    const bytes = randomBytes(size);
    await writeFile(join(root, `from ${size}`), bytes);
    const path = join(root, `to ${size}`);
    const source = { root, path: `from ${size}` };
    const outcome = copyRange(
      { source, size, algorithm: 'sha256', target: { path, durable: true } },
      () => {},
    );
    assert.deepEqual(outcome, { digest: `sha256:${hex(bytes)}` });
    assert.ok(bytes.equals(await readFile(path)));
  }
});

test('a written file is read back from its disk, and only a wrong one has its source hashed', async () => {
  await using folder = await openTempFolder();
  const root = await realpath(folder.path);
  for (const size of [1, 4096, mebibyte + 1, 2 * mebibyte]) {
    const bytes = randomBytes(size);
    const source = { root, path: `from ${size}` };
    await writeFile(join(root, source.path), bytes);
    const copyTo = (name: string, expected: Digest) => {
      const target = { path: join(root, `${name} ${size}`), durable: true, expected };
      return copyRange({ source, size, algorithm: 'sha256', target }, () => {});
    };
    const digest: Digest = `sha256:${hex(bytes)}`;
    const outcome = copyTo('sound', digest);
    const { dev, ino, ctimeNs, mtimeNs } = await stat(join(root, `sound ${size}`), { bigint: true });
    assert.deepEqual(outcome, { digest, readBack: { device: dev, inode: ino, size, ctimeNs, mtimeNs } });
    assert.ok(bytes.equals(await readFile(join(root, `sound ${size}`))));
    assert.deepEqual(copyTo('other', `sha256:${'0'.repeat(64)}`), { digest });
  }
});

test('a believed file is hashed while it is copied, and nothing of it is read back', async () => {
  await using folder = await openTempFolder();
  const root = await realpath(folder.path);
  const size = 4 * mebibyte + 5;
  const bytes = randomBytes(size);
  const source = { root, path: 'source' };
  await writeFile(join(root, source.path), bytes);
  const digest: Digest = `sha256:${hex(bytes)}`;
  /** Bytes that this process has read from files. */
  const countRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
  const copyTo = (name: string, expected: Digest, believed: boolean) => {
    const before = countRead();
    const target = { path: join(root, name), durable: true, expected, believed };
    const outcome = copyRange({ source, size, algorithm: 'sha256', target }, () => {});
    return { outcome, times: Math.floor((countRead() - before) / size) };
  };
  const { outcome, times } = copyTo('believed', digest, true);
  const { dev, ino, ctimeNs, mtimeNs } = await stat(join(root, 'believed'), { bigint: true });
  assert.deepEqual(outcome, { digest, readBack: { device: dev, inode: ino, size, ctimeNs, mtimeNs } });
  assert.equal(times, 1);
  assert.equal(copyTo('read back', digest, false).times, 2);
  const wrong = copyTo('wrong', `sha256:${'0'.repeat(64)}`, true).outcome;
  assert.equal('digest' in wrong && wrong.digest, digest, 'the source is not believed');
});

test('where the filesystem takes nothing past its cache, the copy goes through it', async () => {
  await using folder = await openTempFolder();
  const root = await realpath(folder.path);
  const bytes = randomBytes(2 * mebibyte);
  await writeFile(join(root, 'source'), bytes);
  // a device that any kernel has and that no direct opening is possible for
  const target = await open('/dev/null', 'w');
  const outcome = copyRange(
    {
      source: { root, path: 'source' },
      size: bytes.length,
      algorithm: 'sha256',
      target: { fd: target.fd, position: 0 },
    },
    () => {},
  );
  await target.close();
  assert.deepEqual(outcome, { digest: `sha256:${hex(bytes)}` });
});
