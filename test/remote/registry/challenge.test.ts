import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseChallenges } from '../../../src/remote/registry/challenge.ts';

const read = (field: string | undefined) =>
  parseChallenges(field).map(({ scheme, params }) => ({ scheme, params: { ...params } }));

test('a bearer challenge with quoted values is read', () => {
  assert.deepEqual(
    read('Bearer realm="https://auth.example/token",service="registry.example",scope="a:b:c,d"'),
    [
      {
        scheme: 'bearer',
        params: { realm: 'https://auth.example/token', service: 'registry.example', scope: 'a:b:c,d' },
      },
    ],
  );
});

test('several challenges in one field are parsed', () => {
  assert.deepEqual(read('Negotiate, Basic realm="a, b=c", charset=UTF-8, BEARER Realm = "https://r/"'), [
    { scheme: 'negotiate', params: {} },
    { scheme: 'basic', params: { realm: 'a, b=c', charset: 'UTF-8' } },
    { scheme: 'bearer', params: { realm: 'https://r/' } },
  ]);
});

test('escaped quotes are undone and the first of two equal names counts', () => {
  assert.deepEqual(read(String.raw`Basic realm="say \"hi\"",realm="other"`), [
    { scheme: 'basic', params: { realm: 'say "hi"' } },
  ]);
});

test('what is no challenge is left out and never loops', () => {
  assert.deepEqual(read(undefined), []);
  assert.deepEqual(read(''), []);
  assert.deepEqual(read(',,, ,'), []);
  assert.deepEqual(read('Basic realm="unclosed'), [{ scheme: 'basic', params: { realm: 'unclosed' } }]);
  assert.deepEqual(read('é@@@=")(').length <= 1, true);
  assert.deepEqual(read(`Bearer __proto__="x"`)[0]?.scheme, 'bearer');
  assert.equal(({} as { x?: unknown }).x, undefined);
});
