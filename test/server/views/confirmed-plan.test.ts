import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithPlan, rememberPlan } from '../../../server/views/confirmed-plan.ts';
import type { Instance } from '../../../src/operation/instance/instance.ts';
import { plannedRecipe } from '../../kit/scene/plan-document.ts';

const generatedAt = '2026-11-22T08:00:00Z';
const item = (name: string) => ({ name, status: 'running' as const, transferredBytes: 0 });
const open = () => ({ instance: {} as Instance });

test('a run that takes what the plan said differs in nothing; a newer version differs in both', () => {
  const parts = open();
  const recipes = [plannedRecipe(), plannedRecipe({ name: 'base', resolved: '12.4.0' })];
  rememberPlan(parts, 'tsk_1', { generatedAt, recipes });
  const of = (...names: readonly string[]) => ({ id: 'tsk_1', items: names.map(item) });
  assert.deepEqual(compareWithPlan(parts, of('shop@1.4.2', 'shop@1.4.2/web', 'base@12.4.0')), {
    madeAt: generatedAt,
    onlyPlanned: [],
    onlyTaken: [],
  });
  const { onlyPlanned, onlyTaken } = compareWithPlan(parts, of('shop@1.4.3', 'base@12.4.0'))!;
  assert.deepEqual([onlyPlanned, onlyTaken], [['shop@1.4.2'], ['shop@1.4.3']]);
});

test('there is nothing to compare before the run knows its recipes, or without a plan, and old plans are let go', () => {
  const parts = open();
  rememberPlan(parts, 'tsk_0', { generatedAt, recipes: [plannedRecipe()] });
  const task = (n: number, names: readonly string[]) => ({ id: `tsk_${n}`, items: names.map(item) });
  assert.equal(compareWithPlan(parts, task(0, [])), undefined);
  assert.equal(compareWithPlan(parts, task(1, ['shop@1.4.2'])), undefined);
  for (let n = 1; n <= 64; n += 1)
    rememberPlan(parts, `tsk_${n}`, { generatedAt, recipes: [plannedRecipe()] });
  assert.equal(compareWithPlan(parts, task(0, ['shop@1.4.2'])), undefined);
  assert.notEqual(compareWithPlan(parts, task(1, ['shop@1.4.2'])), undefined);
});
