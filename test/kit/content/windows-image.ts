import { randomBytes } from 'node:crypto';
import { hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { type SyncScene, toIngredient } from '../scene/sync-scene.ts';

/** An image with a layer of its own and two that need not be distributed, of which the registry has one; a recipe names it. */
export async function putWindows(scene: SyncScene) {
  const { origin } = scene;
  const repository = 'library/windows';
  const foreign = 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip';
  const lost = randomBytes(900);
  const config = origin.putBlob(
    repository,
    '{"os":"windows","architecture":"amd64"}',
    mediaTypes.dockerConfig,
  );
  const own = origin.putBlob(repository, randomBytes(500), mediaTypes.ociLayer);
  const had = origin.putBlob(repository, randomBytes(700), foreign);
  const absent = {
    mediaType: foreign,
    digest: hashBytes(lost),
    size: lost.length,
    urls: ['https://x.example'],
  };
  const image = origin.putManifest(
    repository,
    {
      schemaVersion: 2,
      mediaType: mediaTypes.dockerManifest,
      config,
      layers: [absent, had, own],
    },
    { tag: '1.0' },
  );
  scene.publish('shop', '1.0.0', [toIngredient('app', repository, '1.0', image)]);
  await scene.setRetriever([['shop', '1.0.0']]);
  return { repository, image, own, had, absent };
}
