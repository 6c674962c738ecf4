import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type ClientHome, openClientHome } from '../kit/client-home.ts';
import { toRecipeDocument } from '../kit/origin.ts';
import { startPeerRegistry } from '../kit/peer-registry.ts';
import { needs } from '../kit/peers.ts';
import { openRehearsal, type Rehearsal } from '../kit/rehearsal.ts';
import { createSigner, type KeyType, type SignatureLayout } from '../kit/signer.ts';
import type { SvcResult } from '../kit/svc.ts';

const layouts = ['bundle', 'classic'] as const;
const digest = `sha256:${'0'.repeat(64)}`;

/** A recipe published in a registry, and what signs and verifies it. */
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
      const { exitCode, stderr } = await home.try(cosign, [
        'verify',
        '--key',
        keyFile,
        '--insecure-ignore-tlog',
        '--allow-http-registry',
        `--new-bundle-format=${layout === 'bundle'}`,
        reference,
      ]);
      if (exitCode !== 0) console.error(stderr);
      return exitCode === 0;
    },
  };
}

test('what we sign, cosign verifies: every kind of key, in both layouts, without a referrers API', async (t) => {
  const cosign = needs(t, 'cosign');
  const distribution = cosign && needs(t, 'registry');
  if (cosign === undefined || distribution === undefined) return;
  await using world = await openRehearsal();
  await using registry = await startPeerRegistry({ program: distribution, folder: world.path('registry') });
  const bench = await openBench(world, cosign, registry.host);
  const types: readonly KeyType[] = ['p384', 'p521'];
  for (const type of types) {
    const { privateKeyPem, publicKeyPem, fingerprint } = createSigner(type);
    const key = world.path(`${type}.key`);
    const pub = world.path(`${type}.pub`);
    await writeFile(key, privateKeyPem, { mode: 0o600 });
    await writeFile(pub, publicKeyPem);
    const reference = await bench.publish(type);
    for (const layout of layouts) {
      const signed = await bench.sign(reference, '--key', key, '--layout', layout, '--output', 'json');
      assert.equal(signed.exitCode, 0, signed.stderr);
      console.log(type, layout, await bench.verifies(reference, pub, layout));
      assert.equal(JSON.parse(signed.stdout).keyFingerprint, fingerprint);
    }
  }
});
