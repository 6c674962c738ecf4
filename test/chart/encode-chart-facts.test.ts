import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { type ChartFacts, type ChartParts, toChartFacts } from '../../src/chart/chart-facts.ts';
import { decodeChartFacts, encodeChartFacts } from '../../src/chart/encode-chart-facts.ts';
import { entryRules } from '../../src/chart/index-entry.ts';
import { mediaTypes } from '../../src/oci/media-types.ts';

const toFacts = (name: string, more: object = {}, hasProvenance = false): ChartFacts => {
  const layer = (mediaType: string, text: string) => ({
    mediaType,
    digest: hashBytes(text),
    size: text.length,
  });
  const parts: ChartParts = {
    config: layer(mediaTypes.helmConfig, 'config'),
    archive: layer(mediaTypes.helmChart, `archive of ${name}`),
    ...(hasProvenance ? { provenance: layer(mediaTypes.helmProvenance, 'provenance') } : {}),
    created: '2026-01-02T03:04:05Z',
  };
  return toChartFacts(parts, Buffer.from(JSON.stringify({ name, version: '1.2.3-rc.1+b', ...more })));
};
const known = new Map(
  [
    toFacts('shop', { description: 'Ω 𝛀\tin\nlines', annotations: { b: '1', a: '2' } }, true),
    toFacts('tool'),
    toFacts('bad name'),
    toFacts('old', { version: 'newest' }),
  ].map((facts, i) => [hashBytes(`${i}`, i === 1 ? 'sha512' : 'sha256'), facts] as const),
);
const encode = (most = 1 << 20): Buffer => Buffer.concat([...encodeChartFacts(known, most)]);

test('facts of charts are read as they were written', async () => {
  assert.deepEqual(await decodeChartFacts(encode()), known);
  const absent: ChartFacts = { leftOut: 'archive' };
  const piece = Buffer.concat([...encodeChartFacts([[hashBytes('x'), absent]], 1 << 20)]);
  assert.deepEqual(await decodeChartFacts(piece), new Map(), 'a later store may have the archive');
});

test('facts that have no room are left out, and the others are read', async () => {
  const whole = encode();
  for (const most of [whole.length, whole.length - 100, 700, 200, 0]) {
    const bytes = encode(most);
    if (most > 200) assert.ok(bytes.length <= most);
    const found = await decodeChartFacts(bytes);
    assert.deepEqual(found, new Map([...known].slice(0, found!.size)));
  }
  assert.equal((await decodeChartFacts(encode(700)))!.size, 1);
});

test('damaged bytes, and those of other rules, say nothing', async () => {
  const whole = encode();
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    assert.equal(await decodeChartFacts(damaged), undefined, `byte ${at}`);
  }
  for (const bytes of [
    Buffer.alloc(0),
    whole.subarray(0, -1),
    whole.subarray(1),
    Buffer.concat([whole, whole]),
  ])
    assert.equal(await decodeChartFacts(bytes), undefined);
  const other = whole
    .toString('latin1', 0, whole.length - 32)
    .replace(`1.${entryRules} `, `1.${entryRules + 1} `);
  const sum = Buffer.from(hashBytes(Buffer.from(other, 'latin1')).slice(7), 'hex');
  assert.equal(await decodeChartFacts(Buffer.concat([Buffer.from(other, 'latin1'), sum])), undefined);
});

test('a change to the bytes of an entry requires a new rules version', () => {
  assert.equal(entryRules, 2);
  const all = Object.fromEntries(
    [
      'apiVersion',
      'appVersion',
      'condition',
      'description',
      'home',
      'icon',
      'kubeVersion',
      'tags',
      'type',
    ].map((name) => [name, `${name} \u0007Ω`]),
  );
  const facts = toFacts('shop', {
    ...all,
    deprecated: true,
    keywords: ['b', 'a'],
    sources: ['https://example.org'],
    maintainers: [{ name: 'ana', email: 'ana@example.org', url: 'https://example.org', more: 1 }, 'ben'],
    annotations: { z: '1', 10: '2', 9: '3', __proto__x: '4' },
    dependencies: [
      { name: 'db', version: '~1', repository: 'r', alias: 'a', tags: ['t'], enabled: true },
      {},
    ],
    unknown: {},
  });
  assert.ok('entry' in facts);
  assert.equal(
    hashBytes(facts.entry.json),
    'sha256:237a9dcc6b0128de885a8507daa380677a9b32508088cc19221a03c856285109',
  );
});
