import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderOutcome, renderWriting } from '../../../commands/media/render-writing.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { describeWriting } from '../../../src/operation/delivery/describe-writing.ts';

test('each disk of a plan names the recipes that it has whole, and those that need other disks too', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((one) => hashBytes(one)) as [Digest, Digest, Digest];
  const sizes = (...all: Digest[]) => new Map(all.map((digest) => [digest, 1]));
  const recipe = (name: string, ...blobs: Digest[]) => ({
    record: { name, version: '1.0.0', digest: hashBytes(name) },
    ...{ totalBytes: 2, writeBytes: 2, absentBytes: 0, blobs: sizes(...blobs) },
  });
  const part = (place: number, blobs: Digest[], segments: Digest[] = []) => ({
    ...{ place, blobs: sizes(...blobs) },
    segments: segments.map((digest, i) => ({ digest, offset: i, size: 1 })),
  });
  const content = {
    recipes: [recipe('shop', a), recipe('depot', a, b), recipe('huge', c)],
    ...{ always: sizes(), blobs: sizes(a, b, c), absent: sizes(), unknownRoots: [] },
  };
  const parts = [part(0, [a]), part(1, [b], [c]), part(2, [], [c])];
  const planned = {
    delivery: { id: 'dlv_0123456789ab', zone: 'b', content, parts },
    blocked: [],
    lacking: [],
    refused: [],
    refusals: new Map(),
    checks: [],
  };
  const places = parts.map((_, i) => ({ path: `part-${i + 1}`, bytes: 9 }));
  const document = describeWriting({ ...planned, places } as never);
  assert.deepEqual(
    document.volumes.map(({ recipes, shares }) => [recipes, shares]),
    [
      [['shop@1.0.0'], ['depot@1.0.0']],
      [[], ['depot@1.0.0', 'huge@1.0.0']],
      [[], ['huge@1.0.0']],
    ],
  );
  const text = renderWriting(document, { language: 'en', choice: 'none' });
  assert.match(
    text,
    /part-2: .*\n {4}and content of recipes that need other parts too: depot@1\.0\.0, huge@1\.0\.0\n/,
  );
});

test('the proof of a delivery on the base of what was sent says that all deliveries before it must arrive', () => {
  const say = (from: 'receipt' | 'sent', language: 'en' | 'fr') =>
    renderOutcome(
      { delivery: { base: { from } }, proof: { ok: true, findings: [] }, volumes: [] } as never,
      language,
    );
  assert.match(say('sent', 'en'), /^proved: .* in the zone, once all deliveries before it have arrived$/m);
  assert.match(say('sent', 'fr'), /^prouvé.: .* une fois arrivées toutes les livraisons précédentes$/m);
  assert.match(say('receipt', 'en'), /^proved: every recipe would land in the zone$/m);
});

test('the last line of a writing promises no more than its proof found', () => {
  const say = (members: Partial<MediumWriting>, findings: readonly unknown[] = []) =>
    renderOutcome({ delivery: {}, volumes: [], proof: { ok: true, findings }, ...members } as never, 'en')
      .split(/^(?=proved)/m)
      .at(-1);
  const params = { reference: 'shop/web:1.0.0', problem: 'sparse' };
  const warning = { code: 'SVC-CLO-004', severity: 'warning', subject: 'shop/web:1.0.0', params };
  assert.equal(say({}), 'proved: every recipe would land in the zone\n');
  assert.equal(
    say({}, [warning]),
    'proved: every recipe would land in the zone, unless its registry refuses content that a warning names\n',
  );
  for (const without of [{ blocked: [] }, { lacking: [] }])
    assert.equal(say(without), 'proved: every recipe of the disks would land in the zone\n');
});
