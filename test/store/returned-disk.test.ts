import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import { blobPath } from '../../src/oci/layout.ts';
import { openBlob } from '../../src/store/open-blob.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';

const layerType = 'application/vnd.oci.image.layer.v1.tar+gzip';

/** A mirror with one recipe, and the path of a layer of its image. */
async function openMirror(t: { after(fn: () => Promise<void>): void }) {
  const scene = await openSyncScene();
  t.after(async () => {
    await scene[Symbol.asyncDispose]();
  });
  const bytes = randomBytes(50_000);
  const image = scene.putImage('team/app', '1.0', { layers: [bytes] });
  scene.publish('app', '1.0.0', [toIngredient('app', 'team/app', '1.0', image)]);
  await scene.setRetriever([['app', '1.0.0']]);
  await scene.run();
  const digest = hashBytes(bytes);
  const layer = { mediaType: layerType, digest, size: bytes.length };
  return { scene, bytes, layer, path: join(scene.storeRoot, blobPath(digest)) };
}

/** Changes a file after all records, with any resolution of the times of files. */
async function changeLater(path: string, change: () => PromiseLike<void>): Promise<void> {
  const now = Date.now();
  do await change();
  while ((await stat(path)).ctimeMs <= now + 1);
  // the next opening is later than the change
  while (Date.now() <= (await stat(path)).ctimeMs);
}

/** Waits until the times of files, which lag behind the clock, have passed the present. */
async function passNow(folder: string): Promise<void> {
  await changeLater(join(folder, 'retriever.yaml'), () => chmod(join(folder, 'retriever.yaml'), 0o644));
}

const alter = (path: string, bytes: Buffer) =>
  changeLater(path, () => writeFile(path, Buffer.concat([bytes.subarray(1), Buffer.from('x')])));

const isAtHand = (scene: SyncScene, layer: Awaited<ReturnType<typeof openMirror>>['layer']) =>
  scene.peek((store) => openRepository(store, '_', { owner: { provenance: 'recipe' } }).hasBlob(layer));

test('a layer altered at the same size while the disk was away is not served, and the next run brings it back', async (t) => {
  const { scene, bytes, layer, path } = await openMirror(t);
  assert.equal(await isAtHand(scene, layer), true);
  await alter(path, bytes);
  {
    await using store = await scene.openStore();
    await assert.rejects(openBlob(store, layer.digest), { code: 'SVC-SIG-002' });
  }
  const { plan, exit_code } = await scene.plan();
  assert.equal(exit_code, 5);
  assert.equal(plan.totals.transferBytes, bytes.length);
  await scene.run();
  assert.deepEqual(await readFile(path), bytes);
  assert.equal((await scene.plan()).exit_code, 0);
});

test('it stays so when the store was opened and closed in between without a need for the layer', async (t) => {
  const { scene, bytes, layer, path } = await openMirror(t);
  await alter(path, bytes);
  for (let i = 0; i < 3; i += 1) await (await scene.openStore())[Symbol.asyncDispose]();
  const image = scene.putImage('team/other', '1.0');
  scene.publish('other', '1.0.0', [toIngredient('other', 'team/other', '1.0', image)]);
  await scene.setRetriever([['other', '1.0.0']]);
  await scene.run({ prune: false });
  assert.equal(await isAtHand(scene, layer), false);
});

test('an intact file that was touched while the disk was away is hashed once, and not in the next process', async (t) => {
  const { scene, layer, path } = await openMirror(t);
  await changeLater(path, () => chmod(path, 0o644));
  const touched = (await stat(path)).ctimeMs;
  {
    await using store = await scene.openStore();
    await passNow(scene.folder);
    const { file } = await openBlob(store, layer.digest);
    await file.close();
  }
  const renewed = (await stat(path)).ctimeMs;
  assert.ok(renewed > touched, 'a hashed file is marked by the time of its change');
  {
    await using store = await scene.openStore();
    const { file } = await openBlob(store, layer.digest);
    await file.close();
  }
  assert.equal((await stat(path)).ctimeMs, renewed);
  assert.equal((await scene.plan()).exit_code, 0);
});

test('what this instance wrote is not hashed again', async (t) => {
  const { scene, layer, path } = await openMirror(t);
  const { ctimeMs } = await stat(path);
  await using store = await scene.openStore();
  const { file } = await openBlob(store, layer.digest);
  await file.close();
  assert.equal((await stat(path)).ctimeMs, ctimeMs);
});
