import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkAt, createPackRing, openPackRing, ringChunkBytes } from '../../src/fileset/pack-ring.ts';

test('a chunk is filled again only when all before it are back', () => {
  const ring = createPackRing();
  const free = new Int32Array(ring.free);
  assert.equal(free[0], 0, 'nothing is filled before it is asked for');
  const giveBack = openPackRing(ring);
  const all = free[0]!;
  assert.equal(all * ringChunkBytes, ring.bytes.byteLength);
  for (const index of [2, 1]) giveBack(index);
  assert.equal(free[0], all);
  giveBack(0);
  assert.equal(free[0], all + 3);
  giveBack(3);
  assert.equal(free[0], all + 4);
});

test('chunks lie behind each other, and the first follows the last', () => {
  const ring = createPackRing();
  const chunks = ring.bytes.byteLength / ringChunkBytes;
  for (let index = 0; index < chunks; index += 1) chunkAt(ring, index).fill(index + 1);
  for (let index = 0; index < chunks; index += 1) {
    const chunk = chunkAt(ring, index + chunks);
    assert.equal(chunk.length, ringChunkBytes);
    assert.ok(chunk.every((byte) => byte === index + 1));
  }
});
