import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import { buildImage, buildIndex } from '../../kit/content/content.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { startPeerRegistry } from '../../kit/program/peer-registry.ts';
import { needs } from '../../kit/program/peers.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';

const web = buildImage('web', { ownLayers: 2, layerSize: 50_000 });
const api = buildIndex('api', ['linux/amd64', 'linux/arm64'], { layers: [web.blobs[1]!] });
const toIngredient = (name: string, artifact: typeof web) => ({
  ...{ name, kind: 'ContainerImage' as const, tag: '1.0.0', artifact },
  ref: `origin.example/shop/${name}`,
});

test('every remedy of lost base content repairs CNCF distribution', async (t) => {
  const [registry, oras] = ['registry', 'oras'].map((name) => needs(t, name));
  if (!registry || !oras) return;
  await using folder = await openTempFolder('svc-lost-');
  await using medium = await buildMedium({
    recipes: [
      {
        name: 'shop',
        version: '1.0.0',
        layout: 'bundle',
        ingredients: [toIngredient('web', web), toIngredient('api', api)],
      },
    ],
  });
  await using peer = await startPeerRegistry({ program: registry, folder: join(folder.path, 'registry') });
  const state = join(folder.path, 'state');
  const bring = (root: string) => importCarried(root, [medium.signer], peer, { state });
  const { digest: base } = web.blobs[1]!.descriptor;
  const part = { id: 'dlv_0123456789ab', part: 1, parts: 1 } as const;
  const header = { zone: 'zone-b', receipt: base, sequence: 7 } as const;
  const lose = async (digest: Digest): Promise<void> => {
    for (const name of ['web', 'api']) {
      const url = `${peer.url}/v2/origin.example/shop/${name}/blobs/${digest}`;
      assert.equal((await fetch(url, { method: 'DELETE' })).status, 202);
      assert.equal((await fetch(url, { method: 'HEAD' })).status, 404);
    }
    execFileSync(registry, ['garbage-collect', join(folder.path, 'registry', 'registry.yaml')], {
      stdio: 'ignore',
    });
  };
  let pulls = 0;
  const pull = (): void => {
    pulls += 1;
    for (const name of ['web', 'api'])
      execFileSync(
        oras,
        [
          'cp',
          '--no-tty',
          '--from-plain-http',
          `${peer.host}/origin.example/shop/${name}:1.0.0`,
          '--to-oci-layout',
          `${join(folder.path, `pulled-${pulls}-${name}`)}:1.0.0`,
        ],
        { stdio: 'ignore' },
      );
  };
  await bring(medium.root);
  pull();

  // the earlier delivery, then the delta
  await lose(base);
  assert.throws(pull);
  const delta = await carryPart(medium, { delivery: part, base: header, absent: new Map([[base, 'base']]) });
  const config = join(folder.path, 'zone.json');
  const settings = {
    zone: 'zone-b',
    state: { root: state },
    destination: { registry: peer.host },
    registries: { insecure: [peer.host] },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
  };
  await writeFile(config, JSON.stringify(settings));
  const ask = async () => {
    const on = ['--config', config, '--storage-root', delta.root];
    const asked = await runCommand(['media', 'verify', '--with-destination', ...on, '--output', 'json']);
    const { missing, error } = JSON.parse(asked.stdout).recipes[0].atDestination;
    return [asked.exitCode, missing.files, error?.code];
  };
  assert.deepEqual(await ask(), [1, 1, 'SVC-MED-040']);
  const held = await bring(delta.root);
  assert.ok(
    held.items.some(({ error }) => error?.code === 'SVC-MED-040'),
    held.said,
  );
  const earlier = await bring(medium.root);
  assert.equal(earlier.task.status, 'done', earlier.said);
  pull();
  assert.deepEqual(await ask(), [0, 0, undefined]);
  assert.equal((await bring(delta.root)).task.status, 'done');

  // a delta that brings it, as written for a receipt that says incomplete
  await lose(base);
  const other = web.blobs[2]!.descriptor.digest;
  const next = await carryPart(medium, { delivery: part, base: header, absent: new Map([[other, 'base']]) });
  assert.equal((await bring(next.root)).task.status, 'done');
  pull();

  // a delivery of everything
  await lose(base);
  const all = await carryPart(medium, { delivery: part });
  assert.equal((await bring(all.root)).task.status, 'done');
  pull();
  const again = await bring(all.root);
  assert.equal(again.imported?.pushed, 0, again.said);
});
