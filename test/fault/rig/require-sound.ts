import assert from 'node:assert/strict';
import type { Store } from '../../../src/store/model.ts';
import { checkContent } from '../../../src/store/repair/check-content.ts';

/** The only problems that a power cut may leave are files that nobody was promised and nothing reaches. */
export async function requireSound(store: Store): Promise<void> {
  assert.equal(store.standing, 'ours');
  assert.equal(store.readOnly, undefined);
  assert.deepEqual(store.damage, []);
  const reached = new Set<string>();
  for (const repository of store.index.repositories())
    for (const { digest } of store.index.tags(repository))
      for (const one of store.index.reach(digest)) reached.add(one);
  for await (const { name, problems } of checkContent(store)) {
    const grave = problems.filter(
      ({ path }) => name !== 'blobs' || reached.has(path.replace('blobs/', '').replace('/', ':')),
    );
    assert.deepEqual(grave, [], name);
  }
}
