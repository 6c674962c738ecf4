import { hashBytes } from '../../src/base/digest.ts';
import type { Instance } from '../../test/kit/instance/instance.ts';
import type { Artifact } from './content.ts';

/**
 * Pulls an artifact from the zone's registry and compares every digest with the origin. Platforms that were not
 * requested may be absent.
 *
 * @returns manifests and blobs that the zone has
 */
export async function comparePulled(artifact: Artifact, origin: Instance, zone: Instance): Promise<number> {
  const path = `${origin.host.replace(':', '_')}/${artifact.repository}`;
  for (const [registry, repository] of [
    [origin, artifact.repository],
    [zone, path],
  ] as const) {
    const answer = await fetch(`${registry.url}/v2/${repository}/manifests/${artifact.tag}`, {
      headers: { authorization: registry.authorization },
    });
    if (hashBytes(Buffer.from(await answer.arrayBuffer())) !== artifact.manifests.at(-1)!.descriptor.digest)
      throw new Error(`${registry.url} serves other bytes for ${artifact.repository}:${artifact.tag}`);
  }
  let compared = 0;
  const get = async (kind: string, digest: string): Promise<void> => {
    const answer = await fetch(`${zone.url}/v2/${path}/${kind}/${digest}`, {
      headers: { authorization: zone.authorization },
    });
    if (answer.status === 404) return;
    if (hashBytes(Buffer.from(await answer.arrayBuffer())) !== digest)
      throw new Error(`${path}@${digest} has other bytes`);
    compared += 1;
  };
  for (const { descriptor } of artifact.manifests) await get('manifests', descriptor.digest);
  for (const { descriptor } of artifact.blobs) await get('blobs', descriptor.digest);
  if (compared < 3) throw new Error(`${path}: only ${compared} manifests and blobs were pulled`);
  return compared;
}
