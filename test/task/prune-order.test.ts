import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderPrune, type PruneOrder, whyNoPrune } from '../../src/task/prune-order.ts';

test('one table says how a run prunes, whoever starts it', () => {
  const mirror = { mode: 'mirror', configured: false } as const;
  const zone = { mode: 'passthrough', configured: false } as const;
  const pruning = { mode: 'passthrough', configured: true } as const;
  const table: readonly (readonly [PruneOrder, Parameters<typeof orderPrune>[0]])[] = [
    ['listed', { ...mirror, preview: 'shown' }],
    ['unseen', { ...mirror, preview: 'unknown' }],
    ['listed', mirror],
    ['listed', { ...mirror, choice: true, preview: 'shown' }],
    ['asked', { ...mirror, choice: true, preview: 'unknown' }],
    ['asked', { ...mirror, choice: true }],
    ['off', { ...mirror, choice: false, preview: 'shown' }],
    ['off', zone],
    ['off', { ...zone, preview: 'shown' }],
    ['asked', { ...zone, choice: true, preview: 'unknown' }],
    ['listed', pruning],
    ['listed', { ...pruning, preview: 'unknown' }],
    ['off', { ...pruning, choice: false }],
  ];
  for (const [order, facts] of table) assert.equal(orderPrune(facts), order, JSON.stringify(facts));
});

test('a recipe that failed keeps everything, and is the reason that a run gives', () => {
  for (const order of ['unseen', 'listed', 'asked'] as const)
    assert.equal(whyNoPrune(order, 1), 'recipe-failed');
  assert.equal(whyNoPrune('off', 1), 'not-asked');
  assert.equal(whyNoPrune('unseen', 0), 'unseen');
  for (const order of ['listed', 'asked'] as const) assert.equal(whyNoPrune(order, 0), undefined);
});
