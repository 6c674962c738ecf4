import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { ManifestCache } from '../../src/store/manifest-cache.ts';

const digest = (n: number): Digest => `sha256:${String(n).padStart(64, '0')}`;
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

test('what was read as text is still read as bytes, each of them unchanged', () => {
  const cache = new ManifestCache();
  cache.set(digest(1), everyByte);
  const text = cache.text(digest(1));
  assert.deepEqual(Buffer.from(text!, 'latin1'), everyByte);
  assert.deepEqual(cache.get(digest(1)), everyByte);
  assert.equal(cache.text(digest(1)), text);
  assert.equal(cache.text(digest(2)), undefined);
});

test('what is too large for one write has no text, and is kept as bytes', () => {
  const cache = new ManifestCache();
  const large = Buffer.alloc(65_537, 7);
  cache.set(digest(1), large);
  assert.equal(cache.text(digest(1)), undefined);
  assert.equal(cache.get(digest(1)), large);
});

test('text counts against the limit like bytes, and the least recently used goes first', () => {
  const cache = new ManifestCache(1000);
  for (let n = 0; n < 4; n += 1) cache.set(digest(n), Buffer.alloc(250, n));
  assert.equal(cache.text(digest(0))?.length, 250);
  cache.set(digest(4), Buffer.alloc(250));
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((n) => cache.has(digest(n))),
    [true, false, true, true, true],
  );
  cache.delete(digest(0));
  cache.set(digest(5), Buffer.alloc(250));
  assert.ok(cache.has(digest(2)), 'the room of a deleted text is free');
});
