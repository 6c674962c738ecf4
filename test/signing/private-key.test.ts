import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomBytes, scryptSync } from 'node:crypto';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { toFingerprint } from '../../src/attest/public-key.ts';
import { isSignedBy } from '../../src/attest/signed-by.ts';
import { KeyProblemError } from '../../src/signing/key-problem.ts';
import { parsePrivateKey } from '../../src/signing/parse-private-key.ts';
import { readKeyFile } from '../../src/signing/read-key-file.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { isSvcError } from '../../src/text/error.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';

const pkcs8 = (key: KeyObject): Buffer => Buffer.from(key.export({ type: 'pkcs8', format: 'pem' }) as string);
const toPem = (label: string, body: Buffer): Buffer =>
  Buffer.from(`-----BEGIN ${label}-----\n${body.toString('base64')}\n-----END ${label}-----\n`);
const release = createSigner();

/** A key as cosign writes it, with cheap parameters unless given. */
function toCosignKey(
  key: KeyObject,
  password: string,
  change: (document: any) => void = () => {},
  label = 'ENCRYPTED SIGSTORE PRIVATE KEY',
): Buffer {
  const [salt, nonce] = [randomBytes(32), randomBytes(24)];
  const params = { N: 1024, r: 8, p: 1 };
  const secret = scryptSync(password, salt, 32, params);
  const plain = key.export({ type: 'pkcs8', format: 'der' });
  const document = {
    kdf: { name: 'scrypt', params, salt: salt.toString('base64') },
    cipher: { name: 'nacl/secretbox', nonce: nonce.toString('base64') },
    ciphertext: Buffer.from(xsalsa20poly1305(secret, nonce).encrypt(plain)).toString('base64'),
  };
  change(document);
  return toPem(label, Buffer.from(JSON.stringify(document)));
}

async function refuses(pem: Buffer | string, password: string | undefined, problem: string, rule: RegExp) {
  await assert.rejects(parsePrivateKey(Buffer.from(pem), password), (error: unknown) => {
    assert.ok(error instanceof KeyProblemError, String(error));
    assert.equal(error.problem, problem, error.message);
    assert.match(String(error.rule), rule);
    return true;
  });
}

test('a plain PKCS #8 key of each kind signs what its public key verifies; a password is not looked at', async () => {
  for (const type of ['p256', 'p384', 'p521', 'ed25519', 'rsa'] as const) {
    const { privateKeyPem, publicKey, fingerprint } = createSigner(type);
    const signer = toSigner(await parsePrivateKey(Buffer.from(privateKeyPem), 'not needed'));
    assert.equal(signer.fingerprint, fingerprint, type);
    const bytes = Buffer.from('bytes');
    assert.ok(isSignedBy(publicKey, bytes, signer.sign(bytes)), type);
    assert.ok(!isSignedBy(publicKey, Buffer.from('other'), signer.sign(bytes)), type);
  }
});

test('keys of cosign are opened under both of its headers, also with the empty password', async () => {
  for (const label of ['ENCRYPTED SIGSTORE PRIVATE KEY', 'ENCRYPTED COSIGN PRIVATE KEY'])
    for (const password of ['', 'secret'])
      assert.equal(
        toFingerprint(
          toSigner(
            await parsePrivateKey(
              toCosignKey(release.privateKey, password, undefined, label),
              password || undefined,
            ),
          ).publicKey,
        ),
        release.fingerprint,
      );
});

test('a wrong password, a missing one and a damaged key are told apart', async () => {
  const encrypted = toCosignKey(release.privateKey, 'secret');
  await refuses(encrypted, 'wrong', 'password', /does not open/);
  await refuses(encrypted, undefined, 'no-password', /it is encrypted/);
  const pem = release.privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  });
  await refuses(pem as string, 'wrong', 'password', /does not open/);
  await refuses(pem as string, undefined, 'no-password', /encrypted/);
  await refuses(toPem('ENCRYPTED PRIVATE KEY', Buffer.from('junk')), 'x', 'form', /cannot be read/);
  await refuses(toPem('PRIVATE KEY', Buffer.from('junk')), undefined, 'form', /cannot be read/);
  for (const change of [
    (key: any) => delete key.ciphertext,
    (key: any) => delete key.kdf.params,
    (key: any) => (key.kdf.params.N = '1024'),
    (key: any) => (key.cipher.nonce = 'AAAA'),
    (key: any) => (key.kdf.salt = '?'),
    (key: any) => (key.ciphertext = 'AAAA'),
  ])
    await refuses(toCosignKey(release.privateKey, 'secret', change), 'secret', 'form', /cannot be read/);
  await refuses(toPem('ENCRYPTED SIGSTORE PRIVATE KEY', Buffer.from('[]')), 'x', 'form', /cannot be read/);
});

