import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSystemRoots } from '../../../src/remote/transport/system-roots.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';

const toPrints = (pems: readonly string[]) =>
  pems.map((pem) => new X509Certificate(pem).fingerprint256).sort();

test('the root store is what SSL_CERT_FILE and SSL_CERT_DIR name, and nothing besides', async () => {
  await using folder = await openTempFolder();
  const certDir = join(folder.path, 'certs');
  await mkdir(certDir);
  await writeFile(join(certDir, 'other.pem'), `other authority\n${tlsPair.otherCa}`);
  await symlink('other.pem', join(certDir, '01234567.0'));
  await writeFile(join(certDir, 'README'), 'no certificate');
  const { ca, caFile, otherCa } = tlsPair;
  assert.deepEqual(toPrints(await loadSystemRoots({ certFile: caFile })), toPrints([ca]));
  assert.deepEqual(toPrints(await loadSystemRoots({ certDir: `${certDir}:/nowhere` })), toPrints([otherCa]));
  assert.deepEqual(toPrints(await loadSystemRoots({ certFile: caFile, certDir })), toPrints([ca, otherCa]));
});

test('the root store is the one of the system where nothing is named', async () => {
  const roots = await loadSystemRoots({});
  assert.ok(roots.length > 20);
  assert.equal(new Set(roots).size, roots.length);
});

test('a named root store that is missing or empty is refused, never replaced by another', async () => {
  await using folder = await openTempFolder();
  const empty = join(folder.path, 'empty.pem');
  await writeFile(empty, '');
  for (const named of [
    { certFile: join(folder.path, 'absent') },
    { certFile: empty },
    { certDir: folder.path },
  ])
    await assert.rejects(loadSystemRoots(named), (error) => isSvcError(error, 'SVC-NET-002'));
});
