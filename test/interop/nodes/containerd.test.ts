import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RecipeMapping } from '../../../src/contract/recipe.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { recordSync } from '../../../src/store/record-sync.ts';
import { buildImage, pushArtifact } from '../../kit/content/content.ts';
import { toRecipeRecord } from '../../kit/content/recipe-record.ts';
import { startTestServer } from '../../kit/instance/server.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { startContainerd } from '../../kit/program/containerd.ts';
import { needs } from '../../kit/program/peers.ts';

const cases = [
  { nominal: 'docker.io/library/shop', relocated: 'docker.io/library/shop' },
  { nominal: 'registry.example:5000/team/app', relocated: 'registry.example_5000/team/app' },
  { nominal: 'quay.io/v2/v2', relocated: 'quay.io/v2/v2' },
];

for (const basePrefix of [undefined, 'zone/one']) {
  const where = basePrefix === undefined ? 'at the root' : 'below a base prefix';
  test(`containerd pulls nominal references through the mapping, ${where}, and asks nobody else`, async (t) => {
    const containerd = needs(t, 'containerd');
    const ctr = needs(t, 'ctr');
    if (containerd === undefined || ctr === undefined) return;
    await using folder = await openTempFolder('svc-ctd-');
    await using server = await startTestServer({
      folder: folder.path,
      ...(basePrefix === undefined ? {} : { basePrefix }),
    });
    const owner = {
      provenance: 'recipe',
      recipe: 'shop@1.0.0',
      cookbook: 'registry.example/cookbook',
    } as const;
    const images = new Map(cases.map(({ nominal }) => [nominal, buildImage(`${nominal} ${basePrefix}`)]));
    for (const { nominal, relocated } of cases) {
      const name = basePrefix === undefined ? relocated : `${basePrefix}/${relocated}`;
      await pushArtifact(openRepository(server.store, name, { owner }), images.get(nominal)!, '1.0.0');
    }
    await recordSync(server.store, { zone: 'zone', runId: 'run', resolvedAt: '2026-01-01T00:00:00.000Z' }, [
      toRecipeRecord(
        'shop',
        '1.0.0',
        cases.map(({ nominal }) => [nominal, '1.0.0'] as const),
      ),
    ]);
    const answer = await server.fetch('/api/v1/recipes/shop/mapping');
    const { mirrors } = (await answer.json()) as RecipeMapping;
    const hosts = join(folder.path, 'hosts');
    for (const { directory, content } of mirrors.hostsToml) {
      await mkdir(join(hosts, directory), { recursive: true });
      await writeFile(join(hosts, directory, 'hosts.toml'), content);
    }
    await using daemon = await startContainerd({ containerd, ctr, folder: join(folder.path, 'c') });
    const fetch = (reference: string) =>
      daemon.ctr(
        ...['content', 'fetch', '--hosts-dir', hosts, '--platform', 'linux/amd64'],
        ...['--user', 'admin:admin password', reference],
      );
    for (const { nominal } of cases) {
      const { exitCode, stdout, stderr } = await fetch(`${nominal}:1.0.0`);
      assert.equal(exitCode, 0, stderr + stdout);
      const listed = await daemon.ctr('images', 'ls');
      const row = listed.stdout.split('\n').find((line) => line.startsWith(`${nominal}:1.0.0 `));
      assert.ok(row?.includes(images.get(nominal)!.manifest.descriptor.digest), listed.stdout);
    }
    // absent content is not asked of the origin either
    const absent = await fetch('docker.io/library/absent:1.0.0');
    assert.notEqual(absent.exitCode, 0);
    assert.match(absent.stderr, /docker\.io\/library\/absent:1\.0\.0: not found/);
  });
}