test('public keys, certificates, other forms, several keys and large files are refused by their kind', async () => {
  await refuses(release.publicKeyPem, undefined, 'public', /a public key/);
  await refuses(toPem('CERTIFICATE', Buffer.from('x')), undefined, 'public', /a certificate/);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await refuses(
    privateKey.export({ type: 'sec1', format: 'pem' }) as string,
    undefined,
    'form',
    /EC PRIVATE/,
  );
  await refuses(toPem('OPENSSH PRIVATE KEY', Buffer.from('x')), undefined, 'form', /OPENSSH/);
  await refuses('hello', undefined, 'form', /no PEM/);
  await refuses(release.privateKeyPem + release.publicKeyPem, undefined, 'form', /more than one/);
  await refuses(Buffer.alloc(65_537, 'a'), undefined, 'form', /larger/);
});

test('algorithms, curves and sizes that no trust root may have do not sign', async () => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  await refuses(pkcs8(weak), undefined, 'kind', /1024 bits/);
  await refuses(toCosignKey(weak, ''), undefined, 'kind', /1024 bits/);
  await refuses(
    pkcs8(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey),
    undefined,
    'kind',
    /curve secp256k1/,
  );
  await refuses(pkcs8(generateKeyPairSync('ed448').privateKey), undefined, 'kind', /ed448/);
  await refuses(pkcs8(generateKeyPairSync('x25519').privateKey), undefined, 'kind', /x25519/);
});

test('a key derivation that would burn memory or time is refused before anything is spent on it', async () => {
  const begun = process.cpuUsage().user;
  for (const params of [
    { N: 2 ** 30, r: 8, p: 1 },
    { N: 2 ** 22, r: 8, p: 1 },
    { N: 65_536, r: 8, p: 1024 },
    { N: 65_536, r: 1_000_000, p: 1 },
    { N: 65_535, r: 8, p: 1 },
    { N: 0, r: 8, p: 1 },
    { N: 65_536, r: 8, p: -1 },
    { N: 65_536.5, r: 8, p: 1 },
  ])
    await refuses(
      toCosignKey(release.privateKey, 'x', (key) => (key.kdf.params = params)),
      'x',
      'cost',
      /scrypt with N/,
    );
  await refuses(
    toCosignKey(release.privateKey, 'x', (key) => (key.kdf.name = 'argon2')),
    'x',
    'cost',
    /cosign/,
  );
  // the iterations of PBKDF2, 2048 as openssl and Node write them, raised to 2^31 - 1
  const der = release.privateKey.export({
    type: 'pkcs8',
    format: 'der',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  const at = der.indexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]));
  assert.ok(at > 0);
  const grow = (bytes: Buffer): Buffer => {
    const integer = Buffer.from([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff]);
    const grown = Buffer.concat([bytes.subarray(0, at), integer, bytes.subarray(at + 4)]);
    // every sequence around it is two bytes longer
    for (let i = 0; i < at; i += 1) {
      const isAround = grown[i] === 0x30 && grown[i + 1]! < 0x80 && i + 2 + grown[i + 1]! > at;
      if (isAround) grown[i + 1]! += 2;
      else if (grown[i] === 0x30 && grown[i + 1] === 0x81 && i + 3 + grown[i + 2]! > at) grown[i + 2]! += 2;
    }
    return grown;
  };
  await refuses(toPem('ENCRYPTED PRIVATE KEY', grow(der)), 'x', 'cost', /2147483647 iterations/);
  const spent = process.cpuUsage().user - begun;
  assert.ok(spent < 4_000_000, `${spent} µs`);
});

