import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AwayTimes, addAwayTime, isAway } from '../../../src/store/opening/away-times.ts';

test('a change within a time away is one, and a change in use is none', () => {
  const times = addAwayTime(addAwayTime([], 10, 20), 30, 40);
  for (const [at, away] of [
    [5, false],
    [15, true],
    [25, false],
    [35, true],
    [45, false],
  ] as const)
    assert.equal(isAway(times, at), away, String(at));
});

test('of too many times the two closest become one, so that no change away is missed', () => {
  let times: AwayTimes = [];
  for (let i = 0; i < 200; i += 1) times = addAwayTime(times, i * 100, i * 100 + (i === 7 ? 99 : 50));
  assert.ok(times.length <= 64);
  for (let i = 0; i < 200; i += 1) assert.ok(isAway(times, i * 100 + 25), String(i));
  assert.equal(isAway(times, 20_000), false);
});
