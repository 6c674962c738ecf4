import assert from 'node:assert/strict';
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { payloadType, preAuthEncoding } from '../../../src/attest/envelope.ts';
import { publishRecipe, toOrigin } from '../../kit/content/origin.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { createSampleImage } from '../../kit/content/sample-image.ts';
import { createSigner, type KeyType } from '../../kit/content/signer.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { runCommand, runInLanguage } from '../../kit/program/run-command.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble, type RegistryDoubleOptions } from '../../kit/result/registry-double.ts';

const ingredient = {
  name: 'web',
  repository: 'shop/web',
  version: '1.0.0',
  digest: `sha256:${'0'.repeat(64)}`,
};
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** A registry with the recipe shop 1.0.0, and a configuration that reaches it. */
async function openBench(options: RegistryDoubleOptions & { readonly config?: object } = {}) {
  const folder = await openTempFolder('svc-sign-');
  const registry = await createRegistryDouble(options);
  const path = (name: string): string => join(folder.path, name);
  const publish = (name: string, version = '1.0.0') =>
    publishRecipe(toOrigin(registry), { name, version, ingredients: [ingredient] });
  const { descriptor } = await publish('shop');
  const writeConfig = async (more: object): Promise<void> =>
    writeFile(path('svc.yaml'), JSON.stringify({ registries: { insecure: [registry.host] }, ...more }));
  await writeConfig({});
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInLanguage([...args, '--config', path('svc.yaml')], 'en', env);
  const reference = `${registry.host}/cookbook/shop:1.0.0`;
  return {
    path,
    registry,
    publish,
    run,
    reference,
    writeConfig,
    digest: descriptor.digest,
    sign: (args: readonly string[], env?: Readonly<Record<string, string>>) =>
      run(['recipe', 'sign', reference, ...args], env),
    /** Whether a zone with this key would accept the recipe. */
    async accepts(publicKeyPem: string): Promise<boolean> {
      await writeRetriever(
        path('zone.yaml'),
        { cookbook: `${registry.host}/cookbook`, recipes: [{ name: 'shop', version: '^1.0' }] },
        'zone-b',
      );
      await writeConfig({ trust: { roots: [{ name: 'release', key: publicKeyPem }] } });
      const { exitCode, stdout } = await run(['retriever', 'resolve', path('zone.yaml'), '--output', 'json']);
      assert.ok(exitCode === 0 || exitCode === 4, stdout);
      return exitCode === 0;
    },
    async writeKey(type: KeyType = 'p256', name = 'release') {
      const signer = createSigner(type);
      await writeFile(path(`${name}.key`), signer.privateKeyPem, { mode: 0o600 });
      await writeFile(path(`${name}.pub`), signer.publicKeyPem);
      return { ...signer, key: path(`${name}.key`), pub: path(`${name}.pub`) };
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a recipe is shown, then signed by its digest; signing again writes nothing', async () => {
  await using bench = await openBench();
  const { key, publicKeyPem, fingerprint } = await bench.writeKey();
  assert.equal(await bench.accepts(publicKeyPem), false);
  const signed = await bench.sign(['--key', key]);
  assert.equal(signed.exitCode, 0, signed.stderr);
  assert.equal(signed.stdout, `${bench.digest}\n`);
  assert.match(signed.stderr, /^svc: shop 1\.0\.0, 1 ingredient: \S+@sha256:/m);
  assert.ok(signed.stderr.includes(`svc: signed (bundle): ${fingerprint}`));
  assert.equal(await bench.accepts(publicKeyPem), true);
  const puts = bench.registry.count(/^(PUT|POST|PATCH) /);
  const again = await bench.sign(['--key', key, '--output', 'json']);
  assertCliDocument('svc recipe sign', again.stdout);
  assert.equal(JSON.parse(again.stdout).unchanged, true);
  assert.equal(bench.registry.count(/^(PUT|POST|PATCH) /), puts);
});

test('a key that is none of the trust roots of the configuration signs with a warning', async () => {
  await using bench = await openBench();
  const { key, publicKeyPem } = await bench.writeKey();
  const other = createSigner();
  await bench.writeConfig({ trust: { roots: [{ name: 'release', key: other.publicKeyPem }] } });
  const warned = await bench.sign(['--key', key]);
  assert.equal(warned.exitCode, 0, warned.stderr);
  assert.match(warned.stderr, /warning: the key \S+ is none of trust\.roots/);
  await bench.writeConfig({ trust: { roots: [{ name: 'release', key: publicKeyPem }] } });
  assert.doesNotMatch((await bench.sign(['--key', key])).stderr, /trust\.roots/);
});

test('what was signed under a tag is the digest that was shown, however the tag moves', async () => {
  await using bench = await openBench();
  const { key, publicKeyPem } = await bench.writeKey();
  // the tag is moved as soon as it was read once
  const other = await bench.publish('shop', '2.0.0');
  const stop = bench.registry.intercept(({ method, path }) => {
    if (method === 'GET' && path.includes('/blobs/')) {
      stop();
      bench.registry.tag('cookbook/shop', '1.0.0', other.descriptor.digest);
    }
    return false;
  });
  const signed = await bench.sign(['--key', key]);
  assert.equal(signed.stdout, `${bench.digest}\n`, signed.stderr);
  bench.registry.tag('cookbook/shop', '1.0.0', bench.digest);
  bench.registry.untag('cookbook/shop', '2.0.0');
  assert.equal(await bench.accepts(publicKeyPem), true);
});

test('without a referrers API the fallback index is extended, and what another signer wrote is kept', async () => {
  await using bench = await openBench({ referrers: false });
  const one = await bench.writeKey('p256', 'one');
  const two = await bench.writeKey('ed25519', 'two');
  for (const { key } of [one, two])
    for (const layout of ['bundle', 'classic'])
      assert.equal((await bench.sign(['--key', key, '--layout', layout])).exitCode, 0);
  for (const { publicKeyPem } of [one, two]) assert.equal(await bench.accepts(publicKeyPem), true);
  const hex = bench.digest.replace(':', '-');
  assert.deepEqual(bench.registry.tags('cookbook/shop'), ['1.0.0', hex, `${hex}.sig`]);
  const index = JSON.parse(bench.registry.manifest('cookbook/shop', hex)!.bytes.toString());
  assert.equal(index.manifests.length, 2);
  const classic = JSON.parse(bench.registry.manifest('cookbook/shop', `${hex}.sig`)!.bytes.toString());
  assert.equal(classic.layers.length, 2);
});

test('a signature that another signer overwrote in the same moment is put again, beside the other', async () => {
  await using bench = await openBench({ referrers: false });
  const { key, publicKeyPem } = await bench.writeKey();
  const stranger = createSigner();
  const hex = bench.digest.replace(':', '-');
  const subject = {
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    digest: bench.digest,
    size: bench.registry.manifest('cookbook/shop', '1.0.0')!.bytes.length,
  };
  const { manifest, blobs, tag } = stranger.sign(subject, 'classic');
  let isReplaced = false;
  bench.registry.intercept((request) => {
    const isRead = request.method === 'HEAD' || request.method === 'GET';
    const isPut = bench.registry.tags('cookbook/shop').includes(`${hex}.sig`);
    if (isReplaced || !isRead || !isPut || !request.path.endsWith(`${hex}.sig`)) return false;
    isReplaced = true;
    for (const { bytes } of blobs) bench.registry.putBlob('cookbook/shop', bytes);
    bench.registry.putManifest('cookbook/shop', manifest.bytes, { tag: tag!, mediaType: subject.mediaType });
    return false;
  });
  const signed = await bench.sign(['--key', key, '--layout', 'classic']);
  assert.equal(signed.exitCode, 0, signed.stderr);
  assert.ok(isReplaced);
  assert.equal(await bench.accepts(publicKeyPem), true);
  assert.equal(await bench.accepts(stranger.publicKeyPem), true);
});

test('a key elsewhere signs in two steps, in every form that its tool writes', async () => {
  const forms: readonly [name: string, KeyType, (pem: string, payload: Buffer) => Buffer | string][] = [
    ['DER', 'p256', (pem, payload) => sign('sha256', payload, pem)],
    ['base64 in lines', 'p384', (pem, payload) => toLines(sign('sha384', payload, pem).toString('base64'))],
    ['two numbers', 'p256', (key, payload) => sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' })],
    ['raw', 'ed25519', (pem, payload) => sign(null, payload, pem)],
    ['PKCS #1', 'rsa', (pem, payload) => sign('sha256', payload, pem).toString('base64')],
  ];
  await using bench = await openBench();
  for (const [i, [name, type, toSignature]] of forms.entries()) {
    const { pub, publicKeyPem, privateKeyPem } = await bench.writeKey(type, `key-${i}`);
    const layout = i % 2 === 0 ? 'bundle' : 'classic';
    const [payload, signature] = [bench.path(`payload-${i}`), bench.path(`signature-${i}`)];
    const written = await bench.sign(['--payload-out', payload, '--layout', layout, '--output', 'json']);
    assert.equal(written.exitCode, 0, written.stderr);
    assertCliDocument('svc recipe sign', written.stdout);
    const bytes = await readFile(payload);
    assert.ok(bytes.toString().includes(bench.digest.slice('sha256:'.length)));
    await writeFile(signature, toSignature(privateKeyPem, bytes));
    const flags = ['--payload', payload, '--signature', signature, '--key-pub', pub];
    const attached = await bench.sign(flags);
    assert.equal(attached.exitCode, 0, `${name}: ${attached.stderr}`);
    assert.equal(await bench.accepts(publicKeyPem), true, name);
    await bench.writeConfig({});
    const again = await bench.sign([...flags, '--output', 'json']);
    assert.deepEqual([JSON.parse(again.stdout).unchanged, JSON.parse(again.stdout).layout], [true, layout]);
  }
});

const toLines = (text: string): string => `${text.match(/.{1,40}/g)!.join('\r\n')}\n`;

test('the command that push prints for the signature works as it is printed', async () => {
  await using bench = await openBench();
  const { privateKeyPem, publicKeyPem } = createSigner();
  const cipher = {
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'a good password',
  } as const;
  await writeFile(bench.path('release.key'), createPrivateKey(privateKeyPem).export(cipher), { mode: 0o600 });
  await writeFile(bench.path('password-file'), 'a good password\n');
  const document = `apiVersion: recipe.tobby.dev/v1alpha1
kind: Recipe
metadata: { name: shop, version: 2.0.0 }
spec:
  ingredients:
    - { name: web, kind: ContainerImage, ref: registry.example/web, version: 1.0.0, digest: "${ingredient.digest}" }
`;
  await writeFile(bench.path('shop.yaml'), document);
  const cookbook = `${bench.registry.host}/cookbook`;
  const config = bench.path('svc.yaml');
  const push = ['recipe', 'push', bench.path('shop.yaml'), `${cookbook}/shop:2.0.0`, '--config', config];
  const pushed = await runInLanguage(push, 'en', {}, true);
  assert.equal(pushed.exitCode, 0, pushed.stderr);
  const printed = /^ {2}svc (recipe sign .+)$/m.exec(pushed.stderr)?.[1] ?? '';
  // the key has a password, and the sentence above the command names the flag for it
  assert.match(pushed.stderr, /--key-password-file FILE/);
  const typed = await runCommand([...printed.split(' '), '--key-password-file', 'password-file'], {
    cwd: bench.path('.'),
  });
  assert.equal(typed.exitCode, 0, printed + typed.stderr);
  assert.match(typed.stderr, /svc: signed \(bundle\)/);
  // with a key in the configuration no flag is needed
  await bench.writeConfig({
    trust: { roots: [{ name: 'release', key: publicKeyPem }] },
    signing: { keyFile: bench.path('release.key'), passwordFile: bench.path('password-file') },
  });
  const again = await runInLanguage(push, 'fr', {}, true);
  const own = /^ {2}svc (recipe sign .+)$/m.exec(again.stderr)?.[1] ?? '';
  assert.doesNotMatch(own, /--key/);
  const signed = await runInLanguage(own.split(' '), 'en');
  assert.match(signed.stderr, /this key signed it before/);
  assert.doesNotMatch((await runInLanguage(push, 'en')).stderr, /recipe sign/);
});

test('what is no recipe is named for what it is, with the tool that signs it', async () => {
  await using bench = await openBench();
  const { key } = await bench.writeKey();
  for (const [seed, platforms] of [
    ['one', ['linux/amd64']],
    ['two', ['linux/amd64', 'linux/arm64']],
  ] as const) {
    const { root, manifests, blobs } = createSampleImage({ seed, platforms: [...platforms] });
    for (const { bytes } of blobs) bench.registry.putBlob('shop/web', bytes);
    for (const { descriptor, bytes } of manifests)
      bench.registry.putManifest('shop/web', bytes, { mediaType: descriptor.mediaType });
    bench.registry.tag('shop/web', seed, root.descriptor.digest);
    const reference = `${bench.registry.host}/shop/web:${seed}`;
    const refused = await bench.run(['recipe', 'sign', reference, '--key', key]);
    assert.equal(refused.exitCode, 4, refused.stderr);
    const pinned = `${bench.registry.host}/shop/web@${root.descriptor.digest}`;
    assert.match(refused.stderr, /SVC-SIG-003: .* expected a recipe, found a container image/);
    assert.ok(
      refused.stderr.includes(`--use-signing-config=false --tlog-upload=false ${pinned}`),
      refused.stderr,
    );
    const french = await runInLanguage(
      ['recipe', 'sign', reference, '--key', key, '--config', bench.path('svc.yaml')],
      'fr',
    );
    assert.match(french.stderr, /attendu une recette, trouvé une image de conteneur/);
  }
});

test('a registry without the repository says what helps a push', async () => {
  await using bench = await openBench();
  bench.registry.intercept((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"errors":[{"code":"NAME_UNKNOWN","message":"project not found"}]}');
    return true;
  });
  const document = `apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: { name: shop, version: 2.0.0 }\nspec: { ingredients: [{ name: web, kind: ContainerImage, ref: registry.example/web, version: 1.0.0, digest: "${ingredient.digest}" }] }\n`;
  await writeFile(bench.path('shop.yaml'), document);
  const push = ['recipe', 'push', bench.path('shop.yaml'), `${bench.registry.host}/absent/shop:2.0.0`];
  const refused = await bench.run(push);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /SVC-REG-005: \S+\/absent\/shop was not found\./);
  assert.match(refused.stderr, /make the project or repository of \S+\/absent\/shop at the registry/);
  assert.doesNotMatch(refused.stderr, /can pull|received bytes|allow reading/);
});

