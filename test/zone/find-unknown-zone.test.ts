import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnknownZone } from '../../src/zone/find-unknown-zone.ts';

const config = {
  zones: [{ name: 'zone-c', retriever: 'c.yaml', maxAge: 0 }],
  peers: [{ name: 'harbour', keyFile: 'h.pub', for: ['passport' as const] }],
};

test('a zone is known by the store, under zones, or among the peers', () => {
  for (const zone of ['zone-b', 'zone-c', 'harbour'])
    assert.equal(findUnknownZone(zone, 'zone-b', config), undefined, zone);
  assert.equal(findUnknownZone('mars', undefined, config), undefined, 'of a store for no zone');
});

test('the nearest name is suggested for an unknown zone', () => {
  assert.deepEqual(findUnknownZone('habour', 'zone-b', config), { own: 'zone-b', nearest: 'harbour' });
  assert.deepEqual(findUnknownZone('mars', 'zone-b', config), { own: 'zone-b', nearest: undefined });
});
