import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRecipes } from '../../src/operation/list-recipes.ts';
import { deleteTag } from '../../src/store/delete-content.ts';
import { toWanted } from '../../src/view/runs.ts';
import { openZoneScene } from '../kit/scene/zone-scene.ts';

test('a recipe whose tag was deleted is not here any more, although the ledger keeps its record', async () => {
  await using zone = await openZoneScene({ inMemory: true });
  const { scene } = zone;
  const { digest } = scene.putImage('shop/web', '1.0.0');
  const names = ['shop', 'tools'];
  for (const name of names)
    scene.publish(name, '1.0.0', [{ name: 'web', repository: 'shop/web', tag: '1.0.0', digest }]);
  await scene.setRetriever(names.map((name) => [name, '1.0.0']));
  await zone.sync(false);
  const list = () => listRecipes({ storage: {} }, zone.store);
  const before = await list();
  assert.deepEqual(before.map(({ name }) => name).sort(), names);
  const { repository, tag } = before.find(({ name }) => name === 'shop')!;
  await deleteTag(zone.store, repository, tag);
  assert.equal(zone.store.index.recipes().length, 2);
  const after = await list();
  assert.deepEqual(
    after.map(({ name }) => name),
    ['tools'],
  );
  const standingsOf = (type: 'sync' | 'media-import') => {
    const recipes = names.map((name) => ({ name, version: '1.0.0', status: 'done' as const }));
    return toWanted({ task: { type }, recipes }, after).map(({ standing }) => standing);
  };
  assert.deepEqual(standingsOf('sync'), ['gone', 'here']);
  assert.deepEqual(standingsOf('media-import'), ['here', 'here'], 'the registry of the zone has it');
  assert.equal(await list(), after, 'the same list until a recipe changes');
});
