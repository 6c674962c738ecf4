import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { type Artifact, buildImage, buildIndex, digestsOf } from '../../kit/content/content.ts';
import type { HttpRepository } from '../../kit/content/push-artifact.ts';
import { createSigner, type Signer } from '../../kit/content/signer.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import type { SvcResult } from '../../kit/program/svc.ts';
import { listHeldAt, pullBytes } from '../../kit/result/held-at.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';

const mib = 1 << 20;
const recipe = (name: string, version: string, repository: string, artifact: Artifact): MediumRecipe => ({
  name,
  version,
  layout: name === 'shop' ? 'bundle' : 'classic',
  ingredients: [
    { name: 'image', kind: 'ContainerImage', ref: `origin.example/${repository}`, tag: version, artifact },
  ],
});

/** Recipes of the first delivery and of the second one, which has a layer of the first in another repository. */
function toRecipes() {
  const old = buildImage('shop 1', { ownLayers: 1, layerSize: mib });
  const base = old.blobs.at(-1)!;
  const web = buildImage('shop 2', { layers: [base], ownLayers: 2, layerSize: 100_000 });
  // larger than a disk
  const large = buildImage('depot', { ownLayers: 1, layerSize: 3 * mib });
  const worker = buildIndex('yard', ['linux/amd64', 'linux/arm64'], {
    layers: [base],
    ownLayers: 1,
    layerSize: 200_000,
  });
  return {
    before: [recipe('shop', '1.0.0', 'old/shop', old)],
    after: [
      recipe('shop', '2.0.0', 'shop/web', web),
      recipe('depot', '2.0.0', 'depot/archive', large),
      recipe('yard', '2.0.0', 'yard/worker', worker),
    ],
    base: base.descriptor,
  };
}

/** A zone as its operators configure it. */
export interface Zone {
  import(...folders: readonly string[]): Promise<SvcResult>;
  /** `svc media status`. */
  status(): Promise<SvcResult>;
  /** Recipes of a receipt for which every blob was read and hashed, by their states. */
  survey(): Promise<Readonly<Record<'present' | 'incomplete' | 'blocked', number>>>;
}

/** A sender with signed recipes, its first delivery on one disk, and its second one on three. */
export interface BaseAndParts extends AsyncDisposable {
  readonly folder: string;
  readonly signer: Signer;
  /** The disk of the first delivery. */
  readonly first: string;
  /** The three disks of the second delivery: a layer is at the base, another is cut over the disks. */
  readonly parts: readonly string[];
  /** The layer that the zone has from the first delivery. */
  readonly base: { readonly digest: Digest; readonly size: number };
  /** @param host the registry of the zone, over plain HTTP */
  configureZone(name: string, host: string): Promise<Zone>;
  /** Requires that a registry has every byte of the second delivery, and the recipes with their signatures. */
  requireWhole(at: Omit<HttpRepository, 'repository'>): Promise<void>;
  /** `<repository>@<digest>` of the recipes of the second delivery, with the layouts of their signatures. */
  readonly recipes: readonly { readonly reference: string; readonly layout: 'bundle' | 'classic' }[];
}

const json = ['--output', 'json'];

