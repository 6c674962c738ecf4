import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedSync } from '../../src/store/blobs/shared-sync.ts';
import { ChangeGate } from '../../src/store/change-gate.ts';

test('additions run concurrently, removals exclusively, and both in order of arrival', async () => {
  const gate = new ChangeGate();
  const log: string[] = [];
  const open: (() => void)[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} starts`);
    await new Promise<void>((resolve) => open.push(resolve));
    log.push(`${name} ends`);
  };
  const all = [
    gate.shared(work('a')),
    gate.shared(work('b')),
    gate.exclusive(work('x')),
    gate.shared(work('c')),
  ];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < all.length; i += 1) {
    await turn();
    open.shift()!();
  }
  await Promise.all(all);
  assert.deepEqual(log, [
    'a starts',
    'b starts',
    'a ends',
    'b ends',
    'x starts',
    'x ends',
    'c starts',
    'c ends',
  ]);
});

test('a failure leaves the gate open', async () => {
  const gate = new ChangeGate();
  const fail = async (): Promise<never> => {
    throw new Error('no');
  };
  await assert.rejects(gate.exclusive(fail), /no/);
  await assert.rejects(gate.shared(fail), /no/);
  assert.equal(await gate.exclusive(async () => 1), 1);
});

test('concurrent callers share a sync that started after their call', async () => {
  let started = 0;
  const ends: (() => void)[] = [];
  const shared = new SharedSync(() => {
    started += 1;
    return new Promise((resolve) => ends.push(resolve));
  });
  const first = shared.run();
  const [second, third] = [shared.run(), shared.run()];
  assert.equal(started, 1);
  ends.shift()!();
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(started, 2);
  ends.shift()!();
  await Promise.all([second, third]);
  const last = shared.run();
  assert.equal(started, 3);
  ends.shift()!();
  await last;
});
