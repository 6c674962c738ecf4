import assert from 'node:assert/strict';
import type { OpenStoreOptions, Store } from '../../../src/store/model.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';

/**
 * Opens a store as its next process would, and holds it to be ours, writable and clean, without any repair.
 *
 * @param look asked while it is open
 */
export async function checkStoreAt(
  root: string,
  stateRoot: string,
  look: (store: Store) => void | Promise<void> = () => {},
  options: Partial<OpenStoreOptions> = {},
): Promise<void> {
  await using store = await openStoreAt({ root, stateRoot }, options);
  assert.equal(store.standing, 'ours');
  assert.deepEqual(store.damage, []);
  if ((options.access ?? 'write') === 'write') assert.equal(store.readOnly, undefined);
  await requireClean(store);
  await look(store);
}

/** Every step of the check without a problem. */
export async function requireClean(store: Store): Promise<void> {
  let steps = 0;
  for await (const { name, problems } of checkContent(store)) {
    assert.deepEqual(problems, [], `the step ${name} of the check`);
    steps += 1;
  }
  assert.equal(steps, 7);
}