test('a public key where a private one is wanted, and the reverse, are named for what they are', async () => {
  await using bench = await openBench();
  const { key, pub } = await bench.writeKey();
  await writeFile(bench.path('shop.yaml'), '');
  const push = ['recipe', 'push', bench.path('shop.yaml'), bench.reference];
  for (const [args, code, english, french] of [
    [
      ['recipe', 'sign', bench.reference, '--key', pub],
      'SVC-SGN-001',
      /it is a public key, and a private key is wanted/,
      /c’est une clé publique, et une clé privée est attendue/,
    ],
    [
      [...push, '--sign-key', pub],
      'SVC-SGN-001',
      /it is a public key, and a private/,
      /c’est une clé publique, et/,
    ],
    [
      ['recipe', 'sign', bench.reference, '--key', tlsPair.caFile],
      'SVC-SGN-001',
      /it is a certificate, and/,
      /c’est un certificat, et/,
    ],
    [
      ['trust', 'fingerprint', key],
      'SVC-VAL-001',
      /it is a private key, and a public key is wanted/,
      /c’est une clé privée, et une clé publique est attendue/,
    ],
    [
      ['recipe', 'sign', bench.reference, '--payload', key, '--signature', key, '--key-pub', key],
      'SVC-VAL-001',
      /it is a private key, and/,
      /c’est une clé privée, et/,
    ],
  ] as const) {
    for (const [language, says] of [
      ['en', english],
      ['fr', french],
    ] as const) {
      const refused = await runInLanguage([...args], language, { SVC_CONFIG: bench.path('svc.yaml') });
      assert.equal(refused.exitCode, 1, refused.stderr);
      assert.ok(refused.stderr.includes(code), refused.stderr);
      assert.match(refused.stderr, says);
      // said once: the technical detail repeats nothing
      assert.doesNotMatch(refused.stderr, /Detail|Détail/);
    }
  }
});

