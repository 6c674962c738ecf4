import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBundle, toBundleBytes } from '../../../src/attest/bundle.ts';
import { payloadType, preAuthEncoding } from '../../../src/attest/envelope.ts';
import { readPassport, writePassport } from '../../../src/attest/passport.ts';
import { toInventory, toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { isSignedBy } from '../../../src/attest/signed-by.ts';
import { isSubjectNamed, toStatementBytes } from '../../../src/attest/statement.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { openClientHome } from '../../kit/program/client-home.ts';
import { needs } from '../../kit/program/peers.ts';

const kinds = ['p256', 'p384', 'p521', 'rsa', 'ed25519'] as const;
const receipt = 'urn:svc:receipt:v1';
const content = Buffer.from('what is stated of\n');

test('cosign verifies a statement that we sign, with every kind of key, and refuses another type and subject', async (t) => {
  const cosign = needs(t, 'cosign');
  if (cosign === undefined) return;
  await using folder = await openTempFolder('svc-statement-');
  const home = await openClientHome(folder.path);
  const path = (name: string): string => join(home.path, name);
  await writeFile(path('content'), content);
  await writeFile(path('other'), 'something else');
  const verify = async (type: string, file: string, predicateType: string): Promise<boolean> => {
    const flags = ['--key', path(`${type}.pub`), '--bundle', path(`${type}.sigstore.json`)];
    const rest = ['--type', predicateType, '--insecure-ignore-tlog', path(file)];
    return (await home.try(cosign, ['verify-blob-attestation', ...flags, ...rest])).exitCode === 0;
  };
  for (const type of kinds) {
    const { privateKey, publicKeyPem } = createSigner(type);
    const signer = toSigner(privateKey);
    const payload = toStatementBytes({
      subjects: [{ name: 'content', digest: hashBytes(content) }],
      predicateType: receipt,
      predicate: { sequence: 1 },
    });
    const signature = signer.sign(preAuthEncoding(payloadType, payload));
    await writeFile(path(`${type}.sigstore.json`), toBundleBytes(payload, signature, signer.publicKey));
    await writeFile(path(`${type}.pub`), publicKeyPem);
    assert.equal(await verify(type, 'content', receipt), true, type);
    if (type !== 'p256') continue;
    assert.equal(await verify(type, 'content', 'urn:svc:passport:v1'), false);
    assert.equal(await verify(type, 'other', receipt), false);
  }
});

test('cosign verifies a receipt against each of its files', async (t) => {
  const cosign = needs(t, 'cosign');
  if (cosign === undefined) return;
  await using folder = await openTempFolder('svc-receipt-');
  const home = await openClientHome(folder.path);
  const path = (name: string): string => join(home.path, name);
  const { privateKey, publicKeyPem } = createSigner();
  const files = [toZoneFile('zone-b'), toInventory([hashBytes('b'), hashBytes('a')])];
  const bundle = writeReceipt(toReceipt({ recipes: 3 }), files.map(toSubject), toSigner(privateKey));
  await writeFile(path('receipt.json'), bundle);
  await writeFile(path('zone.pub'), publicKeyPem);
  await writeFile(path('other'), 'zone-c\n');
  for (const { name, bytes } of files) await writeFile(path(name), bytes);
  const verify = async (file: string): Promise<boolean> => {
    const flags = ['--key', path('zone.pub'), '--bundle', path('receipt.json'), '--type', receipt];
    const rest = ['--insecure-ignore-tlog', path(file)];
    return (await home.try(cosign, ['verify-blob-attestation', ...flags, ...rest])).exitCode === 0;
  };
  assert.equal(await verify('zone'), true);
  assert.equal(await verify('inventory'), true);
  assert.equal(await verify('other'), false);
});

test('cosign verifies a passport against the manifest of its medium', async (t) => {
  const cosign = needs(t, 'cosign');
  if (cosign === undefined) return;
  await using folder = await openTempFolder('svc-passport-');
  const home = await openClientHome(folder.path);
  const path = (name: string): string => join(home.path, name);
  const { privateKey, publicKeyPem } = createSigner();
  const passport = {
    zone: 'zone-b',
    mediaId: 'dlv-3f9c01ab77de-1',
    delivery: { id: 'dlv_3f9c01ab77de', part: 1, parts: 1 },
    recipes: [{ name: 'shop', version: '1.4.0', digest: hashBytes('shop') }],
    sequence: 1,
    issuedAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-04-01T12:00:00.000Z',
  };
  const bundle = writePassport(passport, hashBytes(content), toSigner(privateKey));
  await writeFile(path('passport.json'), bundle);
  await writeFile(path('source.pub'), publicKeyPem);
  await writeFile(path('media.jsonl'), content);
  await writeFile(path('other'), 'another medium');
  const verify = async (file: string, type: string): Promise<boolean> => {
    const flags = ['--key', path('source.pub'), '--bundle', path('passport.json'), '--type', type];
    const rest = ['--insecure-ignore-tlog', path(file)];
    return (await home.try(cosign, ['verify-blob-attestation', ...flags, ...rest])).exitCode === 0;
  };
  assert.equal(await verify('media.jsonl', 'urn:svc:passport:v1'), true);
  assert.equal(await verify('other', 'urn:svc:passport:v1'), false);
  assert.equal(await verify('media.jsonl', receipt), false);
  const read = readPassport(bundle);
  assert.deepEqual('flaw' in read ? read.flaw : read.passport, passport);
});

test('we verify the statements that cosign signs', async (t) => {
  const cosign = needs(t, 'cosign');
  if (cosign === undefined) return;
  await using folder = await openTempFolder('svc-statement-');
  const home = await openClientHome(folder.path);
  const path = (name: string): string => join(home.path, name);
  const env = { COSIGN_PASSWORD: 'secret' };
  await writeFile(path('content'), content);
  await writeFile(path('predicate.json'), '{"sequence":1}');
  // its Ed25519 signatures are prehashed, and its own verification refuses them too
  for (const type of kinds.filter((one) => one !== 'ed25519')) {
    const { privateKeyPem, publicKey } = createSigner(type);
    await writeFile(path(`${type}.pem`), privateKeyPem);
    const importing = ['import-key-pair', '--key', path(`${type}.pem`), '--output-key-prefix', path(type)];
    await home.run(cosign, importing, { env });
    const flags = ['--key', path(`${type}.key`), '--bundle', path(`${type}.json`), '--yes'];
    const what = ['--predicate', path('predicate.json'), '--type', receipt];
    const offline = ['--use-signing-config=false', '--tlog-upload=false'];
    await home.run(cosign, ['attest-blob', ...flags, ...what, ...offline, path('content')], { env });
    const read = readBundle(await readFile(path(`${type}.json`)));
    assert.ok(!('flaw' in read), JSON.stringify(read));
    assert.equal(read.predicateType, receipt);
    assert.ok(isSubjectNamed(read, hashBytes(content)));
    assert.ok(isSignedBy(publicKey, read.signed, read.signature), type);
  }
});
