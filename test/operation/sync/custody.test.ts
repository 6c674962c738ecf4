import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSvcError } from '../../../src/text/error.ts';
import { nameLine, readCustody } from '../../kit/scene/custody-sites.ts';
import { openSyncScene, type SyncScene } from '../../kit/scene/sync-scene.ts';

const change = { custody: { enabled: true, site: 'source' } } as const;
const readLines = (scene: SyncScene) => readCustody(join(scene.folder, 'state'));

function publish(scene: SyncScene, version: string, images = 1): void {
  const ingredients = Array.from({ length: images }, (_, i) => {
    const repository = `images/${i}`;
    const { digest } = scene.putImage(repository, version);
    return { name: `image-${i}`, repository, tag: version, digest };
  });
  scene.publish('shop', version, ingredients);
}

test('a run with many items leaves an intent and an outcome, one that finds nothing to do leaves no line', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  publish(scene, '1.0.0', 50);
  await scene.setRetriever([['shop', '^1']]);
  await scene.run({ change });
  const lines = await readLines(scene);
  assert.deepEqual(lines.map(nameLine), ['roots-changed event', 'fetched intent', 'fetched success']);
  const [, intent, outcome] = lines;
  assert.equal(intent?.details.zone, 'zone-a');
  // a killed run, or a full disk, may leave no outcome
  assert.deepEqual(intent?.subjects, outcome?.subjects);
  assert.deepEqual(
    [outcome?.of, outcome?.details.complete, outcome?.subjects.map(({ name }) => name)],
    [2, 1, ['shop@1.0.0']],
  );
  await scene.run({ change });
  assert.equal((await readLines(scene)).length, 3);
});

test('a pruned recipe is named, before it goes and afterwards', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  publish(scene, '1.0.0');
  publish(scene, '1.1.0');
  await scene.setRetriever([['shop', '1.0.0']]);
  await scene.run({ change });
  await scene.setRetriever([['shop', '1.1.0']]);
  await scene.run({ change, prune: true });
  const lines = (await readLines(scene)).slice(3);
  assert.deepEqual(lines.map(nameLine), [
    'fetched intent',
    'pruned intent',
    'pruned success',
    'fetched success',
  ]);
  assert.deepEqual(lines[1]?.subjects, lines[2]?.subjects);
  assert.ok(lines[1]?.subjects.some(({ name }) => name.endsWith('images/0:1.0.0')));
});

test('a failed recipe makes the outcome a failure', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  publish(scene, '1.0.0');
  scene.publish('broken', '1.0.0', [
    { name: 'gone', repository: 'images/gone', tag: '1', digest: `sha256:${'0'.repeat(64)}` },
  ]);
  await scene.setRetriever([
    ['shop', '^1'],
    ['broken', '^1'],
  ]);
  await scene.run({ change });
  const last = (await readLines(scene)).at(-1);
  assert.deepEqual(
    [nameLine(last!), last?.details.failed, last?.details.complete],
    ['fetched failure', 1, 1],
  );
});

test('a ledger that cannot be written stops a run before it changes the store', async () => {
  await using scene = await openSyncScene({ inMemory: true });
  publish(scene, '1.0.0');
  await scene.setRetriever([['shop', '^1']]);
  const folder = join(scene.folder, 'state', 'custody');
  await writeFile(folder, 'in its place');
  await assert.rejects(scene.run({ change }), (error) => isSvcError(error, 'SVC-STO-002'));
  assert.deepEqual(await scene.peek((store) => store.index.repositories()), []);
  await rm(folder);
  await mkdir(folder);
  await scene.run({ change });
  assert.equal((await readLines(scene)).length, 3);
});
