import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { documentNames } from '../../server/authoring-operations.ts';
import { PlanPlaces } from '../../server/plan-places.ts';
import { isSvcError } from '../../src/base/error.ts';
import { translateRule } from '../../src/base/rules/translate-rule.ts';

const isBusy = (error: unknown): boolean => isSvcError(error, 'SVC-SRV-006');
const { signal } = new AbortController();

/** Runs until its signal aborts. */
const endless = async (ending: AbortSignal): Promise<never> => {
  if (!ending.aborted) await once(ending, 'abort');
  throw ending.reason;
};

test('slow plans of one caller do not block the plans of another', async () => {
  const places = new PlanPlaces({ atOnce: 2, ofCaller: 1, wait: 50, duration: 60_000 });
  const leaving = new AbortController();
  const slow = places.run('anna', leaving.signal, endless);
  await assert.rejects(
    places.run('anna', signal, async () => 'second'),
    isBusy,
  );
  assert.equal(await places.run('ben', signal, async () => 'plan'), 'plan');
  leaving.abort(new Error('left'));
  await assert.rejects(slow, /left/);
  assert.equal(await places.run('anna', signal, async () => 'next'), 'next');
});

test('a caller may have several places, never all, and a free place goes to who has the fewest', async () => {
  const places = new PlanPlaces({ atOnce: 4, ofCaller: 3, wait: 5_000, duration: 60_000 });
  const order: string[] = [];
  const open = (actor: string) => {
    const end = Promise.withResolvers<void>();
    const done = places.run(actor, signal, async () => {
      order.push(actor);
      await end.promise;
    });
    return { end: end.resolve, done };
  };
  const anna = [open('anna'), open('anna'), open('anna'), open('anna'), open('anna')];
  const ben = [open('ben'), open('ben')];
  await Promise.resolve();
  assert.deepEqual(order, ['anna', 'anna', 'anna', 'ben']);
  anna[0]!.end();
  await anna[0]!.done;
  // ben came later, and has fewer
  assert.deepEqual(order, ['anna', 'anna', 'anna', 'ben', 'ben']);
  ben[0]!.end();
  await ben[0]!.done;
  assert.deepEqual(order.slice(5), ['anna']);
  for (const { end } of [...anna, ...ben]) end();
  await Promise.all([...anna, ...ben].map(({ done }) => done));
  assert.deepEqual(order.slice(5), ['anna', 'anna']);
});

test('a caller waits for a short time when all places are taken, and then holds none', async () => {
  const places = new PlanPlaces({ atOnce: 1, ofCaller: 1, wait: 50, duration: 60_000 });
  const end = Promise.withResolvers<string>();
  const first = places.run('anna', signal, () => end.promise);
  const leaving = new AbortController();
  const gone = places.run('ben', leaving.signal, async () => 'never');
  leaving.abort(new Error('left'));
  await assert.rejects(gone, /left/);
  await assert.rejects(
    places.run('cleo', signal, async () => 'never'),
    isBusy,
  );
  const queued = places.run('dora', signal, async () => 'queued');
  end.resolve('first');
  assert.deepEqual(await Promise.all([first, queued]), ['first', 'queued']);
});

test('a plan that takes too long is given up, and its place is free', async () => {
  const places = new PlanPlaces({ atOnce: 1, ofCaller: 1, wait: 5_000, duration: 20 });
  await assert.rejects(places.run('anna', signal, endless), isBusy);
  assert.equal(await places.run('anna', signal, async () => 'next'), 'next');
});

test('a refusal names what is busy, in both languages', async () => {
  const detailOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.catch((thrown: unknown) => thrown);
    assert.ok(isSvcError(error));
    return error.detail ?? '';
  };
  for (const [names, busy, french, late] of [
    [undefined, /other plans/, /d’autres plans/, /^the plan took more than 20 ms$/],
    [
      documentNames,
      /other recipes .* pinned or compared/,
      /d’autres recettes/,
      /^the pin or comparison took/,
    ],
  ] as const) {
    const waiting = new PlanPlaces({ atOnce: 1, ofCaller: 1, wait: 20, duration: 60_000 }, names);
    const leaving = new AbortController();
    const first = waiting.run('anna', leaving.signal, endless);
    const refusal = await detailOf(waiting.run('ben', signal, async () => 'never'));
    assert.match(refusal, busy);
    assert.match(translateRule(refusal), french);
    leaving.abort(new Error('left'));
    await assert.rejects(first, /left/);
    const short = new PlanPlaces({ atOnce: 1, ofCaller: 1, wait: 20, duration: 20 }, names);
    const tooLong = await detailOf(short.run('anna', signal, endless));
    assert.match(tooLong, late);
    assert.match(translateRule(tooLong), /a duré plus de 20 ms$/);
  }
});
