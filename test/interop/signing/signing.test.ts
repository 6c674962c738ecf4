import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openCosign } from '../../kit/content/cosign.ts';
import { toRecipeDocument } from '../../kit/content/origin.ts';
import { createSigner, type KeyType, type SignatureLayout } from '../../kit/content/signer.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { type ClientHome, openClientHome } from '../../kit/program/client-home.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import type { SvcResult } from '../../kit/program/svc.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { openRehearsal, type Rehearsal } from '../../kit/scene/rehearsal.ts';

const layouts = ['bundle', 'classic'] as const;
const digest = `sha256:${'0'.repeat(64)}`;

/** A recipe published in a registry, and the tools that sign and verify it. */
interface Bench {
  readonly world: Rehearsal;
  readonly home: ClientHome;
  /** `<host>/cookbook`. */
  readonly cookbook: string;
  readonly config: string;
  /** Publishes a recipe of this name. @returns its reference by digest */
  publish(name: string, ...flags: readonly string[]): Promise<string>;
  sign(reference: string, ...flags: readonly string[]): Promise<SvcResult>;
  /** Whether cosign accepts a signature of this layout by this key. */
  verifies(reference: string, keyFile: string, layout: SignatureLayout): Promise<boolean>;
}

async function openBench(world: Rehearsal, cosign: string, host: string): Promise<Bench> {
  const home = await openClientHome(world.folder, `home-${host.replace(':', '-')}`);
  const config = await world.configure(`config-${host.replace(':', '-')}`, {
    registries: await world.registries([host]),
  });
  const cookbook = `${host}/cookbook`;
  const publish: Bench['publish'] = async (name, ...flags) => {
    const file = world.path(`${name}.yaml`);
    const ingredient = { name: 'web', repository: 'shop/web', version: '1.0.0', digest };
    await writeFile(file, toRecipeDocument(host, { name, version: '1.0.0', ingredients: [ingredient] }));
    const reference = `${cookbook}/${name}:1.0.0`;
    const pushed = await world.svc(['recipe', 'push', file, reference, '--config', config, ...flags]);
    assert.equal(pushed.exitCode, 0, pushed.stderr);
    return `${cookbook}/${name}@${pushed.stdout.trim()}`;
  };
  return {
    world,
    home,
    cookbook,
    config,
    publish,
    sign: (reference, ...flags) => world.svc(['recipe', 'sign', reference, '--config', config, ...flags]),
    verifies: async (reference, keyFile, layout) => {
      const { exitCode } = await home.try(cosign, [
        'verify',
        '--key',
        keyFile,
        '--insecure-ignore-tlog',
        '--allow-http-registry',
        `--new-bundle-format=${layout === 'bundle'}`,
        reference,
      ]);
      return exitCode === 0;
    },
  };
}

/** Writes a key pair for both programs. */
async function writeKeys(world: Rehearsal, type: KeyType, name: string = type) {
  const { privateKeyPem, publicKeyPem, fingerprint } = createSigner(type);
  const [key, pub] = [world.path(`${name}.key`), world.path(`${name}.pub`)];
  await writeFile(key, privateKeyPem, { mode: 0o600 });
  await writeFile(pub, publicKeyPem);
  return { key, pub, publicKeyPem, fingerprint };
}

test('what we sign, cosign verifies: every kind of key, in both layouts, without a referrers API', async (t) => {
  const cosign = needs(t, 'cosign');
  const distribution = cosign && needs(t, 'registry');
  if (cosign === undefined || distribution === undefined) return;
  await using world = await openRehearsal({ inProcess: true });
  await using registry = await startPeerRegistry({ program: distribution, folder: world.path('registry') });
  const bench = await openBench(world, cosign, registry.host);
  const { pub: stranger } = await writeKeys(world, 'p256', 'stranger');
  for (const type of ['p256', 'p384', 'p521', 'rsa', 'ed25519'] as const) {
    const { key, pub, fingerprint } = await writeKeys(world, type);
    const reference = await bench.publish(type, '--sign-key', key);
    assert.equal(await bench.verifies(reference, pub, 'bundle'), true, type);
    assert.equal(await bench.verifies(reference, pub, 'classic'), false, type);
    const flags = ['--key', key, '--layout', 'classic', '--output', 'json'];
    const signed = await bench.sign(reference, ...flags);
    assert.equal(signed.exitCode, 0, signed.stderr);
    assertCliDocument('svc recipe sign', signed.stdout);
    const { keyFingerprint, unchanged, layout, ingredients } = JSON.parse(signed.stdout);
    assert.deepEqual([keyFingerprint, unchanged, layout, ingredients], [fingerprint, false, 'classic', 1]);
    assert.equal(await bench.verifies(reference, pub, 'classic'), true, type);
    for (const each of type === 'p256' ? layouts : [])
      assert.equal(await bench.verifies(reference, stranger, each), false);
  }
});

