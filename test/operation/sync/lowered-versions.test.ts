import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLower } from '../../../src/recipe/find-lower.ts';
import { toRun } from '../../../src/view/runs.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

/** A zone that has version 1.1.0 of a recipe, whose source then shows 1.0.0 only, and a recipe that leaves. */
async function hideVersion(scene: SyncScene): Promise<void> {
  for (const version of ['1.0.0', '1.1.0'])
    scene.publish('shop', version, [
      toIngredient('web', 'library/web', version, scene.putImage('library/web', version)),
    ]);
  scene.publish('leaves', '1.0.0', [
    toIngredient('tool', 'library/tool', '1', scene.putImage('library/tool', '1')),
  ]);
  await scene.setRetriever([
    ['shop', '^1.0'],
    ['leaves', '1.0.0'],
  ]);
  await scene.run();
  scene.origin.untag('cookbook/shop', '1.1.0');
  await scene.setRetriever([['shop', '^1.0']]);
}

const versionsOf = (scene: SyncScene) =>
  scene.peek(({ index }) => ({
    web: index
      .tags(`${scene.origin.host.replace(':', '_')}/library/web`)
      .map(({ tag }) => tag)
      .sort(),
    recipes: index
      .recipes()
      .map(({ name, version }) => `${name}@${version}`)
      .sort(),
  }));

for (const mode of ['mirror', 'passthrough'] as const)
  test(`a source that hides a version takes nothing of it from a ${mode}, and everybody is told`, async () => {
    await using scene = await openSyncScene();
    const change = { mode, sync: { prune: mode === 'passthrough' } } as const;
    await hideVersion(scene);
    const { plan } = await scene.plan({ change });
    assert.deepEqual(
      plan.recipes.map(({ name, resolved, lowerThan }) => [name, resolved, lowerThan]),
      [['shop', '1.0.0', '1.1.0']],
    );
    assert.deepEqual([...new Set(plan.prune.items.map(({ recipe }) => recipe))], ['leaves@1.0.0']);
    const preview = await scene.preview(change);
    assert.deepEqual(
      preview.lowered?.map(({ name, resolved, here }) => [name, resolved, here]),
      [['shop', '1.0.0', '1.1.0']],
    );
    assert.deepEqual(preview.items, plan.prune.items);

    const { task, lines } = await scene.run({ change });
    assert.deepEqual([...new Set(task.pruned?.map(({ recipe }) => recipe))], ['leaves@1.0.0']);
    assert.match(
      lines.join('\n'),
      /shop@1\.0\.0 is lower than the version that is here, 1\.1\.0; nothing of/,
    );
    assert.deepEqual(
      toRun(task).recipes.map(({ name, version, lowerThan }) => [name, version, lowerThan]),
      [['shop', '1.0.0', '1.1.0']],
    );
    const kept = { web: ['1.0.0', '1.1.0'], recipes: ['shop@1.0.0', 'shop@1.1.0'] };
    assert.deepEqual(await versionsOf(scene), kept);
    assert.ok(
      scene.report.records.some(({ message }) => /lower than the version that is here/.test(message)),
      'the log warns',
    );
    await scene.run({ change });
    assert.deepEqual(await versionsOf(scene), kept, 'the next run keeps it too');

    await scene.run({ change, prune: true });
    assert.deepEqual(await versionsOf(scene), { web: ['1.0.0'], recipes: ['shop@1.0.0'] });
    assert.equal((await scene.plan({ change })).plan.recipes[0]?.lowerThan, undefined);
  });

test('an operator who lowers the constraint is obeyed without a warning', async () => {
  await using scene = await openSyncScene();
  await hideVersion(scene);
  await scene.setRetriever([['shop', '1.0.0']]);
  const { task } = await scene.run();
  assert.ok(task.pruned?.some(({ recipe }) => recipe === 'shop@1.1.0'));
  assert.ok((task.resolutions ?? []).every(({ lowerThan }) => lowerThan === undefined));
});

test('a version is lower where the Retriever would take the stored one', () => {
  assert.equal(findLower('1.0.0', ['^1'], ['1.0.0', '1.1.0']), '1.1.0');
  assert.equal(findLower('1.1.0', ['^1'], ['1.0.0', '1.1.0']), undefined);
  assert.equal(findLower('1.9.0', ['^1'], ['2.0.0']), undefined);
  assert.equal(findLower('1.0.0', ['1.0.0', '^1'], ['1.1.0']), '1.1.0');
  assert.equal(findLower('1.0.0', ['1.0.0'], ['1.1.0']), undefined);
});
