import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import { compareHeader, compareRecord } from '../../../src/engine/medium/compare-graph.ts';
import { parseRecipe, requireCooked } from '../../../src/recipe/document.ts';

const [web, worker, documentDigest] = [hashBytes('web'), hashBytes('worker'), hashBytes('document')];
const ingredients = [
  { name: 'web', kind: 'ContainerImage', ref: 'docker.io/library/web', version: '1', digest: web },
  {
    name: 'worker',
    kind: 'ContainerImage',
    ref: 'origin.example:5000/worker',
    version: '2',
    digest: worker,
    platforms: ['linux/arm64/v8'],
  },
];
const document = {
  apiVersion: 'recipe.tobby.dev/v1alpha1',
  kind: 'Recipe',
  metadata: { name: 'shop', version: '1.0.0' },
  spec: { ingredients },
};
const recipe = requireCooked(parseRecipe(Buffer.from(JSON.stringify(document)), 'r'), 'r');

const toRecord = (prefix: string): RecipeRecord => ({
  name: 'shop',
  version: '1.0.0',
  cookbook: 'origin.example:5000/cookbook',
  repository: `${prefix}origin.example_5000/cookbook/shop`,
  tag: '1.0.0',
  digest: hashBytes('manifest'),
  documentDigest,
  runId: 'r',
  zone: 'z',
  resolvedAt: '2026-01-01T00:00:00Z',
  verified: true,
  ingredients: [
    {
      name: 'web',
      kind: 'ContainerImage',
      ref: 'docker.io/library/web',
      repository: `${prefix}docker.io/library/web`,
      tag: '1',
      digest: web,
    },
    {
      name: 'worker',
      kind: 'ContainerImage',
      ref: 'origin.example:5000/worker',
      repository: `${prefix}origin.example_5000/worker`,
      tag: '2',
      digest: worker,
      platforms: ['linux/arm64'],
    },
  ],
});

test('a record as its maker writes it agrees with its document, whatever base prefix the maker has', () => {
  for (const prefix of ['', 'mirror/', 'a/b/c/'])
    assert.equal(compareRecord(toRecord(prefix), recipe, documentDigest), undefined);
});

test('what the run recorded of itself is not compared: it is not signed, and decides nothing', () => {
  const record = {
    ...toRecord(''),
    runId: 'x',
    zone: 'x',
    resolvedAt: 'x',
    verified: false,
    keyFingerprint: 'x',
  };
  assert.equal(compareRecord(record, recipe, documentDigest), undefined);
});

test('a name that only ends like the right one, without a segment boundary, is a difference', () => {
  const record = { ...toRecord(''), repository: 'xorigin.example_5000/cookbook/shop' };
  assert.match(compareRecord(record, recipe, documentDigest)!.path, /repository$/);
});

test('a prefix before some names only is a difference', () => {
  const record = { ...toRecord(''), ingredients: toRecord('evil/').ingredients };
  assert.deepEqual(compareRecord(record, recipe, documentDigest), {
    path: 'recipes/shop@1.0.0/ingredients/web/repository',
    expected: 'docker.io/library/web',
    actual: 'evil/docker.io/library/web',
  });
});

test('header and ledger must name the same recipes, in any order', () => {
  const one = { name: 'a', version: '1.0.0', repository: 'x/a', digest: web };
  const two = { name: 'b', version: '1.0.0', repository: 'x/b', digest: worker };
  assert.equal(compareHeader([one, two], [two, one]), undefined);
  assert.equal(compareHeader([], []), undefined);
  assert.equal(String(compareHeader([one], [one, two])!.actual), 'not listed');
  assert.equal(String(compareHeader([one, two], [one])!.expected), 'not listed');
  for (const lie of [{ name: 'c' }, { version: '2.0.0' }, { repository: 'y/a' }, { digest: worker }])
    assert.ok(compareHeader([{ ...one, ...lie }], [one]));
});
