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

test('recipes that failed together in a run are one row, whose repetition on a day is one mark', () => {
  const offline = svcError('SVC-REG-002', { host: 'a.example', detail: 'ECONNREFUSED' });
  const many = ['shop', 'depot', 'agent', 'base'].map((name) => failed(name, offline));
  const alone = failed('vault', svcError('SVC-POL-003', { repository: 'vault' }));
  const later = { ...task, id: 'tsk_000000000002', createdAt: '2026-03-04T06:06:07.000Z' } as TaskHead;
  const next = { ...task, id: 'tsk_000000000003', createdAt: '2026-03-05T06:06:07.000Z' } as TaskHead;
  const { rows, days } = toDeliveries(
    [],
    [
      { task: next, recipes: many.slice(0, 2), effective: new Map() },
      { task: later, recipes: many, effective: new Map() },
      { task, recipes: [...many, alone], effective: new Map() },
    ],
  );
  assert.deepEqual(days, ['2026-03-04', '2026-03-05']);
  assert.deepEqual(rows.map(({ recipe, together }) => together?.join(', ') ?? recipe).sort(), [
    'agent 1.0.0, base 1.0.0, depot 1.0.0, shop 1.0.0',
    'depot',
    'shop',
    'vault',
  ]);
  const run = rows.find(({ together }) => together !== undefined)!;
  assert.deepEqual(
    [...run.byDay],
    [['2026-03-04', [{ version: '', outcome: 'failed', code: 'SVC-REG-002', task: 'tsk_000000000002' }]]],
  );
  assert.deepEqual([...rows.find(({ recipe }) => recipe === 'shop')!.byDay.keys()], ['2026-03-05']);
});

test('what a delivery brought stands on the day on which it landed, beside what failed', () => {
  const digest = `sha256:${'a'.repeat(64)}` as const;
  const arrived = { name: 'shop', version: '1.0.0', digest, delivery: 'dlv_0123456789ab' };
  const { rows, days } = toDeliveries(
    [
      { ...arrived, landedAt: '2026-03-03T05:06:07Z' },
      { ...arrived, name: 'depot' },
    ],
    [
      {
        task,
        recipes: [failed('shop', svcError('SVC-POL-003', { repository: 'shop' }))],
        effective: new Map(),
      },
    ],
  );
  assert.deepEqual(days, ['2026-03-03', '2026-03-04']);
  assert.deepEqual(
    rows.map(({ recipe, byDay }) => [recipe, ...[...byDay].map(([day, all]) => [day, all[0]?.outcome])]),
    [['shop', ['2026-03-03', 'landed'], ['2026-03-04', 'failed']]],
  );
});

test('what came on a disk that was not imported whole stands on the day of its run', () => {
  const digest = `sha256:${'a'.repeat(64)}` as const;
  const done: RunRecipe = { name: 'depot', version: '1.0.0', status: 'done' };
  const edge = failed('edge', svcError('SVC-POL-003', { repository: 'edge' }));
  const { rows } = toDeliveries(
    [{ name: 'depot', version: '1.0.0', digest, delivery: 'dlv_0123456789ab' }],
    [{ task, recipes: [done, edge], effective: new Map() }],
  );
  assert.deepEqual(rows.map(({ recipe, byDay }) => [recipe, byDay.get('2026-03-04')?.[0]?.outcome]).sort(), [
    ['depot', 'landed'],
    ['edge', 'failed'],
  ]);
});
