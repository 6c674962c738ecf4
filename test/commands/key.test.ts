import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand } from '../kit/program/run-command.ts';
import type { SvcOptions } from '../kit/program/svc.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

const password = 'four words of a test';

/** A folder in which the command runs. */
async function openBench() {
  const folder = await openTempFolder('svc-key-');
  const path = (name: string): string => join(folder.path, name);
  await writeFile(path('password'), `${password}\nsecond line\n`);
  return {
    path,
    list: async () => (await readdir(folder.path)).sort(),
    key: (args: readonly string[], options: SvcOptions = {}) =>
      runCommand(['key', ...args], { cwd: folder.path, ...options }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('a new key is encrypted, for its owner only, and openssl and we open it; a second one replaces nothing', async () => {
  await using bench = await openBench();
  const made = await bench.key(['new', 'zone-b', '--key-password-file', 'password', '--output', 'json']);
  assert.equal(made.exitCode, 0, made.stderr);
  assertCliDocument('svc key new', made.stdout);
  assert.equal(
    made.stderr,
    'svc: warning: other users can read or change the password file password: chmod 600 protects it\n',
  );
  await chmod(bench.path('password'), 0o600);
  const { keyFile, publicFile, type, fingerprint } = JSON.parse(made.stdout);
  assert.deepEqual([keyFile, publicFile, type], ['zone-b.key', 'zone-b.pub', 'ECDSA P-256']);
  assert.deepEqual(await bench.list(), ['password', 'zone-b.key', 'zone-b.pub']);
  assert.equal((await stat(bench.path('zone-b.key'))).mode & 0o777, 0o600);
  const pem = await readFile(bench.path('zone-b.key'), 'utf8');
  assert.match(pem, /^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
  // OpenSSL itself, which knows nothing of how it was written
  const opened = createPrivateKey({ key: pem, passphrase: password });
  const pub = await readFile(bench.path('zone-b.pub'), 'utf8');
  assert.equal(createPublicKey(opened).export({ type: 'spki', format: 'pem' }), pub);

  const shown = await bench.key(['show', 'zone-b.key', '--password-stdin', '--output', 'json'], {
    input: `${password}\n`,
  });
  assertCliDocument('svc key show', shown.stdout);
  assert.deepEqual(JSON.parse(shown.stdout), {
    file: 'zone-b.key',
    type,
    fingerprint,
    private: true,
    publicKey: pub,
  });
  const ofPublic = await bench.key(['show', 'zone-b.pub']);
  assert.equal(ofPublic.stdout, `${type}\n${fingerprint}\n${pub}`);

  const again = await bench.key(['new', 'zone-b', '--key-password-file', 'password']);
  assert.equal(again.exitCode, 1);
  assert.match(again.stderr, /SVC-FIL-006[\s\S]*never replaces a file/);
  assert.equal(await readFile(bench.path('zone-b.key'), 'utf8'), pem);
  assert.deepEqual(await bench.list(), ['password', 'zone-b.key', 'zone-b.pub']);
});

test('where only one of the two names is taken, neither file is written', async () => {
  await using bench = await openBench();
  await writeFile(bench.path('a.key'), 'mine');
  await symlink(bench.path('elsewhere'), bench.path('b.pub'));
  for (const name of ['a', 'b']) {
    const { exitCode, stderr } = await bench.key(['new', name], { env: { SVC_SIGNING_PASSWORD: password } });
    assert.equal(exitCode, 1);
    assert.match(stderr, /SVC-FIL-006/);
  }
  assert.deepEqual(await bench.list(), ['a.key', 'b.pub', 'password']);
  assert.equal(await readFile(bench.path('a.key'), 'utf8'), 'mine');
});

test('without a password no key is made, and none is asked for; bad names and two passwords are usage errors', async () => {
  await using bench = await openBench();
  await writeFile(bench.path('empty'), '\nsecond line');
  for (const [args, expected, input = ''] of [
    [['new', 'zone-b'], /no password for the new key: use --key-password-file/],
    [['new', 'zone-b', '--password-stdin'], /the password on stdin is empty/, '\n'],
    [['new', 'zone-b', '--key-password-file', 'empty'], /first line of the password file empty is empty/],
    [['new', 'zone-b', '--key-password-file', 'password', '--password-stdin'], /use one/, 'x\n'],
    [['new', 'zone-b.key', '--key-password-file', 'password'], /a name without \.key and \.pub/],
    [['new', 'zone-b', '--password-stdin'], /at least 12 characters/, 'short pass\n'],
    [['new', './', '--key-password-file', 'password'], /a name without/],
  ] as const) {
    const { exitCode, stderr } = await bench.key(args, { input });
    assert.equal(exitCode, 2, args.join(' '));
    assert.match(stderr, expected);
  }
  const french = await bench.key(['new', 'zone-b'], { env: { LC_ALL: 'fr_FR.UTF-8' } });
  assert.match(french.stderr, /pas de mot de passe pour la nouvelle clé/);
  assert.deepEqual(await bench.list(), ['empty', 'password']);
});

test('a key is neither made nor read inside the store, also by a link', async () => {
  await using bench = await openBench();
  await mkdir(bench.path('store'));
  await symlink(bench.path('store'), bench.path('link'));
  const { privateKeyPem } = createSigner();
  await writeFile(bench.path('store/release.key'), privateKeyPem, { mode: 0o600 });
  await writeFile(bench.path('store/password'), password);
  const store = ['--storage-root', 'store'];
  for (const args of [
    ['new', 'store/zone-b', '--key-password-file', 'password'],
    ['new', 'link/zone-b', '--key-password-file', 'password'],
    ['new', 'zone-b', '--key-password-file', 'link/password'],
    ['show', 'link/release.key'],
  ]) {
    const { exitCode, stderr } = await bench.key([...args, ...store]);
    assert.equal(exitCode, 3, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, /SVC-CFG-002/);
  }
  assert.deepEqual((await readdir(bench.path('store'))).sort(), ['password', 'release.key']);
});

test('a key that cannot be used is refused with advice for its kind, in both languages', async () => {
  await using bench = await openBench();
  const { privateKeyPem, privateKey } = createSigner();
  const encrypted = privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: password,
  });
  await writeFile(bench.path('open.key'), privateKeyPem, { mode: 0o644 });
  await writeFile(bench.path('sec1.key'), privateKey.export({ type: 'sec1', format: 'pem' }), {
    mode: 0o600,
  });
  await writeFile(bench.path('encrypted.key'), encrypted, { mode: 0o600 });
  for (const [file, env, english, french] of [
    [
      'open.key',
      {},
      /its mode is 0644[\s\S]*chmod 600 open\.key/,
      /son mode est 0644[\s\S]*chmod 600 open\.key/,
    ],
    ['sec1.key', {}, /type EC PRIVATE KEY[\s\S]*openssl pkcs8 -topk8/, /un bloc PEM de type EC PRIVATE KEY/],
    ['encrypted.key', {}, /it is encrypted[\s\S]*SVC_SIGNING_PASSWORD/, /elle est chiffrée/],
    [
      'encrypted.key',
      { SVC_SIGNING_PASSWORD: 'wrong' },
      /password does not open it[\s\S]*right password/,
      /le mot de passe ne l’ouvre pas/,
    ],
  ] as const) {
    const refused = await bench.key(['show', file], { env });
    assert.equal(refused.exitCode, 1, refused.stderr);
    assert.match(refused.stderr, /SVC-SGN-001/);
    assert.match(refused.stderr, english);
    assert.match((await bench.key(['show', file], { env: { ...env, LC_ALL: 'fr' } })).stderr, french);
    assert.ok(!refused.stderr.includes(password));
  }
  await writeFile(bench.path('text'), 'hello');
  assert.match((await bench.key(['show', 'text'])).stderr, /SVC-VAL-001.*not a PEM public key/s);
});
