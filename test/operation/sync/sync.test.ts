import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

test('a sync brings signed recipes with everything they pin, and the next one moves nothing and asks what can have changed', async () => {
  await using scene = await openSyncScene();
  const { origin } = scene;
  const shared = Buffer.from('a layer that two images share');
  const web = scene.putImage('library/web', '1.0', {
    platforms: ['linux/amd64', 'linux/arm64'],
    layers: [shared],
  });
  const db = scene.putImage('library/db', '2.0', { layers: [shared] });
  scene.publish('shop', '1.0.0', [
    toIngredient('web', 'library/web', '1.0', web),
    toIngredient('db', 'library/db', '2.0', db),
  ]);
  scene.publish('blog', '2.1.0', [toIngredient('web', 'library/web', '1.0', web)], { sign: 'bundle' });
  await scene.setRetriever([
    ['shop', '^1.0.0'],
    ['blog', '2.x'],
  ]);

  const first = await scene.run();
  assert.deepEqual(first.task.counts, { total: 5, done: 5, failed: 0, skipped: 0 });
  assert.equal(first.task.progress.bytesDone, first.task.progress.bytesTotal);
  const host = origin.host.replace(':', '_');
  await scene.peek(async (store) => {
    assert.equal(store.index.tag(`${host}/library/web`, '1.0')?.digest, web.digest);
    assert.equal(store.index.tag(`${host}/library/db`, '2.0')?.digest, db.digest);
    const names = store.index
      .recipes()
      .map(({ name, version, verified }) => `${name}@${version} ${verified}`);
    assert.deepEqual(names.sort(), ['blog@2.1.0 true', 'shop@1.0.0 true']);
    assert.equal(store.lastSync?.zone, 'zone-a');
    const owners = store.index.tag(`${host}/library/web`, '1.0')!.owners.map(({ recipe }) => recipe);
    assert.deepEqual([...owners].sort(), ['blog@2.1.0', 'shop@1.0.0']);
  });
  assert.equal(origin.count(/GET .*\/blobs\/.*/) > 0, true);

  origin.requests.length = 0;
  const second = await scene.run();
  assert.equal(second.outcome.movedBytes, 0);
  assert.deepEqual(second.task.counts, { total: 5, done: 5, failed: 0, skipped: 0 });
  const asked = origin.requests.map(({ method, path }) => `${method} ${path}`).sort();
  assert.equal(asked.length, 7, asked.join('\n'));
  assert.equal(origin.count(/^GET .*tags\/list/), 2);
  assert.equal(origin.count(/^HEAD .*manifests/), 2, 'a list of tags does not say where they lead');
  // a tag that is absent from the list is not asked for
  assert.equal(origin.count(/^GET .*manifests\/sha256-[0-9a-f]{64}\.sig$/), 1);
  assert.equal(origin.count(/^GET .*referrers/), 2);
});
