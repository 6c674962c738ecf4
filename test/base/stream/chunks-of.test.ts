import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { chunksOf } from '../../../src/base/stream/chunks-of.ts';

/** A stream that pushes so many chunks as soon as it may. */
function fast(chunks: number, size: number): { stream: Readable; pushed: () => number } {
  let pushed = 0;
  const stream = new Readable({
    highWaterMark: 1 << 20,
    read() {
      while (pushed < chunks) {
        pushed += 1;
        if (!this.push(Buffer.alloc(size, pushed))) return;
      }
      this.push(null);
    },
  });
  return { stream, pushed: () => pushed };
}

test('chunks come one by one and in order, however many have gathered', async () => {
  const seen: number[] = [];
  for await (const chunk of chunksOf(fast(40, 65_536).stream)) {
    assert.equal(chunk.length, 65_536);
    seen.push(chunk[0]!);
    await turn();
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
});

test('a reader that is slow holds the stream back', async () => {
  const { stream, pushed } = fast(1000, 65_536);
  const chunks = chunksOf(stream);
  await chunks.next();
  for (let i = 0; i < 20; i += 1) await turn();
  assert.ok(pushed() < 40, `${pushed()} chunks were made for one that was read`);
  await chunks.return();
  assert.ok(stream.destroyed);
});

test('what arrived before a failure is handed out, then the failure is thrown', async () => {
  const stream = new Readable({ read() {} });
  const chunks = chunksOf(stream);
  const first = chunks.next();
  stream.push(Buffer.from('one'));
  assert.equal((await first).value?.toString(), 'one');
  stream.push(Buffer.from('two'));
  await turn();
  stream.destroy(new Error('broken'));
  await turn();
  assert.equal((await chunks.next()).value?.toString(), 'two');
  await assert.rejects(chunks.next(), /broken/);
});

test('a stream that closes before its end is a failure', async () => {
  const stream = new Readable({ read() {} });
  const chunks = chunksOf(stream);
  const first = chunks.next();
  stream.destroy();
  await assert.rejects(first, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
});

test('a stream that has ended or failed before it is read says so', async () => {
  const empty = Readable.from([]);
  assert.deepEqual(await chunksOf(empty).next(), { done: true, value: undefined });
  const failed = new Readable({ read() {} });
  failed.on('error', () => {});
  failed.destroy(new Error('failed before'));
  await turn();
  await assert.rejects(chunksOf(failed).next(), /failed before/);
});
