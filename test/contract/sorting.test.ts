import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderOf, sortRows } from '../../src/contract/operations/sorting.ts';

const rows = [
  { name: 'b', created: '2026-01-02', bytes: 7 },
  { name: 'ab', created: '2026-01-01', bytes: undefined },
  { name: 'a', created: '2026-01-03', bytes: 7 },
  { name: 'é', created: '2026-01-04', bytes: 0 },
] as const;
type Row = (typeof rows)[number];

const values = {
  name: ({ name }: Row) => name,
  created: ({ created }: Row) => created,
  bytes: ({ bytes }: Row) => bytes,
};
const namesOf = (query: Parameters<typeof sortRows<Row, keyof typeof values>>[2]) =>
  sortRows(rows, values, query).map(({ name }) => name);

test('without a key the first one orders the rows, and the rows that are given stay as they are', () => {
  assert.deepEqual(namesOf({}), ['a', 'ab', 'b', 'é']);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['b', 'ab', 'a', 'é'],
  );
});

test('texts go from A to Z unless told, times and numbers from the last or the largest', () => {
  assert.deepEqual(namesOf({ sort: 'created' }), ['é', 'a', 'b', 'ab']);
  assert.deepEqual(namesOf({ sort: 'created', order: 'asc' }), ['ab', 'b', 'a', 'é']);
  assert.deepEqual(namesOf({ order: 'desc' }), ['é', 'b', 'ab', 'a']);
  assert.deepEqual(
    ['zone', 'state', 'configured', 'bytes', 'issued'].map((key) => orderOf(key)),
    ['asc', 'asc', 'asc', 'desc', 'desc'],
  );
});

test('equal rows are ordered by the first key, and a row without a value comes last in either direction', () => {
  assert.deepEqual(namesOf({ sort: 'bytes' }), ['a', 'b', 'é', 'ab']);
  assert.deepEqual(namesOf({ sort: 'bytes', order: 'asc' }), ['é', 'a', 'b', 'ab']);
});
