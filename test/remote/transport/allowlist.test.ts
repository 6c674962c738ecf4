import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedHost } from '../../../src/remote/transport/allowlist.ts';

const table: readonly [pattern: string, host: string, allowed: boolean][] = [
  ['registry.example', 'registry.example', true],
  ['registry.example', 'REGISTRY.example', true],
  ['Registry.Example', 'registry.example', true],
  ['registry.example', 'registry.example:5000', false],
  ['registry.example:5000', 'registry.example:5000', true],
  ['registry.example:5000', 'registry.example', false],
  ['registry.example:5000', 'registry.example:50', false],
  ['registry.example:*', 'registry.example:5000', false],
  ['*.example', 'a.example', true],
  ['*.example', 'a.b.example', false],
  ['*.example', 'example', false],
  ['**.example', 'a.b.example', true],
  ['re*.example', 'registry.example', true],
  ['re*.example', 'r.example', false],
  ['*', 'localhost', true],
  ['*', 'a.example', false],
  ['**', 'a.b.example', true],
  ['**', 'a.b.example:5000', false],
  ['**:5000', 'a.b.example:5000', true],
  ['registry.example/team', 'registry.example', false],
  ['a.example', 'aXexample', false],
  ['10.0.0.5', '10.0.0.5', true],
  ['10.0.0.*', '10.0.0.5', false],
  ['**', '10.0.0.5', false],
  ['10.0.0.5:5000', '10.0.0.5:5000', true],
  ['10.0.0.5', '10.0.0.5:5000', false],
  ['**', '[::1]', false],
  ['[::1]:5000', '[::1]:5000', true],
  ['docker.io', 'registry-1.docker.io', true],
  ['docker.io', 'index.docker.io', true],
  ['index.docker.io', 'docker.io', true],
  ['registry-1.docker.io', 'docker.io', true],
  ['*.docker.io', 'docker.io', true],
  ['docker.io', 'auth.docker.io', false],
  ['docker.io', 'evil-docker.io', false],
];

for (const [pattern, host, allowed] of table)
  test(`the pattern ${pattern} ${allowed ? 'admits' : 'does not admit'} ${host}`, () => {
    assert.equal(isAllowedHost(host, [pattern]), allowed);
  });

test('no list admits every host, an empty one none', () => {
  assert.equal(isAllowedHost('any.example', undefined), true);
  assert.equal(isAllowedHost('any.example', []), false);
});

test('a hostile pattern and host are compared in no time', () => {
  const started = performance.now();
  assert.equal(isAllowedHost(`${'a'.repeat(250)}b`, ['*a'.repeat(120)]), false);
  assert.ok(performance.now() - started < 5000);
});
