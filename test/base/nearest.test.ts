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

test('folders that two names begin with make them no closer', () => {
  const names = ['registry.example/shop/web', 'registry.example/charts/platform'];
  assert.equal(selectNearest('registry.example/nope', names), undefined);
  assert.equal(selectNearest('registry.example/shop/wep', names), names[0]);
  assert.equal(selectNearest('registry.example/chart/platform', names), names[1]);
  assert.equal(selectNearest('registry.exmaple/shop/web', names), names[0]);
  assert.equal(selectNearest('registry.example/shop/app', names), undefined);
});