test('a signature of another key, of other bytes, or for another recipe is not attached', async () => {
  await using bench = await openBench();
  const { pub, privateKeyPem } = await bench.writeKey();
  const stranger = await bench.writeKey('p256', 'stranger');
  const [payload, signature, changed] = [
    bench.path('payload'),
    bench.path('signature'),
    bench.path('changed'),
  ];
  assert.equal((await bench.sign(['--payload-out', payload])).exitCode, 0);
  const bytes = await readFile(payload);
  await writeFile(signature, sign('sha256', bytes, privateKeyPem));
  const before = bench.registry.count(/^(PUT|POST|PATCH) /);
  const refuses = async (rule: RegExp, file: string, key: string, reference = bench.reference) => {
    const flags = ['--payload', file, '--signature', signature, '--key-pub', key];
    const { exitCode, stderr } = await bench.run(['recipe', 'sign', reference, ...flags]);
    assert.equal(exitCode, 4, stderr);
    assert.match(stderr, /SVC-SGN-002/);
    assert.match(stderr, rule);
  };
  await refuses(/does not verify with this key/, payload, stranger.pub);
  await bench.publish('shop', '2.0.0');
  await refuses(/it signs another subject/, payload, pub, bench.reference.replace('1.0.0', '2.0.0'));
  // every byte of the payload counts
  const text = bytes.toString();
  for (const [from, to, rule] of [
    ['cosign/sign/v1', 'cosign/sigh/v1', /approves nothing/],
    ['in-toto.io/Statement/v1', 'in-toto.io/Statement/v9', /of a known type/],
    ['"predicate":{}', '"predicate":[]', /is not what --payload-out writes/],
    ['DSSEv1', 'DSSEv2', /neither that of a bundle nor SimpleSigning/],
    ['"predicate":{}', '"predicate":{ }', /begins as that of a bundle/],
    ['"subject"', '"sudject"', /another subject/],
  ] as const) {
    assert.ok(text.includes(from), from);
    await writeFile(changed, text.replace(from, to));
    await refuses(rule, changed, pub);
  }
  await writeFile(changed, `${text} `);
  await refuses(/a length does not fit: it was changed/, changed, pub);
  // readers disagree on which of the two counts
  const document = text
    .slice(text.indexOf('{'))
    .replace('"predicateType"', '"predicateType":"x","predicateType"');
  const twice = preAuthEncoding(payloadType, Buffer.from(document));
  await writeFile(changed, twice);
  await writeFile(signature, sign('sha256', twice, privateKeyPem));
  await refuses(/has the member predicateType twice/, changed, pub);
  // members that svc did not write would be published with the approval, under any signature
  const wider = preAuthEncoding(
    payloadType,
    Buffer.from(text.slice(text.indexOf('{')).replace('"predicate":{}', '"predicate":{"note":"x"}')),
  );
  await writeFile(changed, wider);
  await writeFile(signature, sign('sha256', wider, privateKeyPem));
  await refuses(/is not what --payload-out writes/, changed, pub);
  await writeFile(signature, sign('sha256', bytes, privateKeyPem));
  assert.equal(bench.registry.count(/^(PUT|POST|PATCH) /), before);
  const mixed = await bench.sign([
    '--payload',
    payload,
    '--signature',
    signature,
    '--key-pub',
    pub,
    '--layout',
    'classic',
  ]);
  assert.match(mixed.stderr, /SVC-SGN-002.*layout bundle/s);
  // the payload file is new each time: the one that is being signed elsewhere is never replaced
  assert.match((await bench.sign(['--payload-out', payload])).stderr, /SVC-FIL-006/);
  assert.equal(sha256(await readFile(payload)), sha256(bytes));
});

