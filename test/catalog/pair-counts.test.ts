import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PairCounts } from '../../src/catalog/pair-counts.ts';

/** Numbers that look random and are the same every time. */
function* toNumbers(seed: number): Generator<number> {
  for (let x = seed; ; ) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    yield x >>> 8;
  }
}

for (const expected of [0, 5000])
  test(`pairs are counted as a map would, over any history (${expected} expected)`, () => {
    const counts = new PairCounts(expected);
    const model = new Map<string, number>();
    const numbers = toNumbers(7);
    const next = (below: number): number => numbers.next().value! % below;
    for (let step = 0; step < 60_000; step += 1) {
      const [first, second] = [next(40), next(200)];
      const key = `${first} ${second}`;
      const known = model.get(key) ?? 0;
      assert.equal(counts.has(first, second), known > 0);
      // grows at first, shrinks at last
      if (next(60_000) > step) {
        assert.equal(counts.add(first, second), known + 1);
        model.set(key, known + 1);
      } else {
        assert.equal(counts.remove(first, second), known === 0 ? undefined : known - 1);
        if (known > 0) model.set(key, known - 1);
      }
    }
    for (const [key, count] of model) {
      const [first, second] = key.split(' ').map(Number) as [number, number];
      assert.equal(counts.has(first, second), count > 0, key);
    }
  });

test('the pair of two noughts and that of the largest numbers are pairs like others', () => {
  const counts = new PairCounts();
  for (const [first, second] of [
    [0, 0],
    [0xffff_ffff, 0x7fff_ffff],
  ] as const) {
    assert.equal(counts.has(first, second), false);
    assert.equal(counts.add(first, second), 1);
    assert.equal(counts.has(first, second), true);
    assert.equal(counts.has(second, first), first === second);
    assert.equal(counts.remove(first, second), 0);
    assert.equal(counts.has(first, second), false);
  }
});
