import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRegistryRoute } from '../../../server/registry/route.ts';

const sha256 = `sha256:${'a'.repeat(64)}` as const;
const sha512 = `sha512:${'b'.repeat(128)}` as const;

test('every endpoint of the Distribution specification is recognised', () => {
  const cases: readonly [string, string, unknown][] = [
    ['GET', '/v2/', { to: 'version' }],
    ['GET', '/v2', { to: 'version' }],
    ['GET', '/v2/_catalog', { to: 'catalog' }],
    ['GET', '/v2/a/b/tags/list', { to: 'tags', repository: 'a/b' }],
    ['HEAD', `/v2/a/blobs/${sha256}`, { to: 'blob', repository: 'a', digest: sha256 }],
    ['DELETE', `/v2/a/blobs/${sha512}`, { to: 'blob', repository: 'a', digest: sha512 }],
    ['POST', '/v2/a/blobs/uploads/', { to: 'uploads', repository: 'a' }],
    ['POST', '/v2/a/blobs/uploads', { to: 'uploads', repository: 'a' }],
    [
      'PATCH',
      '/v2/a/blobs/uploads/AbCdEfGhIjKlMnOpQrStUvWx',
      { to: 'upload', repository: 'a', session: 'AbCdEfGhIjKlMnOpQrStUvWx' },
    ],
    ['PUT', '/v2/a/manifests/v1.0', { to: 'manifest', repository: 'a', tag: 'v1.0' }],
    ['GET', `/v2/a/manifests/${sha256}`, { to: 'manifest', repository: 'a', digest: sha256 }],
    [
      'GET',
      `/v2/a/manifests/${sha256.replace(':', '%3A')}`,
      { to: 'manifest', repository: 'a', digest: sha256 },
    ],
    ['GET', `/v2/a/referrers/${sha256}`, { to: 'referrers', repository: 'a', digest: sha256 }],
  ];
  for (const [method, path, expected] of cases) assert.deepEqual(parseRegistryRoute(method, path), expected);
});

test('a repository may be named like a part of the surface', () => {
  assert.deepEqual(parseRegistryRoute('GET', '/v2/manifests/manifests/latest'), {
    to: 'manifest',
    repository: 'manifests',
    tag: 'latest',
  });
  assert.deepEqual(parseRegistryRoute('GET', '/v2/blobs/tags/tags/list'), {
    to: 'tags',
    repository: 'blobs/tags',
  });
  assert.deepEqual(parseRegistryRoute('GET', '/v2/a/blobs/manifests/uploads'), {
    to: 'manifest',
    repository: 'a/blobs',
    tag: 'uploads',
  });
});

test('a name, digest or tag that breaks its grammar is refused as such', () => {
  const refused = (path: string) => (parseRegistryRoute('GET', path) as { refused?: string }).refused;
  assert.equal(refused('/v2/UPPER/tags/list'), 'name');
  assert.equal(refused('/v2/a//b/tags/list'), 'name');
  assert.equal(refused('/v2/a%2fb/tags/list'), 'name');
  assert.equal(refused('/v2/../b/tags/list'), 'name');
  assert.equal(refused(`/v2/${'a'.repeat(256)}/tags/list`), 'name');
  assert.equal(refused('/v2/a/blobs/sha256:xyz'), 'digest');
  assert.equal(refused(`/v2/a/blobs/md5:${'a'.repeat(32)}`), 'digest');
  assert.equal(refused(`/v2/a/blobs/SHA256:${'a'.repeat(64)}`), 'digest');
  assert.equal(refused('/v2/a/manifests/sha256:short'), 'digest');
  assert.equal(refused('/v2/a/manifests/.hidden'), 'reference');
  assert.equal(refused(`/v2/a/manifests/${'t'.repeat(129)}`), 'reference');
  assert.equal(refused('/v2/a/referrers/latest'), 'digest');
});

test('a path without an endpoint is unknown', () => {
  for (const path of ['/v1/', '/v2/a', '/v2/a/tags', '/v2/a/tags/other', '/v2/tags/list', '/v2/manifests/x'])
    assert.deepEqual(parseRegistryRoute('GET', path), { refused: 'path' }, path);
  assert.deepEqual(parseRegistryRoute('GET', `/v2/${'a/'.repeat(600)}tags/list`), { refused: 'path' });
});

test('a wrong method names the right ones', () => {
  assert.deepEqual(parseRegistryRoute('POST', '/v2/a/manifests/x'), {
    refused: 'method',
    allow: 'GET, HEAD, PUT, DELETE',
  });
  assert.deepEqual(parseRegistryRoute('GET', '/v2/a/blobs/uploads/'), { refused: 'method', allow: 'POST' });
  assert.deepEqual(parseRegistryRoute('OPTIONS', '/v2/'), { refused: 'method', allow: 'GET, HEAD' });
});
