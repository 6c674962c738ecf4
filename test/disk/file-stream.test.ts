import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { FileStream, lentChunks } from '../../src/disk/file-stream.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const sizes = [0, 1, 4095, 512 << 10, (512 << 10) + 1, 5_000_001];

async function openBytes(folder: string, bytes: Buffer) {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return open(path);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

const isClosed = (file: { readonly fd: number }): boolean => file.fd === -1;

test('a file comes as it is, with memory of its own and lent', async () => {
  await using folder = await openTempFolder();
  for (const size of sizes) {
    const bytes = randomBytes(size);
    for (const read of [(stream: FileStream) => stream, lentChunks]) {
      const file = await openBytes(folder.path, bytes);
      const stream = new FileStream(file, size);
      const seen = await collect(read(stream));
      assert.ok(seen.equals(bytes), `${size} bytes`);
      if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
      assert.ok(isClosed(file));
    }
  }
});

test('a file that has grown or shrunk since it was measured comes as it is now', async () => {
  await using folder = await openTempFolder();
  const bytes = randomBytes(2_000_000);
  for (const size of [0, 10, 1_999_999, 2_000_001, 3_000_000]) {
    assert.ok((await collect(new FileStream(await openBytes(folder.path, bytes), size))).equals(bytes));
    assert.ok(
      (await collect(lentChunks(new FileStream(await openBytes(folder.path, bytes), size)))).equals(bytes),
    );
  }
  const file = await openBytes(folder.path, bytes);
  const chunks = lentChunks(new FileStream(file, bytes.length));
  await chunks.next();
  await truncate(join(folder.path, 'file'), 1_100_000);
  let rest = 0;
  for await (const chunk of chunks) rest += chunk.length;
  assert.ok(rest < 2_000_000 - (512 << 10));
});

test('a lent chunk stays as it is until the next but one is asked for', async () => {
  await using folder = await openTempFolder();
  const bytes = randomBytes(8 << 20);
  const chunks = lentChunks(new FileStream(await openBytes(folder.path, bytes), bytes.length));
  const memories = new Set<ArrayBufferLike>();
  let before: { chunk: Buffer; at: number } | undefined;
  let at = 0;
  for await (const chunk of chunks) {
    assert.ok(chunk.equals(bytes.subarray(at, at + chunk.length)));
    if (before) assert.ok(before.chunk.equals(bytes.subarray(before.at, before.at + before.chunk.length)));
    memories.add(chunk.buffer);
    before = { chunk, at };
    at += chunk.length;
  }
  assert.equal(at, bytes.length);
  assert.equal(memories.size, 3);
});

test('at the end of a file only the memory of its last lent chunk stays', async () => {
  await using folder = await openTempFolder();
  for (const size of [1, 300_000, 700_000, 2_000_000]) {
    const bytes = randomBytes(size);
    const chunks: Buffer[] = [];
    for await (const chunk of lentChunks(new FileStream(await openBytes(folder.path, bytes), size)))
      chunks.push(chunk);
    const last = chunks.at(-1)!;
    assert.ok(last.equals(bytes.subarray(size - last.length)));
    const others = chunks.filter(({ buffer }) => buffer !== last.buffer);
    assert.ok(others.every(({ length }) => length === 0));
  }
});

test('whoever stops early has the file closed, and not under a read', async () => {
  await using folder = await openTempFolder();
  const bytes = randomBytes(4 << 20);
  for (const stop of ['lent', 'destroyed', 'aborted'] as const) {
    const file = await openBytes(folder.path, bytes);
    const abort = new AbortController();
    const stream = new FileStream(file, bytes.length, abort.signal);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.on('error', () => {});
    if (stop === 'lent') for await (const _ of lentChunks(stream)) break;
    else {
      stream.read();
      if (stop === 'destroyed') stream.destroy();
      else abort.abort();
    }
    await closed;
    assert.ok(isClosed(file), stop);
  }
});

test('a reading that is given up ends, and says so', async () => {
  await using folder = await openTempFolder();
  const stream = new FileStream(await openBytes(folder.path, randomBytes(4 << 20)), 4 << 20);
  const chunks = lentChunks(stream);
  await chunks.next();
  stream.destroy(new Error('given up'));
  stream.on('error', () => {});
  await assert.rejects(async () => {
    for await (const _ of chunks);
  }, /given up/);
});

test('of another stream the chunks are its own', async () => {
  const parts = [randomBytes(10), randomBytes(20)];
  const seen: Buffer[] = [];
  for await (const chunk of lentChunks(Readable.from(parts))) seen.push(chunk);
  assert.deepEqual(seen, parts);
});

test('a stream that is given up before it has a reader closes its file and fails each reader, and no process ends of it', async () => {
  await using folder = await openTempFolder();
  for (const when of ['before it is made', 'before it is read']) {
    for (const read of [(stream: FileStream) => stream, lentChunks]) {
      const stop = new AbortController();
      if (when === 'before it is made') stop.abort();
      const file = await openBytes(folder.path, randomBytes(100_000));
      const stream = new FileStream(file, 100_000, stop.signal);
      stop.abort();
      await new Promise((resolve) => stream.once('close', resolve));
      assert.ok(isClosed(file), when);
      await assert.rejects(collect(read(stream)), { name: 'AbortError' }, when);
    }
  }
});
