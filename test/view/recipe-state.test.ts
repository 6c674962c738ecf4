import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedRecipe } from '../../src/operation/list-recipes.ts';
import type { ErrorRecord } from '../../src/text/error.ts';
import { words } from '../../src/text/words/words.ts';
import { isFailedSync, type Run, type RunRecipe, toWanted, wantedState } from '../../src/view/runs.ts';
import { toZoneStatus } from '../../src/view/zone-status.ts';
import { toVerdictSentence, toZoneVerdict } from '../../src/view/zone-verdict.ts';

const away: ErrorRecord = { code: 'SVC-REG-002', class: 'failure', params: {} };
const unsigned: ErrorRecord = { code: 'SVC-SIG-001', class: 'verification', params: {} };

const stored = (named: string, options: { readonly damaged?: true; readonly isPushed?: true } = {}) => {
  const [name = '', version = ''] = named.split(' ');
  const { damaged, isPushed } = options;
  return {
    ...{ name, version },
    ...(isPushed ? {} : { resolvedAt: '2026-12-01T10:00:00.000Z' }),
    ...(damaged ? { damaged } : {}),
  } as ListedRecipe;
};

function toRun(recipes: readonly RunRecipe[], time = '2026-12-01T12:04:00.000Z'): Run {
  const status = recipes.every((each) => each.status === 'done') ? 'done' : 'failed';
  const task = { id: 'tsk_1', type: 'sync', status, createdAt: time, finishedAt: time } as Run['task'];
  return { task, recipes, effective: new Map() };
}
const asked = (named: string, status: RunRecipe['status'], error?: ErrorRecord): RunRecipe => {
  const [name = '', version = ''] = named.split(' ');
  return { name, version, status, ...(error === undefined ? {} : { error }) };
};
const toStatus = (runs: readonly Run[], recipes: readonly ListedRecipe[]) =>
  toZoneStatus({
    ...({ version: '1', gate: { guarded: false, serving: 'open' }, notices: [], pending: 0 } as object),
    ...{ unimported: false, recipes, runs, refused: [] },
  } as unknown as Parameters<typeof toZoneStatus>[0]);

test('a recipe of which the store has lost a part is here, damaged, and counted apart', () => {
  const run = toRun([asked('archive 1.0.0', 'done'), asked('shop 1.5.0', 'done')]);
  const recipes = [stored('archive 1.0.0', { damaged: true }), stored('shop 1.5.0')];
  const wanted = toWanted(run, recipes);
  assert.deepEqual(wanted.map(wantedState), ['damaged', 'present']);
  const status = toStatus([run], recipes);
  assert.deepEqual(
    [status.verdict, status.counts.present, status.counts.damaged, status.counts.missing],
    ['damaged', 1, 1, 0],
  );
  const verdict = toZoneVerdict({
    ...{ refusal: undefined, delivery: undefined, last: run, wanted, recipes: 2 },
    ...{ isUnimported: false, blocked: [] },
  });
  assert.equal(
    toVerdictSentence(words.en, verdict),
    '1 of 2 wanted recipes is here and damaged in the store',
  );
  const whole = recipes.map((each) => ({ ...each, damaged: false }));
  assert.deepEqual(toWanted(run, whole).map(wantedState), ['present', 'present'], 'it came again');
});

test('a synchronization that reaches no source takes nothing away', () => {
  const good = toRun([asked('shop 1.5.0', 'done')], '2026-12-01T11:50:00.000Z');
  const failed = toRun(
    ['shop ^1', 'shop 1.3.9', 'base 12.x', 'ghost ^1', 'tools ^1'].map((each) => asked(each, 'failed', away)),
  );
  const recipes = [
    ...[stored('shop 1.5.0'), stored('shop 1.4.0'), stored('shop 1.3.9'), stored('base 12.4.0')],
    // it was pushed here, and no source offered it
    stored('tools 1.0.0', { isPushed: true }),
  ];
  assert.ok(isFailedSync(failed));
  assert.deepEqual(
    toWanted(failed, recipes).map(({ version, requested, ...each }) => [
      ...[version, requested, wantedState({ ...each })],
    ]),
    [
      ['1.5.0', '^1', 'present'],
      ['1.3.9', undefined, 'present'],
      ['12.4.0', '12.x', 'present'],
      ['^1', undefined, 'missing'],
      ['^1', undefined, 'missing'],
    ],
  );
  const { verdict, counts } = toStatus([failed, good], recipes);
  assert.deepEqual([verdict, counts.present, counts.missing], ['run-failed', 3, 2]);
  const sentence = toVerdictSentence(
    words.en,
    toZoneVerdict({
      ...{ refusal: undefined, delivery: undefined, last: failed, wanted: toWanted(failed, recipes) },
      ...{ recipes: 5, isUnimported: false, blocked: [], good: good.task.finishedAt },
    }),
  );
  assert.match(
    sentence,
    /^The last synchronization failed at 1 Dec 2026, 12:04:00 UTC; the content here is of 1 Dec 2026, 11:50:00 UTC; 2 of 5 wanted recipes not here$/,
  );
});

test('a recipe that a check refused, or of which a newer version did not come, is not here', () => {
  const run = toRun([
    asked('shop 1.5.0', 'failed', unsigned),
    { ...asked('base 12.5.0', 'failed', away), requested: '12.x' },
    asked('edge 4.0.0', 'done'),
  ]);
  assert.ok(!isFailedSync(run));
  assert.deepEqual(
    toWanted(run, [stored('shop 1.5.0'), stored('base 12.4.0'), stored('edge 4.0.0')]).map(wantedState),
    ['blocked', 'missing', 'present'],
  );
});
