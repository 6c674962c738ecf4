import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBulkWrite } from '../../../src/disk/bulk-write.ts';
import { openBlockHash } from '../../../src/disk/threads/block-hash.ts';
import { startHashThreads } from '../../../src/disk/threads/hash-threads.ts';
import { IdleThread } from '../../../src/disk/threads/idle-thread.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';

const large = 8 << 20;
const isAlone = availableParallelism() < 2 && 'not run: needs a second processor';

function shared(bytes: Buffer): Buffer {
  const block = Buffer.from(new SharedArrayBuffer(bytes.length));
  bytes.copy(block);
  return block;
}

test('blocks of several files at once are hashed, each file in its order', { skip: isAlone }, async () => {
  const files = (['sha256', 'sha512', 'sha256'] as const).map((algorithm) => {
    const blocks = Array.from({ length: 20 }, () => shared(randomBytes(70_001)));
    const expected = blocks.reduce((hash, block) => hash.update(block), createHash(algorithm)).digest('hex');
    return { hash: openBlockHash(algorithm, large)!, blocks, expected };
  });
  const abandoned = openBlockHash('sha256', large)!;
  await Promise.all([
    abandoned.update(shared(randomBytes(10))),
    ...Array.from({ length: 20 }, (_, i) => files.map(({ hash, blocks }) => hash.update(blocks[i]!))).flat(),
  ]);
  abandoned.abort();
  for (const { hash, expected } of files) assert.equal(await hash.digest(), expected);
});

test('a small file is not worth a thread, and a file without a block has no checksum', async () => {
  assert.equal(openBlockHash('sha256', (4 << 20) - 1), undefined);
  assert.equal(await openBlockHash('sha256', large)?.digest(), undefined);
});

test('a file of which a thread has not hashed every block has no checksum', { skip: isAlone }, async () => {
  await using threads = startHashThreads(1);
  const [thread] = threads.pool;
  assert.equal(await thread!.hashBlock(7, shared(Buffer.from('a'))), false);
  assert.equal(await thread!.endBlocks(7), undefined);
  // the thread fails in the middle of a file, and another one follows it
  const idle = new IdleThread();
  let asked = 0;
  const failing = {
    hold: () => idle.hold(),
    release: () => idle.release(),
    ask: <T>(question: Parameters<typeof idle.ask<T>>[0]) => {
      asked += 1;
      return idle.ask(asked === 2 ? () => Promise.reject(new Error('the thread has ended')) : question);
    },
  };
  const hash = openBlockHash('sha256', large, failing)!;
  for (let n = 0; n < 3; n += 1) await hash.update(shared(randomBytes(10)));
  assert.equal(await hash.digest(), undefined);
  // a file that begins with the other thread is whole
  const next = openBlockHash('sha256', large, failing)!;
  await next.update(shared(Buffer.from('abc')));
  assert.equal(await next.digest(), createHash('sha256').update('abc').digest('hex'));
});

test('a large file has the checksum of what was written', { skip: isAlone }, async () => {
  await using folder = await openTempFolder();
  for (const size of [4 << 20, (9 << 20) + 4097]) {
    const path = join(folder.path, `${size}`);
    await using file = await open(path, 'wx+');
    const bytes = randomBytes(size);
    const bulk = await openBulkWrite(path, file, { direct: true, size, algorithm: 'sha256' });
    for (let at = 0; at < size; at += 99_999)
      await bulk.write(Buffer.from(bytes.subarray(at, at + 99_999)), true);
    await bulk.finish();
    assert.equal(await bulk.hash?.digest(), createHash('sha256').update(bytes).digest('hex'));
    assert.ok(bytes.equals(await readFile(path)));
  }
});
