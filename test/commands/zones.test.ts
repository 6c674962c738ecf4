import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { toSubject, toZoneFile, writeReceipt } from '../../src/attest/receipt.ts';
import { hashBytes } from '../../src/base/digest.ts';
import { toSigner } from '../../src/signing/signer.ts';
import { openSent } from '../../src/zone/sent.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { toReceipt } from '../kit/content/receipt.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runInLanguage } from '../kit/program/run-command.ts';
import { assertCliDocument } from '../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../kit/result/registry-double.ts';

/** A source whose cookbook has one recipe, which two zones want; the Retriever of a third one is absent. */
async function openSource(t: TestContext) {
  const registry = await createRegistryDouble();
  t.after(() => registry.close());
  const folder = await openTempFolder('svc-zones-');
  t.after(() => folder[Symbol.asyncDispose]());
  const path = (name: string): string => join(folder.path, name);
  const [release, zoneKey] = [createSigner(), createSigner()];
  const { descriptor } = await publishRecipe(toOrigin(registry), {
    name: 'shop',
    version: '1.4.0',
    ingredients: [{ name: 'web', repository: 'shop/web', version: '1.4.0', digest: hashBytes('web') }],
    signatures: [{ signer: release }],
  });
  for (const zone of ['zone-b', 'zone-c'])
    await writeFile(
      path(`${zone}.yaml`),
      `apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata: {name: ${zone}}
spec:
  cookbook: ${registry.host}/cookbook
  recipes: [{name: shop, version: ^1.0.0}]
`,
    );
  await writeFile(path('zone-b.pub'), zoneKey.publicKeyPem);
  const config = {
    state: { root: path('state') },
    registries: { insecure: [registry.host] },
    trust: { roots: [{ name: 'release', key: release.publicKeyPem }] },
    peers: [{ name: 'zone-b', keyFile: path('zone-b.pub'), for: ['receipt'] }],
    zones: ['zone-b', 'zone-c', 'zone-d'].map((name) => ({ name, retriever: path(`${name}.yaml`) })),
  };
  await writeFile(path('svc.yaml'), JSON.stringify(config));
  const run = (args: readonly string[], language: 'en' | 'fr' = 'en') =>
    runInLanguage([...args, '--config', path('svc.yaml')], language, {});
  const show = async (...zone: string[]) => {
    const { exitCode, stdout, stderr } = await run(['zones', ...zone, '--output', 'json']);
    assertCliDocument('svc zones', stdout);
    return { exitCode, stderr, zones: JSON.parse(stdout).zones as any[] };
  };
  const stated = async (members: Parameters<typeof toReceipt>[0]) => {
    const receipt = toReceipt({ issuedAt: new Date().toISOString(), ...members });
    const file = path(`${receipt.sequence}-${receipt.recipes.length}.sigstore.json`);
    const subject = toSubject(toZoneFile(receipt.zone));
    await writeFile(file, writeReceipt(receipt, [subject], toSigner(zoneKey.privateKey)));
    return run(['receipt', 'add', file]);
  };
  const present = [
    {
      name: 'shop',
      version: '1.4.0',
      digest: descriptor.digest as `sha256:${string}`,
      state: 'present' as const,
    },
  ];
  return { run, show, stated, present, registry, state: path('state') };
}

test('zones are shown with the recipes that they want and have, and the exit code says whether all is there', async (t) => {
  const { run, show, stated, present, registry } = await openSource(t);
  assert.equal((await stated({ sequence: 1, recipes: present })).exitCode, 0);
  const all = await show();
  assert.equal(all.exitCode, 5, all.stderr);
  assert.deepEqual(
    all.zones.map(({ name, wanted, receipt, recipes }) => [
      name,
      wanted.state,
      wanted.code,
      receipt?.sequence,
      recipes.map(({ wanted: version, present: has, state }: any) => [version, has, state]),
    ]),
    [
      ['zone-b', 'resolved', undefined, 1, [['1.4.0', '1.4.0', 'current']]],
      ['zone-c', 'resolved', undefined, undefined, [['1.4.0', undefined, 'unknown']]],
      ['zone-d', 'unresolved', 'SVC-REG-005', undefined, []],
    ],
  );
  assert.match(
    all.stderr,
    /warning: the Retriever of zone-d cannot be resolved.*svc\s+explain\s+SVC-REG-005/s,
  );
  const sorted = await run(['zones', '--sort', 'name', '--order', 'desc']);
  assert.match(sorted.stdout, /^zone-d [\s\S]*^zone-c [\s\S]*^zone-b /m);
  assert.match((await run(['zones', '--sort', 'recipes'])).stdout, /^zone-c [\s\S]*^zone-b [\s\S]*^zone-d /m);
  const resolved = await show('zone-b');
  assert.equal(resolved.exitCode, 0);
  assert.doesNotMatch(resolved.stderr, /warning/);
  const unknown = await run(['zones', 'zone-e']);
  assert.equal(unknown.exitCode, 1);
  assert.match(unknown.stderr, /SVC-REG-005: zone-e was not found/);
  assert.match(unknown.stderr, /The configuration has no zone of this name/);
  await registry.close();
  const unreachable = await show('zone-b');
  assert.equal(unreachable.exitCode, 5);
  const [{ wanted, recipes }] = unreachable.zones;
  assert.equal(wanted.state, 'unresolved');
  assert.deepEqual(
    recipes.map(({ name, requested, present: has, state, code }: any) => [name, requested, has, state, code]),
    [['shop', '^1.0.0', '1.4.0', 'unknown', 'SVC-REG-002']],
  );
});

