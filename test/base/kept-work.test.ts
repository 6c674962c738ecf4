import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptWork } from '../../src/base/kept-work.ts';

test('callers that ask at once share the work, and later ones its result', async () => {
  const kept = new KeptWork<string, { n: number }>(100);
  const gate = Promise.withResolvers<void>();
  let count = 0;
  const work = async () => {
    count += 1;
    await gate.promise;
    return { value: { n: count }, bytes: 1 };
  };
  const both = [kept.run('a', work), kept.run('a', work)];
  gate.resolve();
  const [one, other] = await Promise.all(both);
  assert.equal(one, other);
  assert.equal(await kept.run('a', work), one);
  assert.equal(count, 1);
});

test('neither a failure nor the absence of a result is kept', async () => {
  const kept = new KeptWork<string, number>(100);
  await assert.rejects(
    kept.run('a', () => Promise.reject(new Error('fails'))),
    /fails/,
  );
  assert.equal(await kept.run('a', async () => undefined), undefined);
  assert.equal(await kept.run('a', async () => ({ value: 1, bytes: 1 })), 1);
});

test('the least recently used results are dropped beyond the bytes, and a large one is never kept', async () => {
  const kept = new KeptWork<string, number>(100);
  const run = (key: string, bytes: number) => kept.run(key, async () => ({ value: bytes, bytes }));
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    await run(key, 20);
    kept.get('a');
  }
  await run('f', 20);
  await run('g', 26);
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].filter((key) => kept.get(key) !== undefined),
    ['a', 'c', 'd', 'e', 'f'],
  );
});
