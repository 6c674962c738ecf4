import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAtOnce, sortInSteps } from '../../src/base/pacer.ts';

test('items are sorted in short steps, and equal ones keep their order', () => {
  for (const count of [0, 1, 2, 1023, 1024, 1025, 2048, 5000, 33_333]) {
    const items = Array.from({ length: count }, (_, i) => ({ key: (i * 7919) % 101, i }));
    const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    assert.deepEqual(runAtOnce(sortInSteps(items, compare)), items.toSorted(compare), `${count} items`);
    let steps = 0;
    for (const _ of sortInSteps(items, compare)) steps += 1;
    assert.ok(steps >= Math.floor(count / 1024), `${steps} steps`);
  }
});
