import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { RecipeVerdict } from '../../../src/contract/medium.ts';
import { describeMedium, judgeMedium, toBlock, toMediumExitCode } from '../../../src/engine/medium/report.ts';
import { svcError } from '../../../src/text/error.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';

const recipe = (code?: ErrorCode): RecipeVerdict => ({
  name: 'shop',
  version: '1.0.0',
  cookbook: 'origin.example/cookbook',
  repository: 'shop',
  digest: hashBytes('x'),
  pushable: code === undefined,
  ...(code ? { reason: { code, params: {} } } : {}),
  files: 0,
  bytes: 0,
});
const zone = svcError('SVC-MED-006', { expected: 'a', found: 'b' });
const stale = svcError('SVC-MED-007', { zone: 'a', resolvedAt: 'x', recordedAt: 'y' });
const altered = svcError('SVC-MED-005', { path: 'ledger' });
const block = (error: typeof zone | typeof stale | typeof altered, waived = false) =>
  toBlock(error, { mediaId: 'id' }, waived);

const cases: readonly [
  name: string,
  blocks: ReturnType<typeof block>[],
  recipes: RecipeVerdict[],
  verdict: string,
  exit: number,
][] = [
  ['nothing against it', [], [recipe(), recipe()], 'pushable', 0],
  ['no recipe at all', [], [], 'pushable', 0],
  ['one recipe blocked', [], [recipe(), recipe('SVC-SIG-001')], 'partial', 4],
  ['every recipe blocked', [], [recipe('SVC-MED-012')], 'blocked', 4],
  ['a recipe blocked by what is no verification error elsewhere', [], [recipe('SVC-REG-008')], 'blocked', 4],
  ['another zone', [block(zone)], [recipe()], 'blocked', 3],
  ['older', [block(stale)], [recipe()], 'blocked', 3],
  ['another zone and older', [block(zone), block(stale)], [recipe()], 'blocked', 3],
  ['another zone, waived', [block(zone, true)], [recipe()], 'pushable', 0],
  ['another zone, waived, and older', [block(zone, true), block(stale)], [recipe()], 'blocked', 3],
  [
    'another zone, waived, with a recipe blocked',
    [block(zone, true)],
    [recipe(), recipe('SVC-SIG-001')],
    'partial',
    4,
  ],
  ['another zone, with a recipe blocked', [block(zone)], [recipe('SVC-SIG-001')], 'blocked', 4],
  ['an altered recipe graph', [block(altered)], [recipe()], 'blocked', 4],
  ['an altered recipe graph that somebody waives', [block(altered, true)], [recipe()], 'blocked', 4],
];

for (const [name, blocks, recipes, verdict, exit] of cases) {
  test(`${name}: ${verdict}, exit ${exit}`, () => {
    assert.equal(judgeMedium(blocks, recipes), verdict);
    assert.equal(toMediumExitCode({ blocks, recipes, findings: [] }), exit);
  });
}

test('only zone and freshness can be waived', () => {
  assert.deepEqual(
    [zone, stale, altered]
      .map((error) => block(error, true))
      .map(({ waivable, waived }) => [waivable, waived]),
    [
      [true, true],
      [true, true],
      [false, false],
    ],
  );
});

test('without a header nothing is claimed of the medium', () => {
  assert.deepEqual(describeMedium(undefined, 'zone-b', undefined), {
    zone: { expected: 'zone-b', match: false },
  });
});
