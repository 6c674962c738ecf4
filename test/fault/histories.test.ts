import assert from 'node:assert/strict';
import { test } from 'node:test';
import { only, onlyRound } from './rig/form.ts';
import { type Histories, runHistories } from './rig/run-histories.ts';

/** One part of the rig was asked for, which is not this one. */
const skip = only !== undefined || onlyRound !== undefined;

interface Counter extends AsyncDisposable {
  value: number;
  low: boolean;
}

const counting: Histories<Counter> = {
  name: 'counting',
  count: 20,
  length: 30,
  open: async () => ({ value: 0, low: false, [Symbol.asyncDispose]: async () => {} }),
  draw: (draw) => {
    const by = 1 + draw.below(3);
    if (draw.chance(0.2))
      return {
        name: 'limit',
        run: async (world) => {
          world.low = true;
        },
      };
    return {
      name: `add ${by}`,
      run: async (world) => {
        world.value += by;
      },
    };
  },
  check: async (world) => assert.ok(!world.low || world.value < 6, `${world.value} is too much`),
};

test('a failing history is printed with its seed, shortened to the steps that fail', { skip }, async (t) => {
  const told = await runHistories(t, counting).catch((error: Error) => error);
  assert.ok(told instanceof Error);
  assert.match(told.message, /--seed \d+ --round 1 --only counting/);
  const steps = told.message.split('\n').filter((line) => /^ {2}\d+\. /.test(line));
  assert.equal(steps.filter((line) => line.endsWith('limit')).length, 1);
  const sum = steps.reduce((total, line) => total + Number(/add (\d)/.exec(line)?.[1] ?? 0), 0);
  assert.ok(sum >= 6 && sum <= 8, told.message);
});

test('histories whose property holds are counted by their steps', { skip }, async (t) => {
  const ran = await runHistories(t, { ...counting, count: 3, check: async () => {} });
  assert.equal((ran.get('add') ?? 0) + (ran.get('limit') ?? 0), 90);
});
