import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkValue } from '../../src/contract/check-value.ts';
import {
  anyOf,
  component,
  constant,
  digest,
  integer,
  list,
  mapOf,
  object,
  oneOf,
  refusedAs,
  type Schema,
  string,
  text,
  timestamp,
} from '../../src/contract/schema.ts';

const pair = object({ name: text({ pattern: '^[a-z]+$', minLength: 1, maxLength: 5 }), 'count?': integer });
const named = component('Pair', pair);
const coded = refusedAs('SVC-STO-006', constant('RESET'));

const cases: readonly (readonly [value: unknown, schema: Schema, path: string, rule: string])[] = [
  [7, string, '/', 'must be a string'],
  ['', text({ minLength: 1 }), '/', 'must not be empty'],
  ['abcdef', text({ maxLength: 5 }), '/', 'must have at most 5 characters'],
  ['sha256:1', digest, '/', 'must be a digest'],
  ['c', oneOf('a', 'b'), '/', 'must be one of a, b'],
  ['reset', constant('RESET'), '/', 'must be one of RESET'],
  [true, constant(false), '/', 'must be one of false'],
  ['yesterday', timestamp, '/', 'must be a time such as 2026-01-31T12:00:00Z'],
  ['2026-13-01T00:00:00Z', timestamp, '/', 'must be a time such as 2026-01-31T12:00:00Z'],
  ['::1', text({ format: 'ipv4' }), '/', 'must be an IPv4 address'],
  ['127.0.0.1', text({ format: 'ipv6' }), '/', 'must be an IPv6 address'],
  [-1, integer, '/', 'must be at least 0'],
  [0.5, integer, '/', 'must be a whole number'],
  ['1', { type: 'number' }, '/', 'must be a number'],
  [[], { ...list(string), minItems: 1 }, '/', 'must not be empty'],
  [['a', 'b'], { ...list(string), maxItems: 1 }, '/', 'must have at most 1 entries'],
  [['a', 1], list(string), '/1', 'must be a string'],
  [{}, pair, '/name', 'is missing'],
  [{ name: 'A' }, pair, '/name', 'must match the pattern ^[a-z]+$'],
  [{ name: 'a', other: 1 }, pair, '/other', 'is not a known member'],
  [{ a: 1 }, mapOf(string), '/a', 'must be a string'],
  [
    { A: '' },
    { ...mapOf(string), propertyNames: text({ pattern: '^[a-z]+$' }) },
    '/A',
    'must match the pattern ^[a-z]+$',
  ],
  [{ one: { name: 7 } }, object({ one: named }), '/one/name', 'must be a string'],
  [7, anyOf(string, pair), '/', 'must be a string'],
];

test('every keyword of a schema is evaluated, and the first rule that is violated is named with its place', () => {
  for (const [value, schema, path, rule] of cases)
    assert.throws(
      () => checkValue(value, schema, '', 'request body'),
      { code: 'SVC-VAL-001', params: { file: 'request body', path, rule } },
      JSON.stringify(value),
    );
});

test('a value that every keyword admits is accepted', () => {
  const sound: readonly (readonly [unknown, Schema])[] = [
    [{ name: 'abc', count: 1 }, named],
    ['2026-01-31T12:00:00.5+01:00', timestamp],
    [{ a: 'b' }, mapOf(string)],
    [{ name: 'abc' }, anyOf(string, pair)],
    ['RESET', constant('RESET')],
  ];
  for (const [value, schema] of sound) checkValue(value, schema, '', 'request body');
});

test('a pattern or constant with a code of its own is left to the operation', () => {
  checkValue('reset', coded, '', 'request body');
  assert.throws(() => checkValue(7, refusedAs('SVC-AUTH-008', string), '', 'request body'), {
    code: 'SVC-VAL-001',
  });
});

test('the length of a text is its number of characters, of which some take two units', () => {
  const short = text({ maxLength: 5 });
  checkValue('😀'.repeat(5), short, '', 'body');
  assert.throws(() => checkValue('😀'.repeat(6), short, '', 'body'));
});