test('of two receipts with one number none is believed, until a later one is added', async (t) => {
  const { run, show, stated, present } = await openSource(t);
  await stated({ sequence: 1, recipes: present });
  assert.match((await stated({ sequence: 1, recipes: [] })).stderr, /SVC-RCP-003/);
  const { exitCode, zones } = await show('zone-b');
  assert.equal(exitCode, 5);
  assert.equal(zones[0].receipt.fork.sequence, 1);
  assert.deepEqual([zones[0].recipes[0].state, zones[0].recipes[0].code], ['unknown', 'SVC-RCP-003']);
  const { stdout } = await run(['zones'], 'fr');
  assert.match(stdout, /deux reçus portent le numéro 1 \(SVC-RCP-003\)/);
  assert.equal((await stated({ sequence: 3, recipes: present })).exitCode, 0);
  assert.equal((await show('zone-b')).exitCode, 0);
});

test('zones are shown to people in both languages', async (t) => {
  const { run, stated, present } = await openSource(t);
  await stated({ sequence: 7, issuedAt: '2026-01-02T03:04:05.000Z', recipes: present });
  const { stdout } = await run(['zones']);
  assert.match(
    stdout,
    /^zone-b +1 current +7, of 2 Jan 2026, 03:04:05 UTC, overdue +– +resolved on .* UTC$/m,
  );
  assert.match(stdout, /^zone-c +1 unknown, 0 current +none +– +resolved on .* UTC$/m);
  // each key of the order has its column
  assert.match(stdout, /^ZONE +RECIPES +RECEIPT +DELIVERIES ON THEIR WAY +RETRIEVER$/m);
  const one = await run(['zones', 'zone-b'], 'fr');
  assert.match(one.stdout, /^reçu +7, du .*, en retard$/m);
  assert.match(one.stdout, /^shop +1\.4\.0 +1\.4\.0 +à jour$/m);
});

test('a delivery that was written and not proved stands beside those on their way, in the list and at its zone', async (t) => {
  const { run, state } = await openSource(t);
  const id = 'dlv_00000000000c';
  const written = [{ part: 1, manifest: hashBytes('disk'), unproved: true }];
  const startedAt = '2026-01-02T03:04:05.000Z';
  await openSent(state).keepDelivery({
    ...{ id, zone: 'zone-c', sequence: 1, startedAt, recipes: [hashBytes('shop')], parts: 1, written },
  });
  assert.match((await run(['zones'])).stdout, /^zone-c .* dlv_00000000000c, 1 disk, since .*, not proved /m);
  assert.match((await run(['zones'], 'fr')).stdout, /dlv_00000000000c, 1 disque, .*, sans preuve /);
  assert.match((await run(['zones', 'zone-c'])).stdout, /^not proved +dlv_00000000000c, 1 disk, since /m);
});

test('a delivery whose writing broke off stands in the list and at its zone', async (t) => {
  const { run, state } = await openSource(t);
  const id = 'dlv_00000000000d';
  const startedAt = '2026-01-02T03:04:05.000Z';
  const cut = { sequence: 1, startedAt, recipes: [hashBytes('shop')], parts: 2, written: [] };
  await openSent(state).keepDelivery({ id, zone: 'zone-c', ...cut });
  assert.match((await run(['zones'])).stdout, /dlv_00000000000d, 2 disks, .*, not written whole /);
  assert.match((await run(['zones'], 'fr')).stdout, /dlv_00000000000d, 2 disques, .*, écriture inachevée /);
  assert.match((await run(['zones', 'zone-c'])).stdout, /^not written whole +dlv_00000000000d, 2 disks, /m);
});

test('zones that contradict the configuration are refused, each with its setting', async () => {
  await using folder = await openTempFolder('svc-zones-');
  const file = join(folder.path, 'svc.yaml');
  const zone = { name: 'zone-b', retriever: '/etc/svc/zone-b.yaml' };
  for (const [zones, expected] of [
    [[zone, zone], /zones\[1\]\.name is also the name of another zone/],
    [[{ ...zone, name: 'Zone B' }], /zones\[0\]\.name must be the name of a Retriever/],
    [[{ ...zone, retriever: 'zone-b.yaml' }], /zones\[0\]\.retriever must be/],
    [[{ ...zone, maxAge: '0s' }], /zones\[0\]\.maxAge must be more than 0/],
    [[{ ...zone, peer: 'zone-b' }], /zones\[0\]\.peer is not the name of a peer with receipt/],
    [
      Array.from({ length: 1001 }, (_, i) => ({ ...zone, name: `zone-${i}` })),
      /zones must have at most 1000 items/,
    ],
  ] as const) {
    await writeFile(file, JSON.stringify({ state: { root: join(folder.path, 'state') }, zones }));
    const { exitCode, stderr } = await runInLanguage(['zones', '--config', file], 'en');
    assert.equal(exitCode, 1);
    assert.match(stderr.replaceAll(/\s+/g, ' '), expected);
  }
});
