import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDocuments } from '../../scripts/compare/judge/additions.ts';
import type { Form } from '../../scripts/compare/subject.ts';

type Case = readonly [
  name: string,
  form: Exclude<Form, 'text'>,
  older: unknown,
  newer: unknown,
  additions: readonly string[],
  differences: readonly string[],
];
const toAnswerOf = (schema: unknown): unknown => ({
  paths: { '/x': { get: { responses: { 200: schema } } } },
});
const toRequestOf = (schema: unknown): unknown => ({ paths: { '/x': { post: { requestBody: schema } } } });
const toNamed = (schema: unknown, part: 'responses' | 'requestBody'): unknown => ({
  components: { schemas: { Thing: schema } },
  paths: {
    '/x': { post: { [part]: { content: { json: { schema: { $ref: '#/components/schemas/Thing' } } } } } },
  },
});
const one = { type: 'object', properties: { a: {} }, required: ['a'] };
const two = { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] };
const ofAnswer = '/paths//x/get/responses/200';
const ofRequest = '/paths//x/post/requestBody';
const ofThing = '/components/schemas/Thing';

const cases: readonly Case[] = [
  ['a member of a value', 'value', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, ['/a/c'], []],
  ['a member of an item', 'value', [{ a: 1 }], [{ a: 1, b: 2 }], ['/0/b'], []],
  ['a member that is gone', 'value', { a: 1, b: 2 }, { a: 1 }, [], ['/b']],
  ['another value', 'value', { a: 1 }, { a: '1' }, [], ['/a']],
  ['one more item', 'value', { a: [1] }, { a: [1, 2] }, [], ['/a']],
  ['another order of items', 'value', [1, 2], [2, 1], [], ['/0', '/1']],
  ['a path', 'openapi', { paths: { '/x': {} } }, { paths: { '/x': {}, '/y': {} } }, ['/paths//y'], []],
  ['a method', 'openapi', { paths: { '/x': {} } }, { paths: { '/x': { get: {} } } }, ['/paths//x/get'], []],
  [
    'a description',
    'openapi',
    toAnswerOf({}),
    toAnswerOf({ description: 'x' }),
    [],
    [`${ofAnswer}/description`],
  ],
  [
    'a required member of an answer',
    'openapi',
    toAnswerOf(one),
    toAnswerOf(two),
    [`${ofAnswer}/properties/b`, `${ofAnswer}/required/b`],
    [],
  ],
  [
    'a required member of a request',
    'openapi',
    toRequestOf(one),
    toRequestOf(two),
    [`${ofRequest}/properties/b`],
    [`${ofRequest}/required`],
  ],
  [
    'a value in an answer',
    'openapi',
    toAnswerOf({ enum: ['a'] }),
    toAnswerOf({ enum: ['a', 'b'] }),
    [],
    [`${ofAnswer}/enum`],
  ],
  [
    'a value in a request',
    'openapi',
    toRequestOf({ enum: ['a'] }),
    toRequestOf({ enum: ['a', 'b'] }),
    [`${ofRequest}/enum/b`],
    [],
  ],
  [
    'a required member of a schema of answers',
    'openapi',
    toNamed(one, 'responses'),
    toNamed(two, 'responses'),
    [`${ofThing}/properties/b`, `${ofThing}/required/b`],
    [],
  ],
  [
    'a required member of a schema of requests',
    'openapi',
    toNamed(one, 'requestBody'),
    toNamed(two, 'requestBody'),
    [`${ofThing}/properties/b`],
    [`${ofThing}/required`],
  ],
  [
    'an optional parameter and a required one',
    'openapi',
    { paths: { '/x': { get: { parameters: [{ name: 'a' }] } } } },
    {
      paths: { '/x': { get: { parameters: [{ name: 'c', required: true }, { name: 'b' }, { name: 'a' }] } } },
    },
    ['/paths//x/get/parameters/b'],
    ['/paths//x/get/parameters/c'],
  ],
  [
    'a narrower rule',
    'request-schema',
    { properties: { a: {} } },
    { properties: { a: { minLength: 1 } } },
    [],
    ['/properties/a/minLength'],
  ],
  [
    'a setting',
    'request-schema',
    { properties: { a: {} } },
    { properties: { a: {}, b: {} } },
    ['/properties/b'],
    [],
  ],
  ['a closed object', 'answer-schema', {}, { additionalProperties: false }, [], ['/additionalProperties']],
];
for (const [name, form, older, newer, additions, differences] of cases)
  test(`${name} (${form}) is ${differences.length === 0 ? 'an addition' : 'a difference'}`, () => {
    assert.deepEqual(judgeDocuments(older, newer, form), { additions, differences });
  });
