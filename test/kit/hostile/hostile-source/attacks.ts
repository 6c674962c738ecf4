import type { Attack, Place } from './attack.ts';
import { attackBlobs } from './blobs.ts';
import { attackCookbook } from './cookbook.ts';
import { attackManifests } from './manifests.ts';
import { attackTokens } from './tokens.ts';
import { attackTransport } from './transport.ts';

/** Everything that a source can answer with bad intent, or none at all. */
export function toAttacks(place: Place): readonly Attack[] {
  return [
    ...attackBlobs(place),
    ...attackTransport(),
    ...attackTokens(place),
    ...attackManifests(),
    ...attackCookbook(place),
  ];
}
