import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RateLimiter } from '../../../src/base/link/rate-limiter.ts';
import { createManualClock } from '../../kit/instance/clock.ts';

const second = 1000;

/** Transfers that take chunks of a size without end, and the bytes that each of them moved. */
function startTransfers(limiter: RateLimiter, chunks: readonly number[]) {
  const moved = chunks.map(() => 0);
  const ending = new AbortController();
  for (const [index, size] of chunks.entries()) {
    void (async () => {
      while (!ending.signal.aborted) {
        await limiter.take(size, 'received', { signal: ending.signal });
        moved[index]! += size;
      }
    })().catch(() => {});
  }
  return { moved, stop: () => ending.abort(new Error('stopped')) };
}

async function pass(clock: ReturnType<typeof createManualClock>, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 5) {
    clock.advance(5);
    await nextTurn();
  }
}

test('without a cap nothing waits, and no timer runs', () => {
  const clock = createManualClock();
  const limiter = new RateLimiter(0, clock);
  for (let count = 0; count < 1000; count += 1) assert.equal(limiter.take(1 << 20, 'received'), undefined);
  assert.equal(clock.timers, 0);
  assert.equal(limiter.portion, Number.POSITIVE_INFINITY);
  assert.deepEqual(limiter.moved, { received: 1000 * 2 ** 20, sent: 0 });
});

test('no second has more than the cap and a tenth', async () => {
  const clock = createManualClock();
  const rate = 1 << 20;
  const limiter = new RateLimiter(rate, clock);
  const { moved, stop } = startTransfers(limiter, [65_536, 65_536, 4096]);
  let before = 0;
  for (let count = 0; count < 8; count += 1) {
    await pass(clock, second);
    const now = moved.reduce((sum, each) => sum + each, 0);
    assert.ok(now - before <= rate * 1.2, `${now - before} bytes in a second`);
    assert.ok(now - before >= rate * 0.8, `${now - before} bytes in a second`);
    before = now;
  }
  assert.ok(Math.abs(before - 8 * rate) <= rate * 0.2, `${before} bytes in 8 seconds`);
  stop();
});

test('each transfer gets the same rate, whatever the size of its chunks', async () => {
  const clock = createManualClock();
  const limiter = new RateLimiter(1 << 20, clock);
  const { moved, stop } = startTransfers(limiter, [262_144, 65_536, 16_384]);
  await pass(clock, 12 * second);
  for (const each of moved) assert.ok(Math.abs(each - 4 * 2 ** 20) <= 300_000, moved.join(' '));
  stop();
});

test('a pause is not made up for', async () => {
  const clock = createManualClock();
  const rate = 100_000;
  const limiter = new RateLimiter(rate, clock);
  clock.advance(3600 * second);
  const { moved, stop } = startTransfers(limiter, [1000]);
  await pass(clock, second);
  assert.ok(moved[0]! <= rate * 1.2, `${moved[0]} bytes`);
  stop();
});

test('a change of the cap holds for transfers under way', async () => {
  const clock = createManualClock();
  const limiter = new RateLimiter(1024, clock);
  const one = limiter.take(1 << 20, 'sent');
  let arrived = false;
  void one?.then(() => {
    arrived = true;
  });
  await pass(clock, second);
  assert.equal(arrived, false);
  limiter.set(1 << 20);
  await pass(clock, second);
  assert.equal(arrived, true);
  const other = limiter.take(1 << 30, 'sent');
  limiter.set(0);
  await other;
  assert.equal(clock.timers, 0);
});

test('a transfer that ends while it waits leaves its turn to the others', async () => {
  const clock = createManualClock();
  const limiter = new RateLimiter(1024, clock);
  const ending = new AbortController();
  const large = limiter.take(1 << 30, 'received', { signal: ending.signal });
  const small = limiter.take(512, 'received');
  ending.abort(new Error('cancelled'));
  await assert.rejects(large!, /cancelled/);
  await pass(clock, 2 * second);
  await small;
  assert.equal(limiter.waiting, 0);
  assert.equal(clock.timers, 0);
  await assert.rejects(limiter.take(1 << 20, 'sent', { signal: ending.signal })!, /cancelled/);
});

test('a timer that no transfer waits for any more ends', async () => {
  const clock = createManualClock();
  const limiter = new RateLimiter(1024, clock);
  const ending = new AbortController();
  const turn = limiter.take(1 << 20, 'received', { signal: ending.signal });
  assert.equal(clock.timers, 1);
  ending.abort(new Error('cancelled'));
  await assert.rejects(turn!, /cancelled/);
  assert.equal(clock.timers, 0);
});

test('documents use some seconds of the cap in advance, and blobs get no less than half of it', async () => {
  const clock = createManualClock();
  const rate = 65_536;
  const limiter = new RateLimiter(rate, clock);
  const document = { isDocument: true };
  // ten seconds of the cap
  for (let count = 0; count < 10; count += 1)
    assert.equal(limiter.take(rate, 'received', document), undefined);
  assert.notEqual(limiter.take(rate, 'received', document), undefined);
  const { moved, stop } = startTransfers(limiter, [16_384]);
  await pass(clock, 11 * second);
  assert.ok(moved[0]! >= 0.4 * rate && moved[0]! <= rate, `${moved[0]} bytes beside a document that waits`);
  const before = moved[0]!;
  let read = 0;
  void (async () => {
    for (;;) {
      await limiter.take(10_000, 'received', document);
      read += 10_000;
    }
  })();
  await pass(clock, 60 * second);
  const blobs = moved[0]! - before;
  assert.ok(blobs >= 60 * rate * 0.45, `${blobs} bytes of blobs beside ${read} of documents`);
  assert.ok(read >= 60 * rate * 0.45, `${read} bytes of documents`);
  stop();
});

test('a process does not end while a transfer waits for its turn', () => {
  const limiter = new URL('../../../src/base/link/rate-limiter.ts', import.meta.url).href;
  const script = `
    import { RateLimiter } from '${limiter}';
    await new RateLimiter(100_000).take(20_000, 'received');
    process.stdout.write('moved');
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  assert.deepEqual([status, stdout.toString()], [0, 'moved']);
});
