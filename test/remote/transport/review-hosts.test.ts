import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HostUse, reviewHosts } from '../../../src/remote/transport/review-hosts.ts';

const uses: readonly HostUse[] = [
  { host: 'zone-a.example', role: 'ingredient', nominal: 'docker.io' },
  { host: 'zone-a.example', role: 'cookbook', nominal: 'registry.example' },
  { host: 'zone-a.example', role: 'requested' },
  { host: 'realm.example', role: 'requested' },
  { host: 'registry.zone-b', role: 'destination', nominal: 'registry.zone-b' },
];

test('a host that the allowlist does not name comes first, with all that it is needed for', () => {
  const { hosts } = reviewHosts(uses, ['zone-a.example', 'realm.example']);
  assert.deepEqual(hosts, [
    { host: 'registry.zone-b', roles: ['destination'], allowed: false },
    { host: 'realm.example', roles: ['requested'], allowed: true },
    {
      host: 'zone-a.example',
      roles: ['ingredient', 'cookbook'],
      nominal: ['docker.io', 'registry.example'],
      allowed: true,
    },
  ]);
});

test('an entry is needed when a host matches it, as the transport matches hosts', () => {
  const { allowlist } = reviewHosts(
    [...uses, { host: 'docker.io', role: 'ingredient' }],
    ['*.example', 'registry-1.docker.io', 'old.example:5000', 'docker.io'],
  );
  assert.deepEqual(allowlist, [
    { pattern: '*.example', needed: true },
    { pattern: 'registry-1.docker.io', needed: true },
    { pattern: 'old.example:5000', needed: false },
    { pattern: 'docker.io', needed: true },
  ]);
});

test('without an allowlist every host is allowed; an empty one allows none', () => {
  const free = reviewHosts(uses, undefined);
  assert.equal(free.allowlist, undefined);
  assert.deepEqual([...new Set(free.hosts.map(({ allowed }) => allowed))], [true]);
  const closed = reviewHosts(uses, []);
  assert.deepEqual(closed.allowlist, []);
  assert.deepEqual([...new Set(closed.hosts.map(({ allowed }) => allowed))], [false]);
});
