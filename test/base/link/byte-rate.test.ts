import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByteRate, parseByteRate } from '../../../src/base/link/byte-rate.ts';
import type { Rule } from '../../../src/text/rule.ts';

test('a rate is a number of bytes a second, with or without its unit', () => {
  for (const [text, bytes] of [
    ['2MiB', 2 ** 21],
    ['2MiB/s', 2 ** 21],
    ['512kB', 512_000],
    ['1.5MB/s', 1_500_000],
    [' 64 KiB ', 65_536],
    ['1024', 1024],
    ['1TiB', 2 ** 40],
    ['unlimited', 0],
    ['Unlimited', 0],
  ] as const)
    assert.deepEqual(parseByteRate(text), { bytesPerSecond: bytes }, text);
});

test('a rate that is none says what it has to be', () => {
  const form = 'must be a number of bytes a second, such as 2MiB or 512kB, or unlimited';
  const bits = 'counts bytes, not bits: 8 Mbit/s are 1MB';
  for (const [text, rule] of [
    ['', form],
    ['fast', form],
    ['2 parsecs', form],
    ['2MiB/m', form],
    ['1e9', form],
    ['NaN', form],
    ['0', 'must not be 0, which would stop every transfer; no limit is unlimited'],
    ['0B', 'must not be 0, which would stop every transfer; no limit is unlimited'],
    ['-5MiB', 'must not be negative'],
    ['1023', 'must be at least 1KiB a second'],
    ['2TiB', 'must be at most 1TiB a second; no limit is unlimited'],
    ['8Mbit', bits],
    ['8Mbit/s', bits],
    ['8Mbps', bits],
    ['8Mb/s', bits],
  ] as const)
    assert.equal(String((parseByteRate(text) as { rule: Rule }).rule), rule, text);
});

test('a rate that is formatted is read back as it was', () => {
  for (const rate of [0, 1024, 1025, 2 ** 21, 1_500_000, 3 * 2 ** 30, 2 ** 40])
    assert.deepEqual(parseByteRate(formatByteRate(rate)), { bytesPerSecond: rate });
  assert.equal(formatByteRate(2 ** 21), '2MiB');
});
