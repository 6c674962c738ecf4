import type { Descriptor } from '../../../src/oci/descriptor.ts';
import type { SyncScene } from '../scene/sync-scene.ts';

const mediaType = 'application/vnd.oci.image.index.v1+json';
const putIndex = (scene: SyncScene, manifests: readonly Descriptor[], tag?: string) =>
  scene.origin.putManifest(
    'library/app',
    { schemaVersion: 2, mediaType, manifests },
    tag === undefined ? {} : { tag },
  );

/**
 * Puts `library/app:1.0`, an index with a child for each platform. `amd64` names its own, `arm64` in its configuration
 * only, the others are in a nested index.
 */
export function putMixed(scene: SyncScene) {
  const child = (platform: string) => {
    const index = scene.putImage('library/app', `tmp-${platform.replaceAll('/', '-')}`, {
      platforms: [platform],
    });
    const { manifests } = JSON.parse(scene.origin.manifest('library/app', index.digest)!.bytes.toString());
    return manifests[0] as Descriptor;
  };
  const [amd64, arm64, ppc64le, s390x] = ['amd64', 'arm64', 'ppc64le', 's390x'].map((one) =>
    child(`linux/${one}`),
  ) as [Descriptor, Descriptor, Descriptor, Descriptor];
  const { platform: _amd64, ...silentArm64 } = arm64;
  const nested = putIndex(scene, [ppc64le, s390x]);
  const root = putIndex(scene, [amd64, nested, silentArm64], '1.0');
  return { root, nested, amd64, arm64, ppc64le, s390x };
}
