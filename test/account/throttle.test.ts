import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Throttle, toOrigin } from '../../src/account/throttle.ts';
import { createManualClock } from '../kit/instance/clock.ts';

function createThrottle(maxOrigins?: number) {
  const clock = createManualClock();
  const throttle = new Throttle({ now: clock.monotonic, ...(maxOrigins ? { maxOrigins } : {}) });
  return { clock, throttle };
}

test('an origin has ten failures, then waits until the budget grows', () => {
  const { clock, throttle } = createThrottle();
  for (let i = 0; i < 10; i += 1) {
    assert.equal(throttle.retryAfter('192.0.2.1'), 0);
    throttle.take('192.0.2.1');
  }
  assert.equal(throttle.retryAfter('192.0.2.1'), 30);
  clock.advance(10_500);
  assert.equal(throttle.retryAfter('192.0.2.1'), 20);
  clock.advance(19_500);
  assert.equal(throttle.retryAfter('192.0.2.1'), 0);
  throttle.take('192.0.2.1');
  assert.equal(throttle.retryAfter('192.0.2.1'), 30);
});

test('the budget is full again after five minutes and never more than full', () => {
  const { clock, throttle } = createThrottle();
  for (let i = 0; i < 10; i += 1) throttle.take('192.0.2.1');
  clock.advance(3_600_000);
  for (let i = 0; i < 10; i += 1) throttle.take('192.0.2.1');
  assert.equal(throttle.retryAfter('192.0.2.1'), 30);
});

test('a returned attempt does not count, and its origin is not kept', () => {
  const { throttle } = createThrottle();
  throttle.take('192.0.2.1');
  throttle.giveBack('192.0.2.1');
  assert.equal(throttle.size, 0);
});

test('one origin does not spend the budget of another', () => {
  const { throttle } = createThrottle();
  for (let i = 0; i < 10; i += 1) throttle.take('192.0.2.1');
  assert.equal(throttle.retryAfter('192.0.2.2'), 0);
});

test('the number of origins is bounded, and the one with the oldest failure is removed first', () => {
  const { throttle } = createThrottle(3);
  for (let i = 0; i < 10; i += 1) throttle.take('192.0.2.1');
  throttle.take('192.0.2.2');
  throttle.take('192.0.2.3');
  throttle.take('192.0.2.1');
  throttle.take('192.0.2.4');
  assert.equal(throttle.size, 3);
  assert.notEqual(throttle.retryAfter('192.0.2.1'), 0);
});

test('only the first refusal after an attempt is audited', () => {
  const { clock, throttle } = createThrottle();
  for (let i = 0; i < 10; i += 1) throttle.take('192.0.2.1');
  assert.equal(throttle.refuse('192.0.2.1'), true);
  assert.equal(throttle.refuse('192.0.2.1'), false);
  clock.advance(30_000);
  throttle.take('192.0.2.1');
  assert.equal(throttle.refuse('192.0.2.1'), true);
});

test('an origin is an IPv4 address or the /64 of an IPv6 address', () => {
  assert.equal(toOrigin('192.0.2.7'), '192.0.2.7');
  assert.equal(toOrigin('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(toOrigin('2001:db8:1:2:aaaa::1'), '2001:db8:1:2::/64');
  assert.equal(toOrigin('2001:0DB8:0001:0002:0:0:0:9'), '2001:db8:1:2::/64');
  assert.equal(toOrigin('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(toOrigin('::1'), '0:0:0:0::/64');
  assert.equal(toOrigin('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(toOrigin('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
  assert.equal(toOrigin('not an address'), 'not an address');
});
