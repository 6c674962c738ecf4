import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSigner } from '../../kit/content/signer.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { assertCliDocument } from '../../kit/result/cli-schema.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { openSparseZone } from '../../kit/scene/sparse-zone.ts';

type Scene = Pick<Awaited<ReturnType<typeof openSparseZone>>, 'medium' | 'state'>;

/** The configuration of a source with the store of a scene, and the last receipt of a zone. */
async function openSource(scene: Scene, zone: Scene = scene) {
  const at = (name: string): string => join(scene.medium.folder, name);
  const key = createPublicKey(await readFile(join(zone.medium.folder, 'zone.key')));
  await writeFile(at('zone.pub'), key.export({ type: 'spki', format: 'pem' }));
  await writeFile(
    at('source.json'),
    JSON.stringify({
      mode: 'mirror',
      storage: { root: scene.medium.root },
      state: { root: at('source') },
      trust: { roots: [{ name: 'release', key: scene.medium.signer.publicKeyPem }] },
      peers: [{ name: 'zone-b', keyFile: at('zone.pub'), for: ['receipt'] }],
    }),
  );
  const receipt = join(zone.state, 'receipts/own/zone-b.sigstore.json');
  const config = ['--config', at('source.json')];
  const write = ['media', 'write', at('disk'), '--zone', 'zone-b', '--base', receipt, ...config];
  return { at, receipt, config, write };
}

/** The plan of a delivery from the store of a scene, on the base of the last receipt of a zone. */
async function plan(scene: Scene, zone: Scene = scene) {
  const { write } = await openSource(scene, zone);
  const text = await runCommand([...write, '--dry-run']);
  const json = await runCommand([...write, '--dry-run', '--output', 'json']);
  for (const one of [text, json]) assert.equal(one.exitCode, 5, one.stderr + one.stdout);
  assertCliDocument('svc media write', json.stdout);
  return { text: text.stdout, recipes: JSON.parse(json.stdout).recipes };
}

test('the plan for a registry that refused a sparse index names the recipes that it would refuse again', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host);
  await scene.import();
  const { text, recipes } = await plan(scene);
  const [{ name, refusal }] = recipes;
  assert.equal(refusal.code, 'SVC-DST-002');
  assert.match(
    text,
    new RegExp(`warning: it would not land: ${name}@1\\.0\\.0: The destination refuses .*: linux/arm64\\.`),
  );
  double.options = { ...double.options, sparse: true };
  await scene.import();
  const accepted = await plan(scene);
  assert.doesNotMatch(accepted.text, /warning/);
  assert.equal(accepted.recipes[0].refusal, undefined);
});

test('a registry that refused a sparse index takes recipes that bring all of its platforms together', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host, ['linux/amd64', 'linux/arm64']);
  assert.deepEqual(await scene.import(), [undefined, 'refused']);
  await using other = await createRegistryDouble({ sparse: false });
  // another registry, which has nothing yet
  await using empty = await openSparseZone(other.host, ['linux/amd64'], { repository: 'other' });
  await empty.import();
  const { recipes } = await plan(scene, empty);
  assert.deepEqual(
    recipes.map(({ refusal }: { refusal?: unknown }) => refusal),
    [undefined, undefined],
  );
});

test('a delivery that the registry of the zone refused, and would refuse again, is not proved and gets no passport', async () => {
  await using double = await createRegistryDouble({ sparse: false });
  await using scene = await openSparseZone(double.host);
  await scene.import();
  const { at, receipt, config, write } = await openSource(scene);
  await writeFile(at('source.key'), createSigner().privateKeyPem, { mode: 0o600 });
  const sign = ['--sign-key', at('source.key')];
  const written = await runCommand([...write, ...sign, '--output', 'json']);
  assert.equal(written.exitCode, 4, written.stderr + written.stdout);
  assertCliDocument('svc media write', written.stdout);
  const { proof, recipes, volumes } = JSON.parse(written.stdout);
  assert.deepEqual([proof.ok, recipes[0].refusal.code, volumes[0].passport], [false, 'SVC-DST-002', false]);
  assert.equal(existsSync(join(at('disk'), '_svc/passport.sigstore.json')), false);
  const again = await runCommand([...write, ...sign]);
  assert.match(again.stdout, /not proved.*\nwithout a passport: part 1\n$/);
  assert.doesNotMatch(again.stdout, /every recipe would land/);
  const proved = await runCommand(['media', 'prove', at('disk'), '--against', receipt, ...config]);
  assert.deepEqual([proved.exitCode, /SVC-DST-002/.test(proved.stdout)], [4, true], proved.stdout);
});
