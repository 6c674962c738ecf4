import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { loadTrustPolicy } from '../../src/trust/roots.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const load = (options: Partial<Parameters<typeof loadTrustPolicy>[0]>) =>
  loadTrustPolicy({ roots: [], scopes: [], readFile: (path) => readFile(path), ...options });
const blames = (setting: string) => (error: unknown) =>
  isSvcError(error, 'SVC-CFG-001') && error.params.setting === setting;

test('keys are read inline, from a file and from the copy of a URL', async () => {
  await using folder = await openTempFolder();
  const [inline, file, remote] = [createSigner(), createSigner('ed25519'), createSigner('rsa')];
  const path = join(folder.path, 'key.pub');
  await writeFile(path, file.publicKeyPem);
  const policy = await load({
    roots: [
      { name: 'inline', key: inline.publicKeyPem },
      { name: 'file', keyFile: path },
      { name: 'remote', keyURL: 'https://keys.example/a.pub' },
    ],
    cachedKey: async (root) => (root.name === 'remote' ? Buffer.from(remote.publicKeyPem) : undefined),
  });
  assert.deepEqual(
    policy.roots.map(({ name, fingerprint }) => [name, fingerprint]),
    [
      ['inline', inline.fingerprint],
      ['file', file.fingerprint],
      ['remote', remote.fingerprint],
    ],
  );
  assert.deepEqual(policy.missing, []);
});

test('a root by URL without a copy is missing, and nothing else is', async () => {
  const roots = [
    { name: 'remote', keyURL: 'https://keys.example/a.pub' },
    { name: 'inline', key: createSigner().publicKeyPem },
  ];
  for (const cachedKey of [undefined, async () => undefined]) {
    const policy = await load({ roots, ...(cachedKey ? { cachedKey } : {}) });
    assert.deepEqual(policy.missing, ['remote']);
    assert.deepEqual(
      policy.roots.map(({ name }) => name),
      ['inline'],
    );
  }
});

test('a bad key is an error that names its setting', async () => {
  await assert.rejects(load({ roots: [{ name: 'a', key: 'nonsense' }] }), blames('trust.roots[0].key'));
  await assert.rejects(
    load({ roots: [{ name: 'a', key: createSigner().privateKeyPem }] }),
    blames('trust.roots[0].key'),
  );
  await assert.rejects(
    load({ roots: [{ name: 'a', keyFile: '/nowhere/key.pub' }] }),
    blames('trust.roots[0].keyFile'),
  );
  await assert.rejects(
    load({
      roots: [{ name: 'a', keyURL: 'https://keys.example/a' }],
      cachedKey: async () => Buffer.from('nonsense'),
    }),
    blames('trust.roots[0].keyURL'),
  );
});

test('a scope that names a root which does not exist is an error; one that names a missing copy is not', async () => {
  const scopes = [{ name: 's', repositories: ['**'], allowUnsigned: false, roots: ['b'] }];
  await assert.rejects(
    load({ roots: [{ name: 'a', key: createSigner().publicKeyPem }], scopes }),
    blames('trust.scopes[0].roots'),
  );
  assert.deepEqual(
    (await load({ roots: [{ name: 'b', keyURL: 'https://keys.example/b' }], scopes })).missing,
    ['b'],
  );
});
