import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConditions } from '../../../server/probe/conditions.ts';
import type { ConditionName, Readiness } from '../../../server/probe/readiness.ts';

const readingOf = (...names: ConditionName[]): Readiness => ({
  status: 'ready',
  conditions: names.map((name) => ({ name, reason: name })),
  store: { state: 'unknown' },
});

test('pages that ask within a second share one reading', async (t) => {
  t.mock.method(performance, 'now', () => now);
  let now = 10_000;
  let readings = 0;
  const conditions = createConditions(async () => {
    readings += 1;
    return readingOf('store-full');
  });
  const both = await Promise.all([conditions(), conditions()]);
  assert.deepEqual(
    both.map((found) => [...found]),
    [['store-full'], ['store-full']],
  );
  now += 999;
  await conditions();
  assert.equal(readings, 1);
  now += 1;
  await conditions();
  assert.equal(readings, 2);
});

test('a volume that hangs holds up a page for a moment only, and what was known stays', async () => {
  const answer = Promise.withResolvers<Readiness>();
  const conditions = createConditions(() => answer.promise, 1);
  assert.deepEqual([...(await conditions())], []);
  answer.resolve(readingOf('store-away'));
  await answer.promise;
  assert.deepEqual([...(await conditions())], ['store-away']);
});

test('a reading that fails changes nothing, and does not fail the page', async (t) => {
  t.mock.method(performance, 'now', () => now);
  let now = 10_000;
  const readings = [
    () => readingOf('state-full'),
    () => {
      throw new Error('no figures');
    },
  ];
  const conditions = createConditions(async () => readings.shift()!());
  await conditions();
  now += 1000;
  assert.deepEqual([...(await conditions())], ['state-full']);
});
