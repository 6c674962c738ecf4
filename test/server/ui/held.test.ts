import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeld } from '../../../server/ui/held.ts';
import type { Bounds, Holder } from '../../../src/base/shares/shares.ts';
import { eventually } from '../../kit/instance/eventually.ts';

const holder = (name: string, rank: Holder['rank'] = 'account'): Holder => ({ name, rank });
const [mine, other] = [holder('mine'), holder('other')];
const bounds = (total: number, share = total, reserve = 0): Bounds => ({
  total,
  reserve,
  share: { origin: 0, account: share, admin: share },
});

test('a value is for the account that made it, to look at until it is taken', () => {
  const held = createHeld<string>({ count: bounds(8), waiting: 60_000 });
  const name = held.hold(mine, 'a value')!;
  assert.equal(held.look(other, name), undefined);
  assert.equal(held.take(other, name), undefined);
  assert.equal(held.look(mine, name), 'a value');
  assert.equal(held.take(mine, name), 'a value');
  assert.equal(held.look(mine, name), undefined);
  assert.equal(held.size, 0);
});

test('few values are held, the newest, and not for long', async () => {
  const held = createHeld<number>({ count: bounds(8), waiting: 20 });
  const names = Array.from({ length: 12 }, (_, value) => held.hold(mine, value)!);
  assert.deepEqual(
    names.map((name) => held.look(mine, name)),
    [...Array(4).fill(undefined), 4, 5, 6, 7, 8, 9, 10, 11],
  );
  await eventually('their end', async () => held.size === 0);
});

test('one account has no more than its share, whatever the others hold', () => {
  const held = createHeld<number>({ count: bounds(8, 2), waiting: 60_000 });
  const others = held.hold(other, 0)!;
  const own = [1, 2, 3].map((value) => held.hold(mine, value)!);
  assert.deepEqual(
    own.map((name) => held.look(mine, name)),
    [undefined, 2, 3],
  );
  assert.equal(held.look(other, others), 0);
});

test('at the end of the room, the account that has most loses its oldest value, and no administrator does', () => {
  const held = createHeld<number>({ count: bounds(6, 4, 1), waiting: 60_000 });
  const root = holder('root', 'admin');
  const of = (who: Holder, count: number) =>
    Array.from({ length: count }, (_, value) => held.hold(who, value)!);
  const [roots, mines] = [of(root, 3), of(mine, 2)];
  const [others] = of(other, 1);
  assert.deepEqual(
    [roots, mines].map((names, at) => names.map((name) => held.look([root, mine][at]!, name))),
    [
      [0, 1, 2],
      [undefined, 1],
    ],
  );
  assert.equal(held.look(other, others!), 0);
  assert.equal(held.hold(holder('origin', 'origin'), 0), undefined);
});

test('the oldest values give way to a large one, and one that is too large for its holder is not held', () => {
  const held = createHeld<string>({ count: bounds(8), bytes: bounds(100), waiting: 60_000 });
  const first = held.hold(mine, 'first', 60)!;
  const second = held.hold(mine, 'second', 30)!;
  assert.equal(held.hold(mine, 'too large', 101), undefined);
  assert.equal(held.look(mine, first), 'first');
  const third = held.hold(mine, 'third', 70)!;
  assert.deepEqual(
    [first, second, third].map((name) => held.look(mine, name)),
    [undefined, 'second', 'third'],
  );
});