test('keys encrypted by openssl are opened, with PBKDF2 and with scrypt; its older schemes are refused', async (t) => {
  const openssl = needs(t, 'openssl');
  if (openssl === undefined) return;
  const encrypt = (...args: readonly string[]): Buffer =>
    execFileSync(openssl, ['pkcs8', '-topk8', '-passout', 'pass:secret', ...args], {
      input: release.privateKeyPem,
    });
  for (const args of [[], ['-scrypt'], ['-v2', 'aes-256-cbc', '-iter', '10000']])
    assert.equal(
      toSigner(await parsePrivateKey(encrypt(...args), 'secret')).fingerprint,
      release.fingerprint,
    );
  await refuses(encrypt('-v1', 'PBE-SHA1-3DES'), 'secret', 'cost', /other than PBES2/);
  const legacy = execFileSync(openssl, ['ecparam', '-name', 'prime256v1', '-genkey']);
  await refuses(legacy, undefined, 'form', /EC PRIVATE KEY/);
});

test('a key file that others may read or write, a folder and a missing file are refused by name', async () => {
  await using folder = await openTempFolder('svc-key-');
  const file = `${folder.path}/release.key`;
  await writeFile(file, release.privateKeyPem, { mode: 0o600 });
  assert.equal(toSigner(await readKeyFile(file, undefined)).fingerprint, release.fingerprint);
  await chmod(file, 0o640);
  await readKeyFile(file, undefined);
  for (const mode of [0o644, 0o604, 0o602, 0o620, 0o666, 0o601]) {
    await chmod(file, mode);
    assert.equal((await stat(file)).mode & 0o777, mode);
    await assert.rejects(readKeyFile(file, undefined), (error) => {
      assert.ok(isSvcError(error, 'SVC-SGN-001'));
      assert.deepEqual(error.params, {
        path: file,
        problem: 'mode',
        rule: `its mode is 0${mode.toString(8)}`,
      });
      return true;
    });
  }
  await mkdir(`${folder.path}/folder`);
  await assert.rejects(readKeyFile(`${folder.path}/folder`, undefined), (error) =>
    isSvcError(error, 'SVC-FIL-005'),
  );
  await assert.rejects(readKeyFile(`${folder.path}/absent`, undefined), (error) =>
    isSvcError(error, 'SVC-FIL-005'),
  );
  execFileSync('mkfifo', ['-m', '600', `${folder.path}/pipe`]);
  await assert.rejects(readKeyFile(`${folder.path}/pipe`, undefined), (error) =>
    isSvcError(error, 'SVC-FIL-005'),
  );
  await writeFile(`${folder.path}/pub`, release.publicKeyPem, { mode: 0o600 });
  for (const mode of [0o600, 0o644]) {
    await chmod(`${folder.path}/pub`, mode);
    await assert.rejects(readKeyFile(`${folder.path}/pub`, undefined), (error) => {
      assert.ok(isSvcError(error, 'SVC-SGN-001'));
      assert.equal(error.params.problem, 'public');
      return true;
    });
  }
});

test('a private key that spells out the parameters of its curve is refused, as a public one is', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' });
  for (const pem of [pkcs8(privateKey), toCosignKey(privateKey, '')])
    await assert.rejects(parsePrivateKey(pem, undefined), (error) => {
      assert.ok(error instanceof KeyProblemError);
      assert.deepEqual(
        [error.problem, String(error.rule)],
        ['kind', 'a key that spells out the parameters of its curve'],
      );
      return true;
    });
});

test('a private key whose number is none of its curve, or does not belong to the public key in it, is refused when it is read', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const number = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const at = der.indexOf(number);
  const replace = (other: Buffer): Buffer =>
    toPem('PRIVATE KEY', Buffer.concat([der.subarray(0, at), other, der.subarray(at + 32)]));
  for (const other of [Buffer.alloc(32), Buffer.alloc(32, 7)])
    await refuses(replace(other), undefined, 'form', /does not fit the public key in it/);
  // without its public key (RFC 5915, section 3)
  const algorithm = Buffer.from('301306072a8648ce3d020106082a8648ce3d030107', 'hex');
  const bare = Buffer.concat([
    Buffer.from('04273025020101', 'hex'),
    Buffer.from('0420', 'hex'),
    Buffer.alloc(32),
  ]);
  const all = Buffer.concat([Buffer.from('020100', 'hex'), algorithm, bare]);
  const pem = toPem('PRIVATE KEY', Buffer.concat([Buffer.of(0x30, all.length), all]));
  await refuses(pem, undefined, 'kind', /at infinity/);
});
