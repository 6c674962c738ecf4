import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMediumReport, renderObstacles } from '../../../commands/media/render-medium.ts';
import { parseDigest } from '../../../src/base/digest.ts';
import type { MediumReport, RecipeVerdict } from '../../../src/catalog/medium-verdict.ts';

const verdictOf = (name: string, cookbook: string, reason?: RecipeVerdict['reason']): RecipeVerdict => ({
  name,
  version: '1.0.0',
  cookbook,
  repository: `${cookbook}/${name}`,
  digest: parseDigest(`sha256:${'a'.repeat(64)}`)!,
  pushable: reason === undefined,
  ...(reason === undefined ? {} : { reason }),
  files: 3,
  bytes: 10,
});

const report: MediumReport = {
  verdict: 'partial',
  blocks: [],
  zone: { expected: 'zone-b', found: 'zone-b', match: true },
  recipes: [
    verdictOf('shop', 'one.example/cookbook'),
    verdictOf('shop', 'two.example/cookbook', {
      code: 'SVC-MED-010',
      path: 'blobs/sha256/b',
      params: { path: 'blobs/sha256/b', recipe: 'shop@1.0.0' },
    }),
    verdictOf('depot', 'one.example/cookbook', {
      code: 'SVC-MED-010',
      path: 'blobs/sha256/c',
      params: { path: 'blobs/sha256/c', recipe: 'depot@1.0.0' },
    }),
  ],
  findings: [],
  checked: { files: 3, bytes: 10 },
  startedAt: '2026-01-01T00:00:00Z',
  finishedAt: '2026-01-01T00:00:00Z',
};

test('recipes of one name in two cookbooks are told apart by their cookbook, others are not', () => {
  const text = renderMediumReport(report, 'en');
  assert.match(text, /^shop 1\.0\.0 \(one\.example\/cookbook\) +passed /m);
  assert.match(text, /^shop 1\.0\.0 \(two\.example\/cookbook\) +blocked /m);
  assert.match(text, /^depot 1\.0\.0 +blocked /m);
});

test('an obstacle names the cookbook of its recipe where another one has a recipe of that name', () => {
  const [shop, depot, ...more] = renderObstacles(report, 'en').trimEnd().split('\n');
  assert.match(shop!, /^ {2}shop@1\.0\.0 \(two\.example\/cookbook\): SVC-MED-010/);
  assert.match(depot!, /^ {2}depot@1\.0\.0: SVC-MED-010/);
  assert.deepEqual(more, []);
});
