import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from '../../src/recipe/fair-turns.ts';

test('callers take turns, and the work of one runs in its order', async () => {
  const turns = new FairTurns();
  const order: string[] = [];
  const ask = (caller: string, name: string) =>
    turns.run(caller, undefined, async () => {
      order.push(name);
    });
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => ask('anna', name)),
    ask('ben', 'b1'),
    ...['c1', 'c2'].map((name) => ask('cleo', name)),
  ]);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4']);
});

test('one piece of work runs at a time, and failed work gives its turn on', async () => {
  const turns = new FairTurns();
  let running = 0;
  const work = async () => {
    running += 1;
    assert.equal(running, 1);
    await Promise.resolve();
    running -= 1;
    throw new Error('failed');
  };
  const all = await Promise.allSettled(['anna', 'ben', 'anna'].map((who) => turns.run(who, undefined, work)));
  assert.deepEqual(
    all.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(await turns.run('anna', undefined, async () => 'next'), 'next');
});

test('a caller who leaves waits no more, and his work does not begin', async () => {
  const turns = new FairTurns();
  const end = Promise.withResolvers<void>();
  const first = turns.run('anna', undefined, () => end.promise);
  const leaving = new AbortController();
  let begun = false;
  const gone = turns.run('ben', leaving.signal, async () => {
    begun = true;
  });
  const behind = turns.run('ben', undefined, async () => 'behind');
  leaving.abort(new Error('left'));
  await assert.rejects(gone, /left/);
  end.resolve();
  await first;
  assert.equal(await behind, 'behind');
  assert.equal(begun, false);
  await assert.rejects(
    turns.run('ben', leaving.signal, async () => 'never'),
    /left/,
  );
});
