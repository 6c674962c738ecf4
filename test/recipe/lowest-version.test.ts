import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toLowestVersion } from '../../src/recipe/lowest-version.ts';

test('the lowest version of a constraint is one that it selects', () => {
  for (const [wanted, lowest] of [
    ['^1.4', '1.4.0'],
    ['1.4.2', '1.4.2'],
    ['~2.1.3', '2.1.3'],
    ['>1.2.3', '1.2.4'],
    ['>=2 <3', '2.0.0'],
    ['2.x', '2.0.0'],
    ['*', '1.0.0'],
    ['<0.5', undefined],
  ] as const)
    assert.equal(toLowestVersion(wanted), lowest, wanted);
});
