import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWriteBehind } from '../../src/disk/write-behind.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('chunks of every size land in their order, however the calls overlap', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'file');
  const file = await open(path, 'wx+');
  const chunks = [1, 65_536, 300_000, 7, 1_000_000, 65_536, 3].map((size) => randomBytes(size));
  const behind = createWriteBehind(file, 0);
  await Promise.all(chunks.map((chunk) => behind.write(chunk)));
  await behind.settle();
  assert.equal(behind.written, Buffer.concat(chunks).length);
  await file.close();
  assert.deepEqual(await readFile(path), Buffer.concat(chunks));
});

test('it goes on where it is told to begin', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'file');
  const file = await open(path, 'wx+');
  await file.write('0123456789');
  const behind = createWriteBehind(file, 4);
  await behind.write(Buffer.from('four'));
  await behind.settle();
  behind.restart(0);
  await behind.write(Buffer.from('zero'));
  await behind.settle();
  await file.close();
  assert.equal(await readFile(path, 'utf8'), 'zerofour89');
});

test('only chunks that are given away lose their memory, and only when they are written', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'file');
  const file = await open(path, 'wx+');
  const behind = createWriteBehind(file, 0);
  const [kept, given] = [randomBytes(70_000), randomBytes(70_000)];
  const expected = Buffer.concat([kept, given]);
  await behind.write(kept);
  await behind.write(given, true);
  await behind.settle();
  await file.close();
  assert.deepEqual(await readFile(path), expected);
  assert.equal(kept.length, 70_000);
  assert.equal(given.length, 0);
});

test('a producer waits while a quarter of a MiB is unwritten', async () => {
  await using folder = await openTempFolder();
  const file = await open(join(folder.path, 'file'), 'wx+');
  const behind = createWriteBehind(file, 0);
  await behind.write(Buffer.alloc(200 << 10));
  assert.equal(behind.written, 0);
  await behind.write(Buffer.alloc(200 << 10));
  assert.ok(behind.written > 0);
  await behind.settle();
  await file.close();
});

test('a failed write is told to everyone from then on, and nothing more is written', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'file');
  await (await open(path, 'wx')).close();
  const file = await open(path, 'r');
  const behind = createWriteBehind(file, 0);
  await behind.write(Buffer.from('refused')).catch(() => {});
  await assert.rejects(behind.settle(), { code: 'EBADF' });
  await assert.rejects(behind.write(Buffer.from('more')), { code: 'EBADF' });
  assert.equal(behind.written, 0);
  await file.close();
});
