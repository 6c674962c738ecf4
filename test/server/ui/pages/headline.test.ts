import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHeadline } from '../../../../server/ui/pages/sync/headline.ts';
import { plannedRecipe } from '../../../kit/scene/plan-document.ts';

const problem = {
  code: 'SVC-SIG-001',
  class: 'verification',
  params: { subject: 'x', reason: 'none' },
} as const;
const [ingredient] = plannedRecipe().ingredients;
const current = plannedRecipe({
  name: 'base',
  transferBytes: 0,
  ingredients: [{ ...ingredient!, status: 'up-to-date', transferBytes: 0 }],
});
const refused = plannedRecipe({ name: 'agent', resolved: '2.0.1', problem, ingredients: [] });

test('three of four recipes that can go are no failure, and the blocked one is named', () => {
  const { blocked, ...counts } = toHeadline({
    recipes: [plannedRecipe(), plannedRecipe({ name: 'db' }), current, refused],
    problems: [problem],
  });
  assert.deepEqual(counts, { kind: 'partly', total: 4, changed: 2, current: 1 });
  assert.deepEqual(blocked, [{ name: 'agent', version: '2.0.1', codes: ['SVC-SIG-001'] }]);
});

test('a recipe is blocked by an ingredient too, and counted once', () => {
  const recipe = plannedRecipe({
    ingredients: [
      { ...ingredient!, problem },
      { ...ingredient!, name: 'second', problem },
    ],
  });
  const { kind, blocked } = toHeadline({ recipes: [recipe], problems: [problem, problem] });
  assert.equal(kind, 'blocked');
  assert.deepEqual(
    blocked.map(({ codes }) => codes),
    [['SVC-SIG-001']],
  );
});

test('a volume that is too small stops every recipe', () => {
  const full = { code: 'SVC-STO-004', class: 'failure', params: {} } as const;
  assert.equal(toHeadline({ recipes: [plannedRecipe()], problems: [full] }).kind, 'no-room');
});

test('recipes that are here, or only have to reach the destination, are told apart', () => {
  assert.equal(toHeadline({ recipes: [current], problems: [] }).kind, 'current');
  const promoted = {
    ...current,
    ingredients: [{ ...current.ingredients[0]!, destinationStatus: 'new' as const }],
  };
  assert.equal(toHeadline({ recipes: [promoted], problems: [] }).kind, 'changes');
});

test('a list that cannot be read is no plan, and an empty one is up to date', () => {
  const unread = { code: 'SVC-REG-002', class: 'failure', params: { host: 'h' } } as const;
  assert.equal(toHeadline({ recipes: [], problems: [unread] }).kind, 'none');
  assert.equal(toHeadline({ recipes: [], problems: [] }).kind, 'current');
});
