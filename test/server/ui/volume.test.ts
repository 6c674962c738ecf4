import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectShown } from '../../../server/views/volume.ts';

const totalBytes = 1e12;

test('the free space shown stays until it is wrong by one per cent, however slowly it changes', () => {
  const before = { freeBytes: 100e9, totalBytes };
  assert.equal(selectShown(before, { freeBytes: 99.5e9, totalBytes }), before);
  assert.equal(selectShown(before, { freeBytes: 100.5e9, totalBytes }), before);
  const now = { freeBytes: 98.9e9, totalBytes };
  assert.equal(selectShown(before, now), now);
  let shown = before;
  for (let freeBytes = 100e9; freeBytes >= 0; freeBytes -= 0.1e9) {
    shown = selectShown(shown, { freeBytes, totalBytes });
    assert.ok(
      Math.abs(shown.freeBytes - freeBytes) <= freeBytes / 100,
      `${shown.freeBytes} for ${freeBytes}`,
    );
  }
});

test('the first figures, and those of another volume, are shown as they are', () => {
  const now = { freeBytes: 100e9, totalBytes };
  assert.equal(selectShown(undefined, now), now);
  assert.equal(selectShown({ freeBytes: 100e9, totalBytes: 2e12 }, now), now);
});
