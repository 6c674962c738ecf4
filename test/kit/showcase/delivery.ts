import type { Delivery } from '../../../src/contract/delivery.ts';

const digest = `sha256:${'a3f9'.repeat(16)}` as const;

/** A delivery on three disks, of which one arrived. */
export const showcaseArrival: Delivery = {
  id: 'dlv_0123456789ab',
  zone: 'zone-b',
  resolvedAt: '2026-11-20T14:02:10Z',
  parts: 3,
  complete: false,
  base: { zone: 'zone-b', receipt: digest, sequence: 4 },
  landed: [
    { part: 2, mediaId: 'med_11aa22bb33cc44dd', manifest: digest, importedAt: '2026-11-22T09:00:00Z' },
  ],
  needed: [1, 3],
  recipes: [
    { name: 'shop', version: '1.0.0', digest, state: 'landed' },
    { name: '<b>agent</b>', version: '1.0.0', digest, state: 'waiting', parts: [1, 3] },
    { name: 'tools', version: '1.0.0', digest, state: 'held' },
    { name: 'base', version: '1.0.0', digest, state: 'failed' },
  ],
};