test('what is no recipe of this place is not signed, and a host outside the allowlist is not asked', async () => {
  await using bench = await openBench();
  const { key } = await bench.writeKey();
  const { registry } = bench;
  const shop = registry.manifest('cookbook/shop', '1.0.0')!;
  const document = JSON.parse(shop.bytes.toString());
  const put = (repository: string, tag: string, change: object) => {
    for (const { digest } of [document.config, ...document.layers])
      registry.putBlob(repository, registry.blob('cookbook/shop', digest)!);
    const bytes = Buffer.from(JSON.stringify({ ...document, ...change }));
    registry.putManifest(repository, bytes, { tag, mediaType: document.mediaType });
    return `${registry.host}/${repository}:${tag}`;
  };
  for (const [reference, exitCode, expected] of [
    [
      put('cookbook/image', '1.0.0', { artifactType: 'application/x' }),
      4,
      /SVC-SIG-003.*expected a recipe, found an artifact of another type/s,
    ],
    [put('cookbook/other', '1.0.0', {}), 4, /SVC-SIG-003.*recipe other 1\.0\.0/s],
    [put('cookbook/shop', '9.0.0', {}), 4, /SVC-SIG-003.*recipe shop 9\.0\.0/s],
    [`${registry.host}/cookbook/absent:1.0.0`, 1, /SVC-REG-005/],
    [`${registry.host}/cookbook/shop`, 1, /SVC-REG-001.*tag or a digest/s],
  ] as const) {
    const refused = await bench.run(['recipe', 'sign', reference, '--key', key]);
    assert.equal(refused.exitCode, exitCode, refused.stderr);
    assert.match(refused.stderr, expected);
  }
  assert.equal(registry.count(/^(PUT|POST|PATCH) /), 0);
  await bench.writeConfig({ registries: { insecure: [registry.host], allowlist: ['other.example'] } });
  const asked = registry.requests.length;
  const outside = await bench.sign(['--key', key]);
  assert.equal(outside.exitCode, 3, outside.stderr);
  assert.match(outside.stderr, /SVC-POL-001/);
  assert.equal(registry.requests.length, asked);
});

