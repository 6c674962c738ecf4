import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand, runInLanguage } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';

const toPem = (key: ReturnType<typeof generateKeyPairSync>['publicKey']): string =>
  key.export({ type: 'spki', format: 'pem' }).toString();

test('the fingerprint of a key is that of its DER, for each kind of key', async () => {
  await using folder = await openTempFolder();
  const kinds = [
    ['ECDSA P-256', generateKeyPairSync('ec', { namedCurve: 'prime256v1' })],
    ['ECDSA P-384', generateKeyPairSync('ec', { namedCurve: 'secp384r1' })],
    ['Ed25519', generateKeyPairSync('ed25519')],
    ['RSA 2048', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const;
  const files: string[] = [];
  for (const [kind, { publicKey }] of kinds) {
    files.push(join(folder.path, `${kind}.pub`));
    await writeFile(files.at(-1)!, toPem(publicKey));
  }
  const { exitCode, stdout } = await runInLanguage(
    ['trust', 'fingerprint', ...files, '--output', 'json'],
    'en',
  );
  assert.equal(exitCode, 0);
  assertCliDocument('svc trust fingerprint', stdout);
  const { keys } = JSON.parse(stdout) as { keys: { file: string; type: string; fingerprint: string }[] };
  assert.deepEqual(
    keys.map(({ type }) => type),
    kinds.map(([kind]) => kind),
  );
  const text = await runInLanguage(['trust', 'fingerprint', ...files], 'en');
  assert.equal(text.stdout, keys.map(({ fingerprint, file }) => `${fingerprint}  ${file}\n`).join(''));
  for (const [index, [kind, { publicKey }]] of kinds.entries()) {
    const der = Buffer.from(toPem(publicKey).replaceAll(/-----.*-----|\n/g, ''), 'base64');
    assert.equal(keys[index]!.fingerprint, createHash('sha256').update(der).digest('hex'), kind);
  }
});

test('what is no public key is refused with the reason', async () => {
  await using folder = await openTempFolder();
  const { privateKey } = generateKeyPairSync('ed25519');
  const path = (name: string): string => join(folder.path, name);
  await writeFile(path('secret.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(path('text'), 'hello\n');
  await writeFile(path('large'), Buffer.alloc(1 << 20));
  await mkdir(path('folder'));
  for (const [name, expected] of [
    ['secret.pem', /SVC-VAL-001.*it is a private key, and a public key is wanted.*openssl pkey/s],
    ['text', /SVC-VAL-001.*not a PEM public key(?!.*openssl pkey)/s],
    ['large', /SVC-VAL-002/],
    ['folder', /SVC-FIL-005.*is a folder/s],
    ['absent', /SVC-FIL-005.*does not exist/s],
  ] as const) {
    const { exitCode, stdout, stderr } = await runInLanguage(['trust', 'fingerprint', path(name)], 'en');
    assert.deepEqual([exitCode, stdout], [1, ''], stderr);
    assert.match(stderr, expected);
  }
  await writeFile(path('secret.pub'), 'the public key');
  const beside = await runInLanguage(['trust', 'fingerprint', path('secret.pem')], 'en');
  assert.ok(beside.stderr.includes(`Name its public key: ${path('secret.pub')}.`), beside.stderr);
  assert.doesNotMatch(beside.stderr, /openssl/);
  const french = await runInLanguage(['trust', 'fingerprint', path('secret.pem')], 'fr');
  assert.match(french.stderr, /c’est une clé privée, et une clé publique est attendue/);
});

test('the roots and scopes in force are shown, with what each of them does not accept', async () => {
  await using folder = await openTempFolder();
  const file = join(folder.path, 'release.pub');
  const { publicKey } = generateKeyPairSync('ed25519');
  await writeFile(file, toPem(publicKey));
  const config = join(folder.path, 'svc.yaml');
  await writeFile(
    config,
    stringify({
      state: { root: join(folder.path, 'state') },
      trust: {
        roots: [
          { name: 'release', keyFile: file },
          { name: 'inline', key: toPem(publicKey) },
          { name: 'remote', keyURL: 'https://keys.example/key.pub?token=secret-of-url' },
        ],
        scopes: [
          { name: 'trials', repositories: ['registry.example/trials/**'], allowUnsigned: true },
          { name: 'shop', repositories: ['registry.example/shop/*'], roots: ['release'] },
        ],
      },
    }),
  );
  const at = ['trust', 'show', '--config', config];
  const json = await runInLanguage([...at, '--output', 'json'], 'en');
  assert.equal(json.exitCode, 0, json.stderr);
  assertCliDocument('svc trust show', json.stdout);
  const { roots, scopes } = JSON.parse(json.stdout);
  assert.deepEqual(
    roots.map(({ name, source, location, type }: Record<string, string>) => [name, source, location, type]),
    [
      ['release', 'file', file, 'Ed25519'],
      ['inline', 'inline', undefined, 'Ed25519'],
      ['remote', 'url', 'keys.example', undefined],
    ],
  );
  assert.equal(roots[0].fingerprint, roots[1].fingerprint);
  assert.deepEqual(scopes[0], {
    name: 'trials',
    repositories: ['registry.example/trials/**'],
    allowUnsigned: true,
  });
  const english = await runInLanguage(at, 'en');
  assert.match(english.stdout, /remote\n +no copy of its key yet: nothing it signed is accepted/);
  assert.match(english.stdout, /trials\n.*\n +a recipe needs no signature/);
  const french = await runInLanguage(at, 'fr');
  assert.match(french.stdout, /shop\n.*\n +signée par release/);
  for (const { stdout, stderr } of [json, english, french])
    assert.ok(!`${stdout}${stderr}`.includes('secret-of-url'));
  const none = await runInLanguage(['trust', 'show', '--state-root', folder.path], 'en', {
    SVC_CONFIG: '',
  });
  assert.match(none.stderr, /no trust roots are configured: no signature is accepted/);
});

test('a command that needs no setting warns of a document in the working directory that it did not read', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'svc.yaml'), 'mode: mirror\n');
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(args, { cwd: folder.path, env });
  const hint = /svc\.yaml is here and was not read: add --config svc\.yaml/;
  for (const args of [
    ['trust', 'show'],
    ['task', 'list'],
    ['config', 'dump'],
  ])
    assert.match((await run(args)).stderr, hint, args.join(' '));
  const named = [
    await run(['trust', 'show', '--config', 'svc.yaml']),
    await run(['trust', 'show'], { SVC_CONFIG: join(folder.path, 'svc.yaml') }),
    await run(['task', 'list', '--instance', 'http://localhost:1']),
    await run(['trust', 'show'], { SVC_MODE: 'mirror' }),
  ];
  for (const { stderr } of named) assert.doesNotMatch(stderr, /is here/);
  const french = await run(['trust', 'show'], { LC_ALL: 'fr_FR.UTF-8' });
  assert.match(french.stderr, /svc\.yaml est ici et n’a pas été lu/);
});

test('a command about a medium that is given the configuration of a source says so', async () => {
  await using folder = await openTempFolder();
  const path = join(folder.path, 'svc.yaml');
  const retriever = join(folder.path, 'retriever.yaml');
  await writeFile(
    path,
    stringify({ mode: 'mirror', storage: { root: folder.path }, retriever: { source: retriever } }),
  );
  for (const [language, expected] of [
    ['en', /this configuration is that of a source, which fills media/],
    ['fr', /cette configuration est celle d’une source, qui remplit des supports/],
  ] as const) {
    const { exitCode, stderr } = await runInLanguage(['media', 'verify', '--config', path], language);
    assert.equal(exitCode, 1);
    assert.match(stderr, expected);
  }
});
