import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Task } from '../../src/contract/task.ts';
import { type Artifact, buildImage, buildIndex, buildReferrer, digestsOf } from '../kit/content/content.ts';
import { buildHelmChart } from '../kit/content/helm-chart.ts';
import { type HttpRepository, pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { type Instance, startInstance } from '../kit/instance/instance.ts';
import { runTask } from '../kit/instance/settle-task.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { listHeldAt } from '../kit/result/held-at.ts';

const at = ({ url, authorization }: Instance, repository: string): HttpRepository => ({
  registry: url,
  repository,
  authorization,
});

async function push(instance: Instance, repository: string, artifact: Artifact, tag?: string): Promise<void> {
  for (const child of artifact.children) await push(instance, repository, child.artifact);
  await pushArtifactOverHttp(at(instance, repository), artifact, tag);
}

/** Every tag with its digest, as the API lists them, sorted. */
async function listTags(instance: Instance): Promise<string[]> {
  const { body } = await instance.api('GET', '/content?pageSize=200');
  const tags = [];
  for (const { name } of body.repositories) {
    const { body: one } = await instance.api('GET', `/content/${name}`);
    for (const { tag, digest } of one.tags) tags.push(`${name}:${tag} ${digest}`);
  }
  return tags.sort();
}

/** The bytes of an archive, or of every file of a folder by its path. */
async function readLayout(path: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (names === undefined) return new Map([['', (await readFile(path)).toString('base64')]]);
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(
    async (file) => [file.slice(path.length), (await readFile(file)).toString('base64')] as const,
  );
  return new Map((await Promise.all(pairs)).sort());
}

/** The content of a store, by the sizes of its files; a ledger that grew has recorded a change. */
async function listContent(root: string): Promise<string[]> {
  const kept = ['blobs', 'ledger'].flatMap(async (name) => {
    const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return Promise.all(
      files.map(async ({ parentPath, name: file }) => {
        const path = join(parentPath, file);
        return `${path} ${(await stat(path)).size}`;
      }),
    );
  });
  return (await Promise.all(kept)).flat().sort();
}

const moved = (task: Task): number => task.items.reduce((sum, item) => sum + item.transferredBytes, 0);

for (const format of ['directory', 'tar'] as const) {
  test(`two instances that export to each other as a ${format} come to the same, and stay there`, async () => {
    await using folder = await openTempFolder('svc-exchange-');
    const start = async (name: string): Promise<Instance> => {
      await mkdir(join(folder.path, name));
      return startInstance({ folder: join(folder.path, name) });
    };
    await using a = await start('a');
    await using b = await start('b');
    /** Exports from one to the place where it always exports to, and imports that into the other. */
    const carry = async (from: Instance, to: Instance): Promise<Task> => {
      const path = join(folder.path, from === a ? 'from-a' : 'from-b');
      const request = { output: path, format, overwrite: true };
      const exported = await runTask(from, '/oci-layout/export', request);
      assert.equal(exported.status, 'done', JSON.stringify(exported));
      const imported = await runTask(to, '/oci-layout/import', { input: path });
      assert.equal(imported.status, 'done', JSON.stringify(imported));
      assert.equal(imported.counts.failed, 0);
      return imported;
    };

    const base = buildImage('base', { ownLayers: 2 });
    const attested = buildIndex('attested', ['linux/amd64', 'linux/arm64']);
    const attestation = buildReferrer(attested.manifest.descriptor);
    await push(a, 'shop/base', base, '1');
    await push(a, 'shop/base', base, 'latest');
    await push(a, 'shop/attested', attested, '1');
    await push(a, 'shop/attested', attestation);
    const chart = buildHelmChart('tools', '1.0.0');
    await push(b, 'registry.example_5000/charts/tools', chart, '1.0.0');
    await Promise.all([carry(a, b), carry(b, a)]);
    assert.deepEqual(await listTags(b), await listTags(a));

    // both go on: content of their own, a tag moved by one, a tag set by both, a tag and a repository removed
    const newer = buildImage('newer', { layers: base.blobs.slice(1) });
    await push(a, 'shop/base', newer, '2');
    await push(a, 'shop/base', newer, 'latest');
    const own = buildImage('own', { layers: base.blobs.slice(1) });
    await push(b, 'local/own', own, 'v1');
    await push(a, 'shared', buildImage('of a'), 'edge');
    await push(b, 'shared', buildImage('of b'), 'edge');
    const second = buildReferrer(attested.manifest.descriptor, 'application/vnd.example.second', 'of b');
    await push(b, 'shop/attested', second);
    assert.ok(moved(await carry(a, b)) > 0);
    assert.ok(moved(await carry(b, a)) > 0);
    const settled = await listTags(a);
    assert.deepEqual(await listTags(b), settled);
    assert.ok(settled.includes(`shop/base:latest ${newer.manifest.descriptor.digest}`), settled.join('\n'));

    const pairs: [string, Artifact][] = [
      ['shop/base', base],
      ['shop/base', newer],
      ['shop/attested', attested],
      ['shop/attested', attestation],
      ['shop/attested', second],
      ['local/own', own],
      ['registry.example_5000/charts/tools', chart],
    ];
    for (const [repository, artifact] of pairs)
      for (const instance of [a, b])
        assert.deepEqual(
          await listHeldAt(at(instance, repository), artifact),
          digestsOf(artifact).sort(),
          repository,
        );

    let layout: ReadonlyMap<string, string> | undefined;
    for (const [from, to] of [
      [a, b],
      [b, a],
      [a, b],
      [b, a],
    ] as const) {
      const place = join(folder.path, to === a ? 'a' : 'b', 'store');
      const before = await listContent(place);
      assert.equal(moved(await carry(from, to)), 0, 'nothing has changed, and something moved');
      const bytes = await readLayout(join(folder.path, from === a ? 'from-a' : 'from-b'));
      assert.deepEqual([...bytes.keys()], [...(layout ?? bytes).keys()]);
      assert.deepEqual(bytes, layout ?? bytes);
      layout = bytes;
      assert.deepEqual(await listContent(place), before);
      assert.deepEqual(await listTags(to), settled);
    }
    for (const instance of [a, b]) assert.equal(await instance.stop(), 0, instance.log());
  });
}
