import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview } from '../../../src/engine/fileset/review.ts';

test('changes in a short time share the work, and one during the work has it done again', async () => {
  let done = 0;
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const review = createReview(async () => {
    done += 1;
    begun.resolve();
    if (done === 1) await first.promise;
  });
  await review.idle();
  for (let i = 0; i < 10; i += 1) review.ask();
  // the timers of the work keep no process alive
  const alive = setInterval(() => {}, 1000);
  await begun.promise;
  for (let i = 0; i < 10; i += 1) review.ask();
  first.resolve();
  await review.idle();
  assert.equal(done, 2);
  review.ask();
  await review.end();
  await review.idle();
  review.ask();
  await review.idle();
  clearInterval(alive);
  assert.equal(done, 2);
});
