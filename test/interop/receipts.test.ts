import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readReceipt } from '../../src/attest/receipt.ts';
import { createSigner } from '../kit/content/signer.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { openClientHome } from '../kit/program/client-home.ts';
import { startPeerRegistry } from '../kit/program/peer-registry.ts';
import { needs } from '../kit/program/peers.ts';
import { runInLanguage } from '../kit/program/run-command.ts';
import { importCarried } from '../kit/scene/import-carried.ts';
import { buildMedium, defaultRecipes } from '../kit/scene/medium.ts';

test('the receipt of a distribution registry verifies with cosign, and tells a blob that was collected', async (t) => {
  const [program, cosign] = [needs(t, 'registry'), needs(t, 'cosign')];
  if (program === undefined || cosign === undefined) return;
  await using folder = await openTempFolder('svc-receipt-');
  const path = (name: string): string => join(folder.path, name);
  await using registry = await startPeerRegistry({ program, folder: path('registry') });
  await using medium = await buildMedium();
  await importCarried(medium.root, [medium.signer], registry, { state: path('state') });
  const zone = createSigner();
  await writeFile(path('zone.key'), zone.privateKeyPem, { mode: 0o600 });
  await writeFile(path('zone.pub'), zone.publicKeyPem);
  const config = {
    zone: 'zone-b',
    state: { root: path('state') },
    registries: { insecure: [registry.host] },
    destination: { registry: registry.host },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    signing: { keyFile: path('zone.key') },
  };
  await writeFile(path('svc.yaml'), JSON.stringify(config));
  const write = async (name: string, ...flags: string[]) => {
    const args = ['receipt', 'write', '--config', path('svc.yaml'), '--out', path(name), ...flags];
    const { stdout, stderr, exitCode } = await runInLanguage([...args, '--output', 'json'], 'en');
    assert.equal(exitCode, 0, stderr);
    return JSON.parse(stdout);
  };
  const whole = await write('1.json', '--inventory', '--deep');
  assert.deepEqual(whole.receipt.recipes, { present: 2, incomplete: 0, blocked: 0 });
  const home = await openClientHome(folder.path);
  const verify = async (file: string): Promise<boolean> => {
    const flags = ['--key', path('zone.pub'), '--bundle', path('1.json'), '--type', 'urn:svc:receipt:v1'];
    const args = ['verify-blob-attestation', ...flags, '--insecure-ignore-tlog', file];
    return (await home.try(cosign, args)).exitCode === 0;
  };
  assert.equal(await verify(join(medium.root, 'media.jsonl')), true);
  assert.equal(await verify(path('1.json.inventory')), true);
  assert.equal(await verify(join(medium.root, 'index.json')), false);
  const { digest, size } = defaultRecipes()[0]!.ingredients[0]!.artifact.blobs[2]!.descriptor;
  const hex = digest.slice('sha256:'.length);
  const blob = path(`registry/storage/docker/registry/v2/blobs/sha256/${hex.slice(0, 2)}/${hex}`);
  assert.equal(
    createHash('sha256')
      .update(await readFile(join(blob, 'data')))
      .digest('hex'),
    hex,
  );
  await rm(blob, { recursive: true });
  const { notPresent } = await write('2.json');
  assert.deepEqual(
    notPresent.map(({ name, state, missing }: any) => [name, state, missing]),
    [['shop', 'incomplete', { files: 1, bytes: size }]],
  );
  const freeBytes = async (name: string) => {
    const read = readReceipt(await readFile(path(name)));
    assert.ok(!('flaw' in read));
    return read.receipt.destination.freeBytes;
  };
  assert.equal(await freeBytes('2.json'), undefined);
  // the address of this instance is the destination: its volume is that of the registry
  const own = { server: { publicURL: `http://${registry.host}` }, storage: { root: path('registry') } };
  await writeFile(path('svc.yaml'), JSON.stringify({ ...config, ...own }));
  await write('3.json');
  assert.ok((await freeBytes('3.json'))! > 0);
});
