import { accessSync, constants } from 'node:fs';
import { onPath } from '../kit/program/peers.ts';

/** Programs that the project is measured against, by the name they go by here. */
export const peerNames = [
  'registry',
  'docker-registry',
  'zot',
  'regsync',
  'oras',
  'skopeo',
  'hauler',
  'crane',
  'nginx',
] as const;
export type PeerName = (typeof peerNames)[number];

export type Peers = ReadonlyMap<PeerName, string>;

/** Where each is: as given, else on PATH; absent where it is not. @param given `name=path` */
export function findPeers(given: readonly string[]): Peers {
  const peers = new Map<PeerName, string>();
  for (const name of peerNames) {
    const path = onPath(name);
    if (path !== undefined) peers.set(name, path);
  }
  for (const text of given) {
    const [, name, path] = /^([a-z-]+)=(.+)$/.exec(text) ?? [];
    if (!(peerNames as readonly string[]).includes(name ?? '') || path === undefined)
      throw new Error(`--peer wants ${peerNames.join(', ')} and a path: --peer zot=/opt/zot`);
    accessSync(path, constants.X_OK);
    peers.set(name as PeerName, path);
  }
  return peers;
}
