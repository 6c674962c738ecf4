import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../../src/contract/task.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';

/** Imports two recipes, one after the other, that pin one index for another platform each, into a zone that refuses sparse indexes. */
async function importTwo(platforms: readonly string[]) {
  const artifact = buildIndex('shared', platforms);
  const recipes = ['linux/amd64', 'linux/arm64'].map(
    (platform, i): MediumRecipe => ({
      name: `app-${i}`,
      version: '1.0.0',
      layout: 'classic',
      ingredients: [
        {
          name: 'web',
          kind: 'ContainerImage',
          ref: 'origin.example:5000/shop/web',
          tag: '1.0',
          artifact,
          platforms: [platform],
        },
      ],
    }),
  );
  await using medium = await buildMedium({ recipes });
  await using zone = await createRegistryDouble({ sparse: false });
  const config = join(medium.folder, 'zone.json');
  await writeFile(
    config,
    JSON.stringify({
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: medium.root },
      state: { root: join(medium.folder, 'state') },
      destination: { registry: zone.host },
      registries: { insecure: [zone.host] },
      sync: { parallelism: 1 },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    }),
  );
  const { exitCode, stdout, stderr } = await runCommand([
    'media',
    'import',
    '--config',
    config,
    '--output',
    'json',
  ]);
  const { task } = JSON.parse(stdout) as { task: Task };
  const digest = artifact.manifest.descriptor.digest;
  const isThere = zone.manifest('origin.example_5000/shop/web', '1.0')?.digest === digest;
  return { exitCode, stderr, task, isThere };
}

test('a zone that refuses sparse indexes gets the platforms that any recipe of the medium brought', async () => {
  const { exitCode, task, stderr, isThere } = await importTwo(['linux/amd64', 'linux/arm64']);
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(task.counts, { total: 4, done: 4, failed: 0, skipped: 0 });
  assert.ok(isThere);
});

test('a sparse index that is refused names the platforms that no recipe of the medium brought', async () => {
  const { exitCode, task, isThere } = await importTwo(['linux/amd64', 'linux/arm64', 'linux/s390x']);
  assert.equal(exitCode, 1);
  const errors = task.items.flatMap(({ error }) => error ?? []);
  assert.deepEqual(
    errors.map(({ code, params }) => [code, params.missing]),
    [
      ['SVC-DST-002', ['linux/s390x']],
      ['SVC-DST-002', ['linux/s390x']],
    ],
  );
  assert.ok(!isThere);
});
