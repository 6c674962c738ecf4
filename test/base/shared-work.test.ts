import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedWork } from '../../src/base/shared-work.ts';

/** Work that ends on command, and notes that it ran. */
function scene() {
  const ran: string[] = [];
  const isThere = new Set<string>();
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const work = (name: string) => async () => {
    if (isThere.has('result')) return;
    ran.push(name);
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    await gate.promise;
    isThere.add('result');
  };
  return { ran, work, gate: (name: string) => gates.get(name)! };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('callers of another way use the result of the first', async () => {
  const { ran, work, gate } = scene();
  const shared = new SharedWork<string>();
  const all = [
    shared.run('k', 'a', work('a')),
    shared.run('k', 'b', work('b')),
    shared.run('k', 'c', work('c')),
  ];
  gate('a').resolve();
  await Promise.all(all);
  assert.deepEqual(ran, ['a']);
});

test('after a failure each other way is tried once, and only its own failure is thrown', async () => {
  const { ran, work, gate } = scene();
  const shared = new SharedWork<string>();
  const all = ['a', 'b', 'a', 'b', 'c', 'd'].map((way) => shared.run('k', way, work(way)));
  const settled = Promise.allSettled(all);
  gate('a').reject(new Error('of a'));
  await turn();
  gate('b').reject(new Error('of b'));
  await turn();
  gate('c').resolve();
  const outcomes = (await settled).map((one) => (one.status === 'rejected' ? one.reason.message : 'done'));
  assert.deepEqual(outcomes, ['of a', 'of b', 'of a', 'of b', 'done', 'done']);
  assert.deepEqual(ran, ['a', 'b', 'c']);
});

test('keys do not wait for each other, and a failed way can be tried again later', async () => {
  const { ran, work, gate } = scene();
  const shared = new SharedWork<string>();
  const first = shared.run('k', 'a', work('a'));
  const other = shared.run('l', 'a', work('other'));
  gate('a').reject(new Error('of a'));
  await assert.rejects(first);
  const again = shared.run('k', 'a', work('again'));
  gate('again').resolve();
  gate('other').resolve();
  await Promise.all([again, other]);
  assert.deepEqual(ran, ['a', 'other', 'again']);
});
