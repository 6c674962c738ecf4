import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putWindows } from '../../kit/content/windows-image.ts';
import { openImportScene } from '../../kit/scene/import-scene.ts';
import { openSyncScene } from '../../kit/scene/sync-scene.ts';

test('an image comes without the layers that need not be distributed and are not at its registry, and they are named', async () => {
  await using scene = await openSyncScene();
  const { own, had, absent } = await putWindows(scene);
  const { plan } = await scene.plan();
  assert.deepEqual(plan.recipes[0]?.ingredients[0]?.absentLayers, [absent.digest]);
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  assert.deepEqual(task.resolutions?.[1]?.absentLayers, [absent.digest]);
  await scene.peek(({ index }) => {
    assert.equal(index.sizeOf(had.digest), had.size, 'carried where present');
    assert.equal(index.sizeOf(own.digest), own.size);
    assert.equal(index.sizeOf(absent.digest), undefined);
  });
  const said = scene.report.records.filter(
    ({ level, fields }) => level === 'warn' && JSON.stringify(fields).includes(absent.digest),
  );
  assert.ok(said.length > 0);
  scene.origin.requests.length = 0;
  const again = await scene.run();
  assert.equal(again.outcome.movedBytes, 0);
  assert.equal(scene.origin.count(/blobs/), 0, 'the registry is not asked again');
  assert.equal((await scene.plan()).exit_code, 0);
});

test('an ordinary layer that is not at its registry still fails the image', async () => {
  await using scene = await openSyncScene();
  const { own } = await putWindows(scene);
  scene.origin.failNext(new RegExp(`GET .*${own.digest}`), 404, { times: 9 });
  const { task } = await scene.run();
  assert.equal(task.items.find(({ name }) => name === 'shop@1.0.0/app')?.error?.code, 'SVC-REG-005');
});

test('a unit import names in its task the layers that the image came without', async () => {
  await using world = await openImportScene();
  const { absent, had } = await putWindows(world.scene);
  const reference = `${world.scene.origin.host}/library/windows:1.0`;
  const { task, lines } = await world.take(reference);
  assert.deepEqual(task.items[0]?.absentLayers, [absent.digest]);
  assert.equal(task.items[0]?.status, 'done');
  assert.ok(lines.some((line) => line.includes(absent.digest)));
  assert.equal(world.store.index.sizeOf(had.digest), had.size);
});
