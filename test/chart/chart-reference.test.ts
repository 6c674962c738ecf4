import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatChartReference,
  isChartReference,
  parseChartReference,
} from '../../src/chart/chart-reference.ts';
import { isSvcError } from '../../src/text/error.ts';

test('a chart is named by its repository, its name and perhaps its version', () => {
  for (const [text, base, chart, version, nominal] of [
    ['https://charts.example/redis', 'https://charts.example/', 'redis', undefined, 'redis'],
    ['https://charts.example/a/b/redis:1.2.3', 'https://charts.example/a/b/', 'redis', '1.2.3', 'a/b/redis'],
    [
      'https://Charts.Example:8443/redis:^1.2, !=1.3.0',
      'https://charts.example:8443/',
      'redis',
      '^1.2, !=1.3.0',
      'redis',
    ],
    [
      'https://charts.example:443//x//redis:>=1 <2',
      'https://charts.example//x/',
      'redis',
      '>=1 <2',
      'x/redis',
    ],
    ['https://charts.example/redis:1.0.0+b.1', 'https://charts.example/', 'redis', '1.0.0+b.1', 'redis'],
  ] as const) {
    const parsed = parseChartReference(text);
    assert.equal(parsed.base.href, base);
    assert.deepEqual([parsed.chart, parsed.version, parsed.nominal.repository], [chart, version, nominal]);
    assert.equal(parsed.nominal.host, new URL(base).host);
  }
  const { base, chart } = parseChartReference('https://charts.example/a/redis');
  assert.equal(
    formatChartReference({ base, chart, nominal: { host: '', repository: '' } }, '1.0.0'),
    'https://charts.example/a/redis:1.0.0',
  );
  assert.ok(isChartReference('HTTPS://charts.example/redis'));
  assert.ok(!isChartReference('https.example/redis:1'));
});

test('what names no chart, or not safely, is refused under the name it was given', () => {
  for (const text of [
    'http://charts.example/redis',
    'https://charts.example',
    'https://charts.example/',
    'https:///redis',
    'https://charts.example/redis:',
    'https://charts.example/redis:>',
    'https://charts.example/redis:1 || 2',
    `https://charts.example/redis:${'1'.repeat(300)}`,
    'https://user@charts.example/redis',
    'https://charts.example/a?x=/redis',
    'https://charts.example/a#/redis',
    'https://charts.example/..',
    'https://charts.example/re dis',
    `https://charts.example/${'a/'.repeat(600)}redis`,
  ])
    assert.throws(
      () => parseChartReference(text),
      (error: unknown) => {
        assert.ok(isSvcError(error, 'SVC-REG-001'), text);
        const shown = text.replace('user@', '').replace('?x=/redis', '?x=REDACTED');
        assert.equal(error.params.reference, shown.slice(0, 512));
        return true;
      },
      text,
    );
});
