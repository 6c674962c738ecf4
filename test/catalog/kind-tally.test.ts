import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KindTally } from '../../src/catalog/kind-tally.ts';

test('the names of a kind are in order and up to date, however often they are asked for while they change', () => {
  const tally = new KindTally();
  const sides = new Map<string, number>();
  let state = 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  for (let step = 0; step < 20_000; step += 1) {
    const name = `team/app-${next(300)}`;
    const known = sides.get(name) ?? 0;
    // a repository has at most two sides; more go than come towards the end
    const change = known === 0 || (known < 2 && next(20_000) > step) ? 1 : -1;
    tally.countSide(name, 'HelmChart', change);
    sides.set(name, known + change);
    assert.equal(tally.has(name, 'HelmChart'), known + change > 0);
    assert.equal(tally.has(name, 'ContainerImage'), false);
    // not from the beginning: content counted before the first question must be there, too
    if (step < 1000 || next(50) > 0) continue;
    const expected = [...sides].filter(([, count]) => count > 0).map(([one]) => one);
    assert.deepEqual(tally.namesOf('HelmChart'), expected.sort());
  }
  assert.deepEqual(tally.namesOf('ContainerImage'), []);
});
