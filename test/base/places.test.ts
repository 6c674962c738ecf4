import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Places, placeNames } from '../../src/base/shares/places.ts';
import type { Holder } from '../../src/base/shares/shares.ts';
import { isSvcError, type SvcError } from '../../src/text/error.ts';
import { sayDetail } from '../../src/text/message.ts';

const isBusy = (error: unknown): boolean => isSvcError(error, 'SVC-SRV-006');
const { signal } = new AbortController();
const as = (name: string, rank: Holder['rank'] = 'account'): Holder => ({ name, rank });
const bounds = (total: number, share: number, reserve = 0) => ({
  total,
  reserve,
  share: { origin: 0, account: share, admin: share },
});

/** Runs until its signal aborts. */
const endless = async (ending: AbortSignal): Promise<never> => {
  if (!ending.aborted) await once(ending, 'abort');
  throw ending.reason;
};

test('slow plans of one caller do not block the plans of another', async () => {
  const places = new Places(bounds(2, 1), placeNames.plans, { wait: 50, duration: 60_000 });
  const leaving = new AbortController();
  const slow = places.run(as('anna'), leaving.signal, endless);
  await assert.rejects(
    places.run(as('anna'), signal, async () => 'second'),
    isBusy,
  );
  assert.equal(await places.run(as('ben'), signal, async () => 'plan'), 'plan');
  leaving.abort(new Error('left'));
  await assert.rejects(slow, /left/);
  assert.equal(await places.run(as('anna'), signal, async () => 'next'), 'next');
});

test('a caller may have several places, never all, and a free place goes to who has the fewest', async () => {
  const places = new Places(bounds(4, 3), placeNames.plans, { wait: 5_000, duration: 60_000 });
  const order: string[] = [];
  const open = (actor: string) => {
    const end = Promise.withResolvers<void>();
    const done = places.run(as(actor), signal, async () => {
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

test('accounts leave a place that only administrators get', async () => {
  const places = new Places(bounds(3, 2, 1), placeNames.plans, { wait: 50, duration: 60_000 });
  const leaving = new AbortController();
  const slow = ['anna', 'ben'].map((name) => places.run(as(name), leaving.signal, endless));
  await assert.rejects(
    places.run(as('cleo'), signal, async () => 'never'),
    isBusy,
  );
  assert.equal(await places.run(as('root', 'admin'), signal, async () => 'plan'), 'plan');
  leaving.abort(new Error('left'));
  for (const each of slow) await assert.rejects(each, /left/);
});

test('a caller waits for a short time when all places are taken, and then holds none', async () => {
  const places = new Places(bounds(1, 1), placeNames.plans, { wait: 50, duration: 60_000 });
  const end = Promise.withResolvers<string>();
  const first = places.run(as('anna'), signal, () => end.promise);
  const leaving = new AbortController();
  const gone = places.run(as('ben'), leaving.signal, async () => 'never');
  leaving.abort(new Error('left'));
  await assert.rejects(gone, /left/);
  await assert.rejects(
    places.run(as('cleo'), signal, async () => 'never'),
    isBusy,
  );
  const queued = places.run(as('dora'), signal, async () => 'queued');
  end.resolve('first');
  assert.deepEqual(await Promise.all([first, queued]), ['first', 'queued']);
});

test('a plan that takes too long is given up, and its place is free', async () => {
  const places = new Places(bounds(1, 1), placeNames.plans, { wait: 5_000, duration: 20 });
  await assert.rejects(places.run(as('anna'), signal, endless), isBusy);
  assert.equal(await places.run(as('anna'), signal, async () => 'next'), 'next');
});

test('a refusal names what is busy, in both languages', async () => {
  const refusalOf = async (work: Promise<unknown>): Promise<SvcError> => {
    const error = await work.catch((thrown: unknown) => thrown);
    assert.ok(isSvcError(error));
    return error;
  };
  for (const [names, busy, french, late] of [
    [placeNames.plans, /other plans/, /d’autres plans/, /^the plan took more than 20 ms$/],
    [
      placeNames.documents,
      /other recipes .* pinned or compared/,
      /d’autres recettes/,
      /^the pin or comparison took/,
    ],
    [
      placeNames.inspections,
      /other artifacts are being inspected/,
      /d’autres artefacts/,
      /^the inspection took/,
    ],
  ] as const) {
    const waiting = new Places(bounds(1, 1), names, { wait: 20, duration: 60_000 });
    const leaving = new AbortController();
    const first = waiting.run(as('anna'), leaving.signal, endless);
    const refusal = await refusalOf(waiting.run(as('ben'), signal, async () => 'never'));
    assert.match(sayDetail(refusal, 'en')!, busy);
    assert.match(sayDetail(refusal, 'fr')!, french);
    leaving.abort(new Error('left'));
    await assert.rejects(first, /left/);
    const short = new Places(bounds(1, 1), names, { wait: 20, duration: 20 });
    const tooLong = await refusalOf(short.run(as('anna'), signal, endless));
    assert.match(sayDetail(tooLong, 'en')!, late);
    assert.match(sayDetail(tooLong, 'fr')!, /a duré plus de 20 ms$/);
  }
});