test('signatures of cosign and ours stand side by side, and neither displaces the other', async (t) => {
  const cosign = needs(t, 'cosign');
  const distribution = cosign && needs(t, 'registry');
  if (cosign === undefined || distribution === undefined) return;
  await using world = await openRehearsal({ inProcess: true });
  const own = await world.start('own');
  await using peer = await startPeerRegistry({ program: distribution, folder: world.path('registry') });
  const { key, pub } = await writeKeys(world, 'p256', 'ours');
  for (const host of [own.host, peer.host]) {
    const bench = await openBench(world, cosign, host);
    if (host === own.host)
      await bench.home.run(cosign, ['login', host, '-u', 'admin', '--password-stdin'], {
        input: adminPassword,
      });
    const theirs = await openCosign(cosign, bench.home, 'theirs');
    const theirKey = { key: `${bench.home.path}/theirs.key`, pub: `${bench.home.path}/theirs.pub` };
    const reference = await bench.publish('shop');
    for (const layout of layouts) {
      await theirs.sign(reference, layout);
      const flags = ['--layout', layout, '--output', 'json'];
      const signed = await bench.sign(reference, '--key', key, ...flags);
      assert.equal(signed.exitCode, 0, signed.stderr);
      assert.equal(await bench.verifies(reference, theirKey.pub, layout), true, `${host} ${layout}`);
      assert.equal(await bench.verifies(reference, pub, layout), true, `${host} ${layout}`);
      // ours reads the key and the signature of cosign; nothing is written again
      const again = await bench.sign(reference, '--key', theirKey.key, ...flags);
      assert.equal(again.exitCode, 0, again.stderr);
      assert.equal(JSON.parse(again.stdout).unchanged, true);
    }
  }
});

test('what cosign attests of a recipe approves nothing, hides no signature, and approves where a root says so', async (t) => {
  const cosign = needs(t, 'cosign');
  const distribution = cosign && needs(t, 'registry');
  if (cosign === undefined || distribution === undefined) return;
  await using world = await openRehearsal({ inProcess: true });
  await using registry = await startPeerRegistry({ program: distribution, folder: world.path('registry') });
  const bench = await openBench(world, cosign, registry.host);
  const { publicKey } = await openCosign(cosign, bench.home, 'release');
  const [key, predicate] = [`${bench.home.path}/release.key`, world.path('predicate.json')];
  await writeFile(predicate, '{"builder":{"id":"a pipeline"}}');
  const reference = await bench.publish('shop');
  const type = 'https://example.com/scanned/v1';
  const flags = ['--key', key, '--predicate', predicate, '--type', type, '--yes'];
  const offline = ['--use-signing-config=false', '--tlog-upload=false', '--allow-http-registry'];
  await bench.home.run(cosign, ['attest', ...flags, ...offline, reference], { env: { COSIGN_PASSWORD: '' } });

  const retriever = await world.retriever('zone', {
    cookbook: bench.cookbook,
    recipes: [{ name: 'shop', version: '*' }],
  });
  const resolve = async (root: object) => {
    const config = await world.configure('zone-config', {
      registries: await world.registries([registry.host]),
      trust: { roots: [{ name: 'release', key: publicKey, ...root }] },
    });
    const { exitCode, stdout } = await world.svc([
      ...['retriever', 'resolve', retriever, '--config', config, '--output', 'json'],
    ]);
    return { exitCode, recipe: JSON.parse(stdout).recipes[0] };
  };
  const attested = await resolve({});
  assert.equal(attested.exitCode, 4);
  assert.equal(attested.recipe.problem.params.reason, 'none');
  assert.deepEqual(attested.recipe.problem.params.attested, [type]);
  assert.match(
    attested.recipe.problem.detail,
    /an attestation of type .*scanned\/v1, which approves nothing/,
  );
  assert.equal((await resolve({ predicates: [type] })).recipe.signature, 'verified');
  // cosign signs for us with the empty password of its key
  assert.equal((await bench.sign(reference, '--key', key)).exitCode, 0);
  assert.equal((await resolve({})).recipe.signature, 'verified');
});
