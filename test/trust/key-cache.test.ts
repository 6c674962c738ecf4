import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSvcError } from '../../src/text/error.ts';
import { createKeyCache } from '../../src/trust/key-cache.ts';
import { createSigner } from '../kit/content/signer.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const root = { name: 'origin key', keyURL: 'https://user:secret@keys.example/origin.pub?token=secret' };
const answer = (pem: string) => async () => Buffer.from(pem);
const unreachable = async (): Promise<Buffer> => {
  throw new Error('unreachable');
};

async function openCache() {
  const folder = await openTempFolder();
  const report = createRecordingReport();
  const stateRoot = join(folder.path, 'state');
  return { folder, report, cache: createKeyCache({ stateRoot, report }) };
}

test('without a copy the fetched key becomes the copy, audited, and is read from then on', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  const signer = createSigner();
  assert.equal(await cache.read(root), undefined);
  await cache.refresh(root, answer(signer.publicKeyPem));
  assert.equal((await cache.read(root))?.toString(), signer.publicKeyPem);
  assert.deepEqual(
    report.audits.map(({ action, outcome, target }) => [action, outcome, target]),
    [['config.key', 'success', 'origin key']],
  );
  assert.equal((await stat(cache.pathOf(root))).mode & 0o077, 0);
});

test('a failed fetch without a copy is an error, with a copy a warning', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  await assert.rejects(cache.refresh(root, unreachable), /unreachable/);
  const { publicKeyPem } = createSigner();
  await cache.refresh(root, answer(publicKeyPem));
  await cache.refresh(root, unreachable);
  assert.equal((await cache.read(root))?.toString(), publicKeyPem);
  assert.deepEqual(
    report.records.map(({ level }) => level),
    ['warn'],
  );
});

test('what is not a key never becomes the copy, nor replaces it', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  await assert.rejects(cache.refresh(root, answer('<html>')), (error: unknown) =>
    isSvcError(error, 'SVC-CFG-001'),
  );
  assert.equal(await cache.read(root), undefined);
  const { publicKeyPem } = createSigner();
  await cache.refresh(root, answer(publicKeyPem));
  await cache.refresh(root, answer('<html>'));
  assert.equal((await cache.read(root))?.toString(), publicKeyPem);
  assert.equal(report.records.length, 1);
});

test('a different key is audited and ignored until the copy is removed', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  const [first, second] = [createSigner(), createSigner()];
  await cache.refresh(root, answer(first.publicKeyPem));
  await cache.refresh(root, answer(second.publicKeyPem));
  assert.equal((await cache.read(root))?.toString(), first.publicKeyPem);
  const denied = report.audits.at(-1);
  assert.equal(denied?.outcome, 'denied');
  assert.deepEqual(
    [denied?.details?.kept, denied?.details?.offered],
    [first.fingerprint, second.fingerprint],
  );
  assert.equal(report.records.at(-1)?.fields.copy, cache.pathOf(root));
  await rm(cache.pathOf(root));
  await cache.refresh(root, answer(second.publicKeyPem));
  assert.equal((await cache.read(root))?.toString(), second.publicKeyPem);
});

test('the same key written otherwise is no change', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  const { publicKeyPem } = createSigner();
  await cache.refresh(root, answer(publicKeyPem));
  await cache.refresh(root, answer(`# the same\n${publicKeyPem}`));
  assert.equal(report.audits.length, 1);
  assert.equal(report.records.length, 0);
});

test('a damaged copy is kept for its reader to refuse, and a key offered beside it is audited', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  await cache.refresh(root, answer(createSigner().publicKeyPem));
  await writeFile(cache.pathOf(root), 'damaged');
  await cache.refresh(root, answer(createSigner().publicKeyPem));
  assert.equal(await readFile(cache.pathOf(root), 'utf8'), 'damaged');
  assert.match(String(report.audits.at(-1)?.details?.kept), /unreadable/);
});

test('another URL or another name is another copy, and no name leaves the folder', async () => {
  const { folder, cache } = await openCache();
  await using _ = folder;
  const paths = [
    root,
    { ...root, keyURL: 'https://keys.example/other.pub' },
    { ...root, name: 'origin-key' },
    { ...root, name: 'origin_key' },
    { ...root, name: '../../etc/passwd' },
  ].map(cache.pathOf);
  assert.equal(new Set(paths).size, paths.length);
  for (const path of paths)
    assert.ok(path.startsWith(join(folder.path, 'state', 'trust/')) && !path.includes('..'));
});

test('of the URL only the host is logged', async () => {
  const { folder, report, cache } = await openCache();
  await using _ = folder;
  await cache.refresh(root, answer(createSigner().publicKeyPem));
  await cache.refresh(root, answer(createSigner().publicKeyPem));
  await cache.refresh(root, unreachable);
  assert.doesNotMatch(JSON.stringify([report.audits, report.records]), /secret/);
  assert.match(JSON.stringify(report.audits), /keys\.example/);
});
