import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMediumReport, renderObstacles } from '../../../commands/media/render-medium.ts';
import { parseDigest } from '../../../src/base/digest.ts';
import type { MediumReport, RecipeVerdict } from '../../../src/contract/medium.ts';

const en = { language: 'en', width: Number.POSITIVE_INFINITY } as const;
const fr = { ...en, language: 'fr' } as const;

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
  const text = renderMediumReport(report, '/mnt/medium', en);
  assert.match(text, /^shop 1\.0\.0 \(one\.example\/cookbook\) +pushable /m);
  assert.match(text, /^shop 1\.0\.0 \(two\.example\/cookbook\) +blocked /m);
  assert.match(text, /^depot 1\.0\.0 +blocked /m);
});

test('an obstacle names the cookbook of its recipe where another one has a recipe of that name', () => {
  const [shop, depot, cause, action, ...more] = renderObstacles(report, 'en').trimEnd().split('\n');
  assert.match(shop!, /^ {2}shop@1\.0\.0 \(two\.example\/cookbook\): SVC-MED-010/);
  assert.match(depot!, /^ {2}depot@1\.0\.0: SVC-MED-010/);
  assert.match(cause!, /^ {4}Probable cause: The copy is incomplete/);
  assert.match(action!, /^ {4}What to do: Copy the file/);
  assert.deepEqual(more, []);
});

const unsigned = (name: string, reason: string): RecipeVerdict =>
  verdictOf(name, 'one.example/cookbook', {
    code: 'SVC-SIG-001',
    params: { subject: `${name}@1.0.0`, reason, fingerprints: ['ab12'], recipe: `${name}@1.0.0` },
    detail: 'no copy of the key of trust root release is available',
  });
const unreached = (path: string) => ({ code: 'SVC-MED-021', path, params: { path } }) as const;
const refused: MediumReport = {
  ...report,
  verdict: 'blocked',
  recipes: [unsigned('shop', 'untrusted'), unsigned('depot', 'untrusted')],
  findings: [
    unreached('blobs/sha256/a'),
    { code: 'SVC-MED-020', path: 'autorun.inf', params: { path: 'autorun.inf' } },
    unreached('blobs/sha256/b'),
  ],
};
const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

test('recipes blocked for one reason are followed by its cause and action, once, and their content is one line', () => {
  const text = renderMediumReport(refused, '/mnt/medium', en);
  assert.match(text, /^folder +\/mnt\/medium$/m);
  for (const name of ['shop', 'depot'])
    assert.match(
      text,
      new RegExp(
        `^${name}@1\\.0\\.0: SVC-SIG-001 .*is signed with a key that is not trusted here \\(key ab12`,
        'm',
      ),
    );
  assert.equal(countOf(text, /What to do: Confirm the fingerprint/g), 1);
  assert.equal(countOf(text, /no-roots|malformed/g), 0);
  assert.equal(countOf(text, /no copy of the key of trust root release/g), 2);
  assert.match(text, /^not pushed: 2 files .*SVC-MED-021/m);
  assert.equal(countOf(text, /SVC-MED-021/g), 1);
  assert.match(text, /autorun\.inf/);
  assert.match(text, /^verdict +blocked, 0 of 2 recipes pushable; nothing can be pushed$/m);
});

test('the report in French has the same parts', () => {
  const text = renderMediumReport(refused, '/mnt/medium', fr);
  assert.match(text, /^dossier +\/mnt\/medium$/m);
  assert.match(text, /recettes bloquées\u00a0:\nshop@1\.0\.0\u00a0: SVC-SIG-001 /);
  assert.equal(countOf(text, /Que faire\u00a0: Vérifiez l’empreinte/g), 1);
  assert.match(text, /^non envoyés\u00a0: 2 fichiers .*SVC-MED-021/m);
  assert.match(text, /^verdict +bloqué, 0 recette poussable sur 2\u00a0; rien ne peut être envoyé$/m);
  assert.doesNotMatch(text, /Probable cause|What to do|blocked/);
});

test('a file that blocks a recipe is not listed again as a finding, and many findings are counted', () => {
  const files = Array.from({ length: 9 }, (_, i) => `blobs/sha256/${i}`);
  const findings = ['blobs/sha256/b', ...files].map(
    (path) => ({ code: 'SVC-MED-010', path, params: { path } }) as const,
  );
  const text = renderMediumReport({ ...report, findings }, '/mnt/medium', en);
  assert.equal(countOf(text, /blobs\/sha256\/b/g), 1);
  assert.match(text, /and 4 more: see --output json/);
});

test('a medium without a readable manifest names the folder, the zone and what to do', () => {
  const params = { path: 'media.jsonl' };
  const blocks = [{ code: 'SVC-MED-001', params, waivable: false, waived: false }] as const;
  const zone = { expected: 'zone-b', match: false };
  const text = renderMediumReport({ ...report, verdict: 'blocked', zone, blocks, recipes: [] }, '/mnt', en);
  assert.match(text, /^folder +\/mnt$/m);
  assert.match(text, /^zone +unknown \(this zone is zone-b\)$/m);
  assert.match(text, /What to do: /);
});

test('times of the medium are shown as everywhere, in the language of the reader', () => {
  const dated: MediumReport = {
    ...report,
    medium: {
      mediaId: 'med_0123456789ab',
      mediaFormat: 1,
      zone: 'zone-b',
      writtenAt: '2026-01-02T03:04:05.000Z',
      producedBy: { version: '1.0.0', runId: 'run_0123456789ab' },
    } as NonNullable<MediumReport['medium']>,
    freshness: {
      resolvedAt: '2026-01-01T03:04:05.000Z',
      recordedAt: '2025-12-31T03:04:05.000Z',
    } as NonNullable<MediumReport['freshness']>,
  };
  const text = renderMediumReport(dated, '/mnt/medium', en);
  assert.match(text, /written 2 Jan 2026, 03:04:05 UTC by svc 1\.0\.0/);
  assert.match(text, /^resolved +1 Jan 2026, 03:04:05 UTC; the freshest import: 31 Dec 2025, 03:04:05 UTC$/m);
  const french = renderMediumReport(dated, '/mnt/medium', fr);
  assert.doesNotMatch(text + french, /\d{4}-\d{2}-\d{2}T/);
});
