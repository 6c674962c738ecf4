import type { Config } from '../../config/model.ts';
import { inspectVolume } from '../../disk/volume.ts';
import { canonicalHost } from '../../oci/reference.ts';

/**
 * The free bytes of the registry of the zone, which only the volume of an own registry tells: the address of this instance is
 * the destination.
 *
 * @returns undefined for any other registry
 * @throws SVC-STO-001 for a folder that cannot be looked at
 */
export async function measureOwnRegistry({
  server,
  storage,
  destination,
}: Pick<Config, 'server' | 'storage' | 'destination'>): Promise<number | undefined> {
  const { publicURL } = server;
  const { registry } = destination;
  if (publicURL === undefined || storage.root === undefined || registry === undefined) return undefined;
  if (canonicalHost(new URL(publicURL).host) !== canonicalHost(registry)) return undefined;
  return (await inspectVolume(storage.root)).freeBytes;
}
