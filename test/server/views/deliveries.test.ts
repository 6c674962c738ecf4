import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDeliveries } from '../../../server/views/deliveries.ts';
import type { TaskHead } from '../../../src/task/storage.ts';
import { svcError, toErrorRecord } from '../../../src/text/error.ts';
import { isRefused, type RunRecipe } from '../../../src/view/runs.ts';

const task = { id: 'tsk_000000000001', createdAt: '2026-03-04T05:06:07.000Z' } as TaskHead;
const failed = (name: string, error: ReturnType<typeof svcError>): RunRecipe => ({
  name,
  version: '1.0.0',
  status: 'failed',
  error: toErrorRecord(error),
});

test('a recipe that was under way when somebody cancelled the run is not shown as refused', () => {
  const recipes = [
    failed('shop', svcError('SVC-POL-003', { repository: 'shop' })),
    failed('agent', svcError('SVC-TSK-004', { actor: 'ada' })),
  ];
  assert.deepEqual(recipes.map(isRefused), [true, false]);
  const { rows } = toDeliveries([], [{ task, recipes, effective: new Map() }]);
  assert.deepEqual(
    rows.map(({ recipe }) => recipe),
    ['shop'],
  );
});
