import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettledTags } from '../../../src/engine/sync/settled-tags.ts';

const minute = 60_000;
const list = new Set(['1.0.0', 'sha256-aa.sig']);

test('a tag is settled while its list is the same, for less than an hour', () => {
  const tags = new SettledTags();
  assert.equal(tags.isSettled('shop:1.0.0', list, 0), false);
  tags.record('shop:1.0.0', list, 0);
  assert.equal(tags.isSettled('shop:1.0.0', new Set([...list].reverse()), 59 * minute), true);
  assert.equal(tags.isSettled('shop:1.0.0', list, 60 * minute), false);
  assert.equal(tags.isSettled('shop:1.0.0', new Set([...list, 'sha256-bb.sig']), minute), false);
  assert.equal(tags.isSettled('other:1.0.0', list, minute), false);
});

test('a clock that was set back settles nothing', () => {
  const tags = new SettledTags();
  tags.record('shop:1.0.0', list, 10 * minute);
  assert.equal(tags.isSettled('shop:1.0.0', list, 9 * minute), false);
});
