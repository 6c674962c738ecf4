import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInHelmRange, parseHelmRange, parseHelmVersion } from '../../src/chart/helm-range.ts';
import { helmRanges, unreadableHelmRanges } from '../kit/content/helm-ranges.ts';

test('a range of a chart admits what helm takes it to admit', () => {
  for (const [range, admitted, refused] of helmRanges) {
    const parsed = parseHelmRange(range);
    assert.ok(parsed, range);
    for (const [versions, expected] of [
      [admitted, true],
      [refused, false],
    ] as const)
      for (const text of versions) {
        const version = parseHelmVersion(text);
        assert.ok(version, text);
        assert.equal(isInHelmRange(version, parsed), expected, `${text} in ${range}`);
      }
  }
});

test('what helm cannot read as a range is none, whatever its length', () => {
  for (const range of [...unreadableHelmRanges, ' '.repeat(300), `${'>'.repeat(200)}1`])
    assert.equal(parseHelmRange(range), undefined, range);
});
