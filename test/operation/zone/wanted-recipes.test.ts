import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../../src/operation/context.ts';
import { WantedRecipes } from '../../../src/operation/zone/wanted-recipes.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { openSyncScene } from '../../kit/scene/sync-scene.ts';

test('a failed answer serves for a minute, where a good one serves for an hour', async () => {
  await using scene = await openSyncScene();
  await using context = await openContext(scene.config(), { report: scene.report, version: '0.0.0-test' });
  let now = 0;
  const wanted = new WantedRecipes(context, { now: () => now });
  const retriever = join(scene.folder, 'zone-b.yaml');
  const zone = { name: 'zone-b', retriever, maxAge: 0 };
  const ask = async () => (await wanted.get(zone, { freshFor: 3_600_000 })).code;
  assert.equal(await ask(), 'SVC-REG-005');
  await writeRetriever(
    retriever,
    { cookbook: `${scene.origin.host}/cookbook`, recipes: [{ name: 'shop', version: '1.0.0' }] },
    'zone-b',
  );
  assert.equal(await ask(), 'SVC-REG-005');
  now = 60_000;
  assert.equal(await ask(), undefined);
});