test('the key comes from --key, else from signing.keyFile with its password file; not from inside the store', async () => {
  await using bench = await openBench();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  await mkdir(bench.path('store'));
  for (const folder of ['.', 'store']) {
    await writeFile(bench.path(`${folder}/own.key`), privateKey.export(options), { mode: 0o600 });
    await writeFile(bench.path(`${folder}/password`), 'secret\n');
  }
  const { host } = bench.registry;
  const configure = (signing: object): Promise<void> =>
    bench.writeConfig({ registries: { insecure: [host] }, storage: { root: './store' }, signing });
  await configure({});
  assert.match((await bench.sign([])).stderr, /no key: use --key, set signing\.keyFile/);
  for (const signing of [
    { keyFile: './store/own.key', passwordFile: './password' },
    { keyFile: './own.key', passwordFile: './store/password' },
  ]) {
    await configure(signing);
    const inside = await bench.sign([]);
    assert.equal(inside.exitCode, 3, inside.stderr);
    assert.match(inside.stderr, /SVC-CFG-002/);
  }
  await configure({ passwordFile: './password' });
  assert.match((await bench.sign([])).stderr, /SVC-CFG-001.*signing\.passwordFile is set without a key/s);
  await configure({ keyFile: './own.key' });
  assert.match((await bench.sign([])).stderr, /SVC-SGN-001.*it is encrypted/s);
  assert.match(
    (await bench.sign([], { SVC_SIGNING_PASSWORD: 'wrong' })).stderr,
    /SVC-SGN-001.*does not open/s,
  );
  // the password file of the configured key is not tried on another key
  await configure({ keyFile: './own.key', passwordFile: './password' });
  assert.match((await bench.sign(['--key', bench.path('own.key')])).stderr, /it is encrypted/);
  const signed = await bench.sign([]);
  assert.equal(signed.exitCode, 0, signed.stderr);
  assert.equal(await bench.accepts(publicKey.export({ type: 'spki', format: 'pem' }) as string), true);
});

