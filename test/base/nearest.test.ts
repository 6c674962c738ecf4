import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectNearest } from '../../src/base/nearest.ts';

test('the nearest name is found through a swap, a slip, a missing letter and other case', () => {
  const names = ['storage', 'state', 'server', 'sync', 'shutdown'];
  assert.equal(selectNearest('stroage', names), 'storage');
  assert.equal(selectNearest('SERVER', names), 'server');
  assert.equal(selectNearest('syn', names), 'sync');
  assert.equal(selectNearest('shutdwon', names), 'shutdown');
});

test('nothing is suggested for a name that resembles none, and none that is empty or huge', () => {
  assert.equal(selectNearest('registries', ['sync', 'zone']), undefined);
  assert.equal(selectNearest('', ['a']), undefined);
  assert.equal(selectNearest('x'.repeat(1000), ['x'.repeat(999)]), undefined);
});
