import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { carry } from '../../kit/scene/carried-medium.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';

let medium: BuiltMedium;

before(async () => {
  medium = await buildMedium();
});
after(() => medium[Symbol.asyncDispose]());

function listTags({ index }: Store): string[] {
  return index
    .repositories()
    .flatMap((name) => index.tags(name).map(({ tag, digest }) => `${name}:${tag} ${digest}`))
    .sort();
}

/** The same medium with a content ledger that cannot be read from a byte on, or at all. */
async function carryLost(offset: number | undefined): Promise<string> {
  const { root, ledger } = await carry(medium);
  const path = join(root, await ledger('content'));
  if (offset === undefined) await rm(path);
  else await damageFile(path, offset);
  return root;
}

for (const offset of [undefined, 50, 200, 1000, 6000]) {
  const what = offset === undefined ? 'that is missing' : `damaged at byte ${offset}`;

  test(`a content ledger ${what} hides no tag, manifest or referrer of a store of another maker`, async () => {
    const root = await carryLost(offset);
    await using whole = await openStoreAt({ root: await medium.carry() }, { zone: 'zone-b', access: 'read' });
    await using store = await openStoreAt({ root }, { zone: 'zone-b', access: 'serve' });
    assert.equal(store.standing, 'foreign');
    assert.equal(store.mediaId, whole.mediaId);
    assert.deepEqual(listTags(store), listTags(whole));
    for (const { repository, digest } of medium.records)
      assert.deepEqual(store.index.referrers(repository, digest), whole.index.referrers(repository, digest));
    assert.deepEqual(
      store.damage.map(({ ledger }) => ledger),
      offset === undefined ? [] : ['content'],
    );
    const said = offset === undefined ? 'missing' : 'damaged at byte';
    assert.ok(store.notices.some((notice) => String(notice).includes(`content-00000001.jsonl: ${said}`)));
  });

  test(`a store of another maker is adopted whole although its content ledger is ${what.replace('that is ', '')}`, async () => {
    const root = await carryLost(offset);
    const stateRoot = `${root}-adopter`;
    const before = await medium.carry().then((other) => openStoreAt({ root: other }, { access: 'read' }));
    await using whole = before;
    {
      await using store = await openStoreAt({ root, stateRoot }, { access: 'write' });
      await store.core.adopt();
      assert.equal(store.standing, 'ours');
      assert.deepEqual(store.damage, []);
    }
    await using again = await openStoreAt({ root, stateRoot }, { access: 'write' });
    assert.equal(again.standing, 'ours');
    assert.equal(again.mediaId, whole.mediaId);
    assert.deepEqual(listTags(again), listTags(whole));
    const [record] = medium.records;
    const repository = openRepository(again, record!.repository, { owner: { provenance: 'import' } });
    assert.ok(await repository.hasManifest(record!.digest));
    assert.equal((await readdir(join(root, 'ledger'))).length, 2);
  });
}
