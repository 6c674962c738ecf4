import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasStalled, Rate } from '../../src/base/rate.ts';

test('a rate is measured over about the last five seconds', () => {
  const rate = new Rate();
  for (let second = 0; second <= 10; second += 1) rate.add(second * 1000, second * 100);
  assert.equal(rate.perSecond, 100);
  for (let second = 11; second <= 20; second += 1) rate.add(second * 1000, 1000);
  assert.equal(rate.perSecond, 0);
});

test('samples that follow each other closely are one, and fewer bytes begin a new measurement', () => {
  const rate = new Rate();
  rate.add(0, 0);
  rate.add(10, 1000);
  assert.equal(rate.perSecond, 0);
  rate.add(1000, 2000);
  assert.equal(rate.perSecond, 2000);
  rate.add(2000, 5);
  assert.equal(rate.perSecond, 0);
});

test('the pace has a rate from the second sample on, and a time left where the total is known', () => {
  const rate = new Rate();
  assert.deepEqual(rate.toPace(100), {});
  rate.add(0, 0);
  assert.deepEqual(rate.toPace(100), {});
  rate.add(3000, 1000);
  assert.deepEqual(rate.toPace(1000), { bytesPerSecond: 333, secondsLeft: 3 });
  assert.deepEqual(rate.toPace(undefined), { bytesPerSecond: 333 });
  assert.deepEqual(rate.toPace(0), { bytesPerSecond: 333, secondsLeft: 0 });
});

test('the time left is the rest at the rate that is shown with it', () => {
  const rate = new Rate();
  for (let second = 0; second <= 60; second += 1) rate.add(second * 1000, second * 100);
  assert.deepEqual(rate.toPace(10_000), { bytesPerSecond: 100, secondsLeft: 100 });
  // for five seconds four times as fast
  for (let second = 1; second <= 5; second += 1) rate.add((60 + second) * 1000, 6000 + second * 400);
  assert.deepEqual(rate.toPace(10_000), { bytesPerSecond: 400, secondsLeft: 25 });
  rate.add(200_000, 0);
  rate.add(201_000, 50);
  assert.equal(rate.toPace(100).secondsLeft, 2, 'a new measurement');
});

test('what does not move has a rate of zero and no time left', () => {
  const rate = new Rate();
  rate.add(0, 500);
  rate.add(1000, 500);
  assert.deepEqual(rate.toPace(1000), { bytesPerSecond: 0, stalledSeconds: 1 });
  for (let second = 2; second <= 40; second += 1) rate.add(second * 1000, 500);
  assert.deepEqual(rate.toPace(1000), { bytesPerSecond: 0, stalledSeconds: 40 });
  rate.add(41_000, 600);
  assert.equal(rate.toPace(1000).stalledSeconds, undefined, 'bytes arrive again');
});

/** A link on which 2.5 MiB arrive at once every 80 seconds, seen each second. */
function thinLink(seconds: number): Rate {
  const rate = new Rate();
  for (let second = 0; second <= seconds; second += 1)
    rate.add(second * 1000, Math.floor(second / 80) * 2_621_440);
  return rate;
}

test('on a thin link the time left is that of the average, between two arrivals too', () => {
  for (const seconds of [485, 550]) {
    const { averageBytesPerSecond = 0, secondsLeft = 0, pauseSeconds } = thinLink(seconds).toPace(1 << 30);
    assert.ok(
      averageBytesPerSecond > 25_000 && averageBytesPerSecond < 45_000,
      String(averageBytesPerSecond),
    );
    assert.ok(Math.abs(secondsLeft * averageBytesPerSecond - (1 << 30)) < (1 << 30) / 1000, 'by average');
    assert.equal(pauseSeconds, 80);
  }
});

test('a link that delivers at intervals does not stall and go on in turns', () => {
  const stalls: number[] = [];
  for (let second = 1; second <= 900; second += 1)
    if (hasStalled(thinLink(second).toPace(1 << 30))) stalls.push(second);
  assert.ok(
    stalls.every((second) => second < 160),
    'after the first pause, a pause of the same length is no stall',
  );
  const rate = thinLink(400);
  rate.add(400_000 + 161_000, 5 * 2_621_440);
  const still = rate.toPace(1 << 30);
  assert.ok(hasStalled(still), 'one of twice its length is');
  assert.equal(still.secondsLeft, undefined, 'and then nobody knows when it ends');
});

test('what was before the first byte is no pause, and a pause is forgotten after a quarter of an hour', () => {
  const rate = new Rate();
  rate.add(0, 0);
  rate.add(40_000, 0);
  rate.add(41_000, 100);
  assert.equal(rate.toPace(100).pauseSeconds, undefined);
  rate.add(61_000, 200);
  assert.equal(rate.toPace(100).pauseSeconds, 20);
  for (let second = 62; second <= 962; second += 1) rate.add(second * 1000, second * 100);
  assert.deepEqual(rate.toPace(1000), { bytesPerSecond: 100, secondsLeft: 10 });
});
