import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseMemory } from '../../src/base/release-memory.ts';

test('a buffer that has its memory to itself is empty once it is released', () => {
  const bytes = Buffer.alloc(65_536, 7);
  releaseMemory(bytes);
  assert.equal(bytes.length, 0);
});

test('a part of a larger memory stays, and so do its neighbours', () => {
  const whole = Buffer.alloc(1024, 7);
  releaseMemory(whole.subarray(0, 512));
  assert.deepEqual(whole, Buffer.alloc(1024, 7));
  const pooled = Buffer.from('a few bytes of the pool');
  releaseMemory(pooled);
  assert.equal(pooled.toString(), 'a few bytes of the pool');
});

test('memory shared between threads stays', () => {
  const shared = Buffer.from(new SharedArrayBuffer(16));
  releaseMemory(shared);
  assert.equal(shared.length, 16);
});
