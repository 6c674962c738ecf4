import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeld } from '../../../server/ui/held.ts';
import { eventually } from '../../kit/instance/eventually.ts';

test('a value is for the session that made it, to look at until it is taken', () => {
  const held = createHeld<string>({ most: 8, waiting: 60_000 });
  const name = held.hold('mine', 'a value')!;
  assert.equal(held.look('other', name), undefined);
  assert.equal(held.take('other', name), undefined);
  assert.equal(held.look('mine', name), 'a value');
  assert.equal(held.take('mine', name), 'a value');
  assert.equal(held.look('mine', name), undefined);
  assert.equal(held.size, 0);
});

test('few values are held, the newest, and not for long', async () => {
  const held = createHeld<number>({ most: 8, waiting: 20 });
  const names = Array.from({ length: 12 }, (_, value) => held.hold('session', value)!);
  assert.deepEqual(
    names.map((name) => held.look('session', name)),
    [...Array(4).fill(undefined), 4, 5, 6, 7, 8, 9, 10, 11],
  );
  await eventually('their end', async () => held.size === 0);
});

test('one session has no more than its part, whatever the others hold', () => {
  const held = createHeld<number>({ most: 8, mostOfHolder: 2, waiting: 60_000 });
  const others = held.hold('other', 0)!;
  const own = [1, 2, 3].map((value) => held.hold('mine', value)!);
  assert.deepEqual(
    own.map((name) => held.look('mine', name)),
    [undefined, 2, 3],
  );
  assert.equal(held.look('other', others), 0);
});

test('the oldest values give way to a large one, and one that is too large for all is not held', () => {
  const held = createHeld<string>({ most: 8, mostBytes: 100, waiting: 60_000 });
  const first = held.hold('mine', 'first', 60)!;
  const second = held.hold('mine', 'second', 30)!;
  assert.equal(held.hold('mine', 'too large', 101), undefined);
  assert.equal(held.look('mine', first), 'first');
  const third = held.hold('mine', 'third', 70)!;
  assert.deepEqual(
    [first, second, third].map((name) => held.look('mine', name)),
    [undefined, 'second', 'third'],
  );
});
