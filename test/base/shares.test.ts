import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bounds, type Holder, Shares } from '../../src/base/shares/shares.ts';

const bounds: Bounds = { total: 10, reserve: 3, share: { origin: 2, account: 4, admin: 6 }, origins: 3 };
const of = (rank: Holder['rank'], name: string): Holder => ({ name, rank });
const [ana, ben] = [of('account', 'ana'), of('account', 'ben')];
const root = of('admin', 'root');
const [here, there] = [of('origin', 'here'), of('origin', 'there')];

test('a holder takes no more than its share, and what it gives back is free again', () => {
  const shares = new Shares(bounds);
  assert.equal(shares.tryTake(ana, 3), true);
  assert.equal(shares.tryTake(ana, 2), false);
  assert.deepEqual(shares.obstacle(ana, 2), { of: 'share', limit: 4 });
  shares.give(ana, 3);
  assert.equal(shares.tryTake(ana, 4), true);
  assert.equal(shares.taken, 4);
});

test('only administrators take the reserve', () => {
  const shares = new Shares(bounds);
  shares.add(ana, 4);
  shares.add(ben, 3);
  assert.deepEqual(shares.obstacle(of('account', 'cleo')), { of: 'total', limit: 7 });
  assert.equal(shares.tryTake(root, 3), true);
  assert.deepEqual(shares.obstacle(root), { of: 'total', limit: 10 });
});

test('all origins together take no more than their part', () => {
  const shares = new Shares(bounds);
  shares.add(here, 2);
  assert.equal(shares.tryTake(there), true);
  assert.deepEqual(shares.obstacle(of('origin', 'elsewhere')), { of: 'origins', limit: 3 });
  assert.equal(shares.tryTake(ana, 4), true);
});

test('who gives way is the holder itself at its share, otherwise who has most and ranks no higher', () => {
  const shares = new Shares(bounds);
  assert.equal(shares.giver(ana), undefined);
  shares.add(here, 2);
  assert.equal(shares.giver(here), 'here');
  shares.add(there, 1);
  assert.equal(shares.giver(there), 'here', 'origins give way to origins only');
  shares.add(root, 4);
  assert.equal(shares.giver(ana), 'here', 'an administrator gives way to no account');
  shares.add(ana, 3);
  assert.equal(shares.giver(root), 'root', 'of all, who has most');
  assert.equal(new Shares({ ...bounds, share: { ...bounds.share, origin: 0 } }).giver(here), undefined);
});
