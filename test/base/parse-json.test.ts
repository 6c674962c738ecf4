import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonGauge, measureJson } from '../../src/base/json/json-gauge.ts';
import { parseJson } from '../../src/base/json/parse-json.ts';

test('a document is decoded, and brackets and commas in its strings count for nothing', () => {
  const value = { a: [1, { b: '[[[[{{{{,,,,"\\' }], c: 'é' };
  const bytes = Buffer.from(JSON.stringify(value));
  assert.deepEqual(parseJson(bytes, { depth: 3, values: 6 }), value);
  assert.throws(() => parseJson(bytes, { depth: 2, values: 6 }), SyntaxError);
  assert.throws(() => parseJson(bytes, { depth: 3, values: 4 }), SyntaxError);
});

test('what is no JSON in UTF-8 is a syntax error', () => {
  for (const bytes of [Buffer.from(''), Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])])
    assert.throws(() => parseJson(bytes), SyntaxError);
});

test('few bytes that stand for much are refused before they are decoded', () => {
  // of the processor, not of the clock: a busy machine says nothing about the work
  const started = process.cpuUsage();
  for (const text of ['['.repeat(4_000_000), `[${'{},'.repeat(1_300_000)}1]`])
    assert.throws(() => parseJson(Buffer.from(text)), SyntaxError);
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1000 < 3000, `${(user + system) / 1000} ms`);
});

test('a text that arrives in pieces is measured as if it came whole', () => {
  const bytes = Buffer.from('{"a\\"[[":["\\\\",{"b":[]}]}');
  for (const depth of [3, 4]) {
    const whole = new JsonGauge({ depth, values: 100 }).add(bytes);
    for (let size = 1; size < bytes.length; size += 1) {
      const gauge = new JsonGauge({ depth, values: 100 });
      let fault: string | undefined;
      for (let at = 0; at < bytes.length && fault === undefined; at += size)
        fault = gauge.add(bytes.subarray(at, at + size));
      assert.equal(fault, whole, `${depth} ${size}`);
    }
    assert.equal(whole, depth === 3 ? 'depth' : undefined);
  }
});

test('a whole text is measured as the gauge measures it, where few brackets and many are', () => {
  const texts = [
    '[]',
    '[[]]',
    '[[[]]]',
    '"[[[{{{"',
    '["[[[",[],{}]',
    '{"a":[{"b":1}]}',
    '[1,2,3]',
    '[1,2,3,4,5,6]',
  ];
  for (const text of texts)
    for (const bounds of [
      { depth: 2, values: 100 },
      { depth: 3, values: 4 },
      { depth: 100, values: 100 },
    ]) {
      const bytes = Buffer.from(text);
      assert.equal(measureJson(bytes, bounds), new JsonGauge(bounds).add(bytes), text);
    }
});
