import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByteRange } from '../../../server/byte-range.ts';
import { parseChunkRange } from '../../../server/registry/chunk-range.ts';

test('one range of bytes is honoured, inclusive, from the front and from the end', () => {
  assert.deepEqual(parseByteRange('bytes=0-9', 100), { kind: 'part', start: 0, end: 9 });
  assert.deepEqual(parseByteRange('bytes=90-', 100), { kind: 'part', start: 90, end: 99 });
  assert.deepEqual(parseByteRange('bytes=90-1000', 100), { kind: 'part', start: 90, end: 99 });
  assert.deepEqual(parseByteRange('bytes=-10', 100), { kind: 'part', start: 90, end: 99 });
  assert.deepEqual(parseByteRange('bytes=-1000', 100), { kind: 'part', start: 0, end: 99 });
});

test('a range outside the content, or backwards, cannot be satisfied', () => {
  assert.deepEqual(parseByteRange('bytes=5-2', 100), { kind: 'unsatisfiable' });
  assert.deepEqual(parseByteRange('bytes=100-', 100), { kind: 'unsatisfiable' });
  assert.deepEqual(parseByteRange('bytes=-0', 100), { kind: 'unsatisfiable' });
  assert.deepEqual(parseByteRange('bytes=0-0', 0), { kind: 'unsatisfiable' });
});

test('an unparsable header, several ranges and other units select the complete content', () => {
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=0-1,3-4', 'items=0-1', 'bytes=a-b'])
    assert.deepEqual(parseByteRange(header, 100), { kind: 'whole' }, String(header));
});

test('the range of a chunk is read with and without its unit', () => {
  assert.deepEqual(parseChunkRange('0-9'), { start: 0, end: 9 });
  assert.deepEqual(parseChunkRange('bytes 10-19/*'), { start: 10, end: 19 });
  assert.deepEqual(parseChunkRange('bytes=10-19/100'), { start: 10, end: 19 });
  for (const header of ['', '9-0', '-5', '5-', 'x', '0-99999999999999999'])
    assert.equal(parseChunkRange(header), undefined);
});
