import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { type Ownership, planPrune } from '../../src/engine/prune.ts';
import { toAliasTag } from '../../src/engine/select-tags.ts';
import type { Owner, TagRecord } from '../../src/store/model.ts';

const digest = (name: string) => `sha256:${name.padEnd(64, '0')}` as Digest;
const by = (recipe: string, cookbook = 'books.example/cookbook'): Owner => ({
  provenance: 'recipe',
  recipe,
  cookbook,
});

function toStore(
  tags: readonly (Pick<TagRecord, 'repository' | 'tag' | 'owners'> & { of: string; held?: boolean })[],
  reach: Record<string, readonly string[]>,
) {
  const records = tags.map(
    ({ of, held = false, ...rest }): TagRecord => ({
      ...rest,
      digest: digest(of),
      kind: 'ContainerImage',
      held,
    }),
  );
  const names = [...new Set(records.map(({ repository }) => repository))].sort();
  return {
    repositories: ({ last = '', limit = 1000 } = {}) => names.filter((name) => name > last).slice(0, limit),
    tags: (name: string) => records.filter(({ repository }) => repository === name),
    reach: (root: Digest) =>
      new Set([
        root,
        ...(Object.entries(reach).find(([name]) => digest(name) === root)?.[1] ?? []).map(digest),
      ]),
    sizeOf: () => 10,
  };
}
const nobody: Ownership = new Map();

test('only positive recipe provenance is ever released', async () => {
  const kinds = ['import', 'push', 'vulnerability-database', 'local-pack'] as const;
  const store = toStore(
    [
      ...kinds.map((provenance) => ({ repository: 'r', tag: provenance, of: 'a', owners: [{ provenance }] })),
      { repository: 'r', tag: 'none', of: 'a', owners: [] },
      { repository: 'r', tag: 'held', of: 'a', owners: [by('x@1')], held: true },
      { repository: 'r', tag: 'gone', of: 'b', owners: [by('x@1')] },
    ],
    {},
  );
  const plan = await planPrune(store, nobody);
  assert.deepEqual(
    plan.items.map(({ tag }) => tag),
    ['gone'],
  );
  assert.deepEqual(
    plan.releases.map(({ tag }) => tag),
    ['gone'],
  );
});

test('an owner that leaves does not take along what another still owns', async () => {
  const store = toStore([{ repository: 'r', tag: '1', of: 'a', owners: [by('x@1'), by('y@1')] }], {});
  const plan = await planPrune(store, new Map([['r:1', [by('y@1')]]]));
  assert.deepEqual(plan.items, []);
  assert.deepEqual(plan.releases, [{ repository: 'r', tag: '1', owner: by('x@1') }]);
});

test('the same recipe of another cookbook is another owner', async () => {
  const store = toStore([{ repository: 'r', tag: '1', of: 'a', owners: [by('x@1', 'other.example/c')] }], {});
  const plan = await planPrune(store, new Map([['r:1', [by('x@1')]]]));
  assert.equal(plan.items.length, 1);
});

test('bytes set free are counted once, and not those that something else reaches', async () => {
  const store = toStore(
    [
      { repository: 'r', tag: '1', of: 'a', owners: [by('x@1')] },
      { repository: 'r', tag: '2', of: 'b', owners: [by('x@1')] },
      { repository: 's', tag: '1', of: 'c', owners: [{ provenance: 'push' }] },
    ],
    { a: ['d', 'e'], b: ['d'], c: ['e'] },
  );
  const plan = await planPrune(store, nobody);
  assert.deepEqual(
    plan.items.map(({ sizeBytes }) => sizeBytes),
    [30, 20],
  );
  assert.equal(plan.totalBytes, 30, 'a, b and d; e stays with c');
});

test('the tag of a digest whose own tag is taken stays a tag', () => {
  const alias = toAliasTag('1'.repeat(128), digest('abc'));
  assert.equal(alias.length <= 128, true);
  assert.notEqual(toAliasTag('1.0', digest('abc')), toAliasTag('1.0', digest('abd')));
});
