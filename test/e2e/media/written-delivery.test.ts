import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumWriting } from '../../../src/contract/write-medium.ts';
import { recordBytes } from '../../../src/engine/delivery/partition.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { createRegistryDouble, type RegistryDouble } from '../../kit/result/registry-double.ts';
import { decideFor } from '../../kit/scene/delivery.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../../kit/scene/medium.ts';
import { writePartOf } from '../../kit/scene/write-part-of.ts';

const run = async (args: readonly string[], exitCode = 0): Promise<any> => {
  const result = await runSvc([...args, '--output', 'json']);
  assert.equal(
    result.exitCode,
    exitCode,
    `${args.join(' ')}\n${result.stderr}\n${result.stdout.slice(0, 2000)}`,
  );
  return result.stdout === '' ? undefined : JSON.parse(result.stdout);
};

/** The configurations of both sides: the zone signs receipts, and the source believes them. */
async function configure(medium: BuiltMedium, registry: RegistryDouble) {
  const { folder, signer } = medium;
  const zone = createSigner();
  const key = join(folder, 'zone-b.key');
  await writeFile(key, zone.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(join(folder, 'zone-b.pub'), zone.publicKeyPem);
  const trust = { roots: [{ name: 'release', key: signer.publicKeyPem }] };
  const source = join(folder, 'source.json');
  const peers = [{ name: 'zone-b', keyFile: join(folder, 'zone-b.pub'), for: ['receipt'] }];
  const store = { storage: { root: medium.root }, state: { root: join(folder, 'maker') } };
  await writeFile(source, JSON.stringify({ mode: 'mirror', ...store, trust, peers }));
  const receiver = join(folder, 'zone.json');
  const settings = {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: join(folder, 'carried') },
    state: { root: join(folder, 'zone-state') },
    destination: { registry: registry.host },
    registries: { insecure: [registry.host] },
    signing: { keyFile: key },
    trust,
  };
  await writeFile(receiver, JSON.stringify(settings));
  return { source, receiver };
}

test('the second delivery brings what the receipt of the first does not name, and the zone is complete', async () => {
  await using medium = await buildMedium();
  await using registry = await createRegistryDouble();
  const { source, receiver } = await configure(medium, registry);
  const at = (name: string): string => join(medium.folder, name);
  const write = (name: string, ...flags: string[]): Promise<MediumWriting> =>
    run(['media', 'write', at(name), '--zone', 'zone-b', '--config', source, ...flags]);
  await write('first', '--recipe', 'shop');
  await run(['media', 'import', at('first'), '--config', receiver]);
  const receipt = join(at('first'), '_svc', 'receipts', 'zone-b.sigstore.json');
  await run(['receipt', 'add', receipt, '--config', source]);
  const second = await write('second');
  assert.equal(second.delivery.base?.sequence, 1);
  assert.ok(second.totals.absentBytes > 0);
  const { task } = await run(['media', 'import', at('second'), '--config', receiver]);
  assert.equal(task.status, 'done');
  for (const { name, version } of medium.records)
    assert.ok(task.verification.recipes.some((one: any) => one.name === name && one.version === version));
  // the registry has everything: a whole delivery moves nothing new
  const whole = await write('whole', '--base', 'none');
  assert.equal(whole.totals.absentBytes, 0);
  await run(['media', 'import', at('whole'), '--config', receiver]);
});

test('blobs that were cut, on one disk and over several, arrive whole', async () => {
  const [shop] = defaultRecipes();
  const artifact = buildImage('large', { ownLayers: 1, layerSize: 3 << 20 });
  await using medium = await buildMedium({
    recipes: [{ ...shop!, ingredients: [{ ...shop!.ingredients[0]!, artifact }] }],
  });
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const { content } = await decideFor(store);
  const files = { always: content.always.size, blobs: content.blobs.size };
  const taken = [...content.always.values()].reduce((a, b) => a + b, recordBytes(files));
  for (const [name, supply] of [
    ['fat', { given: [{ bytes: 2 ** 40, maxFileBytes: 1 << 20 }] }],
    ['discs', { each: { bytes: taken + 1_500_000 }, most: 9 }],
  ] as const) {
    await using registry = await createRegistryDouble();
    const { receiver } = await configure(medium, registry);
    const delivery = await decideFor(store, { supply });
    assert.ok(
      delivery.parts.some(({ segments }) => segments.length > 0),
      name,
    );
    const folders = delivery.parts.map((_, i) => join(medium.folder, `${name}-${i + 1}`));
    for (const [i, path] of folders.entries()) await writePartOf(store, delivery, path, i + 1);
    for (const path of folders) assert.ok((await readdir(path)).includes('segments') || name === 'discs');
    for (const path of folders) await run(['media', 'import', path, '--config', receiver]);
    const list = await run(['media', 'status', '--config', receiver]);
    for (const one of list.deliveries) assert.equal(one.complete, true, JSON.stringify(one));
  }
});
