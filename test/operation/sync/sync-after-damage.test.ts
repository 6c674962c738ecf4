import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { blobPath } from '../../../src/oci/layout.ts';
import { quarantine } from '../../../src/store/quarantine.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

test('after a quarantine the next sync asks for the one blob that was taken out, and for no signature that it holds', async () => {
  await using scene = await openSyncScene();
  const { origin, signer } = scene;
  const image = scene.putImage('library/app', '1.0');
  scene.pushSignature('library/app', signer.sign(image, 'classic'));
  scene.pushSignature('library/app', signer.sign(image, 'bundle'));
  scene.publish('shop', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)]);
  await scene.setRetriever([['shop', '1.0.0']]);
  await scene.run();
  assert.equal(
    origin.count(/GET .*library\/app\/blobs/),
    6,
    'config and layer of the image and of each signature, each once',
  );
  const [layer] = JSON.parse(origin.manifest('library/app', '1.0')!.bytes.toString()).layers;
  {
    await using store = await scene.openStore();
    await writeFile(join(scene.storeRoot, blobPath(layer.digest)), Buffer.alloc(layer.size));
    const moved = await quarantine(store, [{ digest: layer.digest }]);
    assert.equal(moved.length, 1);
  }
  origin.requests.length = 0;
  const { task } = await scene.run();
  assert.equal(task.counts.failed, 0);
  const blobs = origin.requests.filter(({ method, path }) => method === 'GET' && path.includes('/blobs/'));
  assert.deepEqual(
    blobs.map(({ path }) => path.split('/').at(-1)),
    [layer.digest],
  );
});
