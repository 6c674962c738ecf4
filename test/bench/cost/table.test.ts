import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPull, parseCostTable, replaceCosts, selectDearer } from './table.ts';

const page =
  '# Cost\n\n| workload | cost |\n| --- | ---: |\n| push | 1.000 |\n| pull | 0.250 |\n\nThe end.\n';

test('the costs of a page are read, replaced and read again', () => {
  assert.deepEqual(parseCostTable(page), { push: 1, pull: 0.25 });
  const costs = { push: 1.1, pull: 0.25, start: 0.5 };
  const replaced = replaceCosts(page, costs);
  assert.deepEqual(parseCostTable(replaced), costs);
  assert.ok(replaced.endsWith('| start | 0.500 |\n\nThe end.\n'));
});

test('a cost more than 20 % above its figure, and one without a figure, are dearer', () => {
  const costs = { push: 1.19, pull: 0.31, start: 0.1, [firstPull]: 9 };
  assert.deepEqual(selectDearer(costs, { ...parseCostTable(page), [firstPull]: 1 }), ['pull', 'start']);
});