test('flags of two ways to sign are a usage error', async () => {
  await using bench = await openBench();
  for (const [args, expected] of [
    [['--key', 'k', '--payload-out', 'p'], /use either a key/],
    [['--payload', 'p', '--signature', 's'], /belong together/],
    [['--payload', 'p', '--signature', 's', '--key-pub', 'k', '--key', 'k'], /use either a key/],
    [['--layout', 'modern', '--key', 'k'], /--layout takes one of bundle, classic/],
  ] as const) {
    const { exitCode, stderr } = await bench.sign(args);
    assert.equal(exitCode, 2, stderr);
    assert.match(stderr, expected);
  }
});

test('push signs at once with --sign-key, and publishes nothing when the key cannot be used', async () => {
  await using bench = await openBench();
  const { key, publicKeyPem, fingerprint } = await bench.writeKey();
  const document = bench.path('shop.yaml');
  const layer = JSON.parse(bench.registry.manifest('cookbook/shop', '1.0.0')!.bytes.toString()).layers[0];
  const text = bench.registry.blob('cookbook/shop', layer.digest)!.toString();
  await writeFile(document, text.replace('version: 1.0.0', 'version: 1.1.0'));
  const push = ['recipe', 'push', document, bench.reference.replace('1.0.0', '1.1.0')];
  const unusable = await bench.run([...push, '--sign-key', bench.path('release.pub')]);
  assert.equal(unusable.exitCode, 1);
  assert.match(unusable.stderr, /SVC-SGN-001/);
  assert.deepEqual(bench.registry.tags('cookbook/shop'), ['1.0.0']);
  assert.match((await bench.run([...push, '--password-stdin'])).stderr, /no key: use --sign-key/);
  const pushed = await bench.run([...push, '--sign-key', key, '--output', 'json']);
  assert.equal(pushed.exitCode, 0, pushed.stderr);
  assertCliDocument('svc recipe push', pushed.stdout);
  const { digest, signed } = JSON.parse(pushed.stdout);
  assert.deepEqual([signed.digest, signed.keyFingerprint], [digest, fingerprint]);
  assert.equal(await bench.accepts(publicKeyPem), true);
});