/** Runs the commands of a sender and of a zone: a first delivery, a receipt, and three disks for what it lacks. */
export async function openBaseAndParts(): Promise<BaseAndParts> {
  const { before, after, base } = toRecipes();
  const medium = await buildMedium({ recipes: [...before, ...after] });
  const at = (...names: string[]): string => join(medium.folder, ...names);
  const [source, zoneKey] = [createSigner(), createSigner()];
  for (const [name, { privateKeyPem, publicKeyPem }] of Object.entries({ source, zone: zoneKey })) {
    await writeFile(at(`${name}.key`), privateKeyPem, { mode: 0o600 });
    await writeFile(at(`${name}.pub`), publicKeyPem);
  }
  const trust = { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] };
  const configure = async (name: string, settings: object): Promise<string> => {
    await writeFile(at(`${name}.yaml`), stringify({ mode: 'mirror', trust, ...settings }));
    return at(`${name}.yaml`);
  };
  const succeed = async (...args: string[]): Promise<SvcResult> => {
    const result = await runCommand(args);
    assert.equal(result.exitCode, 0, `${args.join(' ')}: ${result.stderr}${result.stdout}`);
    return result;
  };
  const configureZone: BaseAndParts['configureZone'] = async (name, host) => {
    const config = await configure(name, {
      zone: 'zone-b',
      state: { root: at(`${name}-state`) },
      registries: { insecure: [host] },
      destination: { registry: host },
      signing: { keyFile: at('zone.key') },
      peers: [{ name: 'source', keyFile: at('source.pub'), for: ['passport'] }],
      media: { requirePassport: true },
    });
    const run = (...args: string[]) => runCommand([...args, '--config', config]);
    return {
      import: (...folders) => run('media', 'import', ...folders, ...json),
      status: () => run('media', 'status', ...json),
      survey: async () => {
        const out = at(`${name}-receipt.json`);
        const result = await run('receipt', 'write', '--deep', '--out', out, ...json);
        return JSON.parse(result.stdout).receipt.recipes;
      },
    };
  };
  const sender = await configure('sender', {
    storage: { root: medium.root },
    state: { root: at('maker') },
    peers: [{ name: 'zone-b', keyFile: at('zone.pub'), for: ['receipt'] }],
  });
  const write = async (folder: string, ...flags: string[]): Promise<MediumWriting> => {
    const common = ['--zone', 'zone-b', '--config', sender, '--sign-key', at('source.key'), ...json];
    return JSON.parse((await succeed('media', 'write', folder, ...common, ...flags)).stdout);
  };
  const first = at('first');
  await write(first, '--recipe', 'shop@1.0.0', '--base', 'none');
  {
    await using double = await createRegistryDouble();
    const zone = await configureZone('asked', double.host);
    assert.equal((await zone.import(first)).exitCode, 0);
    await succeed('receipt', 'add', join(first, '_svc/receipts/zone-b.sigstore.json'), '--config', sender);
  }
  const chosen = after.flatMap(({ name, version }) => ['--recipe', `${name}@${version}`]);
  const { delivery, volumes } = await write(at('discs'), '--volume-size', '1.8MB', ...chosen);
  const parts = volumes.map(({ path }) => path);
  assert.equal(parts.length, 3);
  assert.equal(delivery.base?.zone, 'zone-b');
  for (const part of parts) {
    const absent = await readFile(join(part, 'absent.jsonl'), 'utf8');
    assert.match(absent, new RegExp(`"${base.digest}","size":${base.size},"at":"base"`));
  }
  const cut = parts.filter((part) => readdirSync(part).includes('segments'));
  assert.ok(cut.length >= 2, `${cut.length} disks have segments`);
  const records = medium.records.filter(({ version }) => version === '2.0.0');
  return {
    folder: medium.folder,
    signer: medium.signer,
    first,
    parts,
    base,
    configureZone,
    recipes: records.map(({ name, digest }) => ({
      reference: `cookbook/${name}@${digest}`,
      layout: after.find((one) => one.name === name)!.layout,
    })),
    requireWhole: async (registry) => {
      for (const { ingredients } of after)
        for (const { ref, artifact, tag } of ingredients) {
          const place = { ...registry, repository: ref };
          assert.deepEqual(await listHeldAt(place, artifact), [...digestsOf(artifact)].sort(), ref);
          assert.deepEqual(await pullBytes(place, 'manifests', tag), artifact.manifest.bytes);
        }
      for (const { name, version, digest, documentDigest } of records) {
        const place = { ...registry, repository: `cookbook/${name}` };
        assert.equal(hashBytes((await pullBytes(place, 'manifests', version))!), digest);
        assert.equal(hashBytes((await pullBytes(place, 'blobs', documentDigest))!), documentDigest);
      }
    },
    [Symbol.asyncDispose]: () => medium[Symbol.asyncDispose](),
  };
}
