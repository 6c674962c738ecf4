import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectPage } from '../../src/base/page.ts';

const list = Array.from({ length: 60 }, (_, i) => i);

test('a page is a part of its list, and says where it is', () => {
  const { selected, pageOf } = selectPage(list, { page: 3, pageSize: 25 });
  assert.deepEqual(selected, list.slice(50));
  assert.deepEqual(pageOf, { page: 3, totalPages: 3, total: 60 });
});

test('without a query the first 25 entries are selected', () => {
  assert.deepEqual(selectPage(list, {}).selected, list.slice(0, 25));
});

test('a page past the end is empty, and an empty list has no page', () => {
  assert.deepEqual(selectPage(list, { page: 4 }).selected, []);
  assert.deepEqual(selectPage([], {}).pageOf, { page: 1, totalPages: 0, total: 0 });
});

test('numbers out of range count as the nearest one in range', () => {
  assert.equal(selectPage(list, { page: 0, pageSize: 0 }).selected.length, 1);
  const long = Array.from({ length: 500 }, (_, i) => i);
  assert.equal(selectPage(long, { pageSize: 1000 }).selected.length, 200);
});
