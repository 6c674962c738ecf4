import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashBytes } from '../../../src/base/digest.ts';
import { decodeChartFacts, encodeChartFacts } from '../../../src/chart/encode-chart-facts.ts';
import { createChartViews, type ViewSetting } from '../../../src/engine/fileset/chart-views.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import type { Store } from '../../../src/store/model.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { type Artifact, pushArtifact } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { createOpenGate } from '../../kit/instance/open-gate.ts';
import { createRecordingReport } from '../../kit/instance/recording-report.ts';
import { openTempStore, type TempStore } from '../../kit/instance/temp-store.ts';

const setting: ViewSetting = {
  name: 'charts',
  kind: 'helm',
  repositories: ['charts.example/*'],
  anonymous: false,
};
const names = ['app', 'shop', 'tool'];
const charts = names.map((name) => buildHelmChart(name, '1.0.0'));

const open = ({ stateRoot }: Pick<TempStore, 'stateRoot'>, store: Store, report = createRecordingReport()) =>
  createChartViews({
    config: {
      files: { packRoots: [], filesets: [], views: [setting] },
      storage: {},
      state: { root: stateRoot },
    },
    store,
    gate: createOpenGate({ rehash: false }),
    report,
  });

/** A store with charts, and its index as it was before the instance was stopped. */
async function openCharts(): Promise<{
  readonly temp: TempStore;
  readonly bytes: Buffer;
  readonly path: string;
}> {
  const temp = await openTempStore({ access: 'serve' });
  for (const [i, chart] of charts.entries())
    await pushArtifact(
      openRepository(temp.store, `charts.example/${names[i]}`, { owner: { provenance: 'import' } }),
      chart,
      '1.0.0',
    );
  await using views = open(temp, temp.store);
  const { bytes } = await views.index(setting);
  return { temp, bytes, path: join(temp.stateRoot, 'chart-entries') };
}

/** Removes the files that describe charts. */
async function hideCharts(root: string, hidden: readonly Artifact[] = charts): Promise<void> {
  for (const { manifest, blobs } of hidden)
    for (const { digest } of [manifest.descriptor, blobs[0]!.descriptor])
      await unlink(join(root, blobPath(digest)));
}

test('after a restart an index is made without reading a chart', async () => {
  const { temp, bytes, path } = await openCharts();
  await using _temp = temp;
  const store = await temp.reopen();
  await hideCharts(temp.root);
  {
    await using views = open(temp, store);
    const made = await views.index(setting);
    assert.deepEqual([made.charts, made.bytes.toString()], [3, bytes.toString()]);
  }
  await rm(path);
  const report = createRecordingReport();
  await using views = open(temp, store, report);
  assert.equal((await views.index(setting)).charts, 0, 'they were not in a cache of the store');
});

test('whatever is in place of the kept entries, they are made again', async () => {
  const { temp, bytes, path } = await openCharts();
  await using _temp = temp;
  const good = await readFile(path);
  const elsewhere = join(temp.folder, 'elsewhere');
  let moved: Buffer | undefined;
  const bend: Readonly<Record<string, () => Promise<void>>> = {
    absent: () => rm(path),
    damaged: () => writeFile(path, Buffer.from(good).fill('x', 200, 210)),
    empty: () => writeFile(path, ''),
    'of others': () => chmod(path, 0o666),
    'a link': async () => {
      moved = await readFile(path);
      await rename(path, elsewhere);
      await symlink(elsewhere, path);
    },
  };
  for (const [what, work] of Object.entries(bend)) {
    await work();
    const report = createRecordingReport();
    {
      await using views = open(temp, temp.store, report);
      assert.ok((await views.index(setting)).bytes.equals(bytes), what);
    }
    assert.deepEqual(report.records, [], what);
    // as maps: the order in the file is the one in which the charts were read, and differs between runs
    const kept = await decodeChartFacts(await readFile(path));
    assert.deepEqual(kept, await decodeChartFacts(good), `${what}: kept again`);
  }
  assert.deepEqual(await readFile(elsewhere), moved, 'what the link led to is as it was');
});

test('entries that cannot be kept are warned of once, and served', async () => {
  const { temp, bytes, path } = await openCharts();
  await using _temp = temp;
  await rm(path);
  await mkdir(join(path, 'in the way'), { recursive: true });
  const report = createRecordingReport();
  const views = open(temp, temp.store, report);
  assert.ok((await views.index(setting)).bytes.equals(bytes));
  await views[Symbol.asyncDispose]();
  await views[Symbol.asyncDispose]();
  assert.deepEqual(
    report.records.map(({ level, message }) => [level, message]),
    [['warn', 'the entries of charts could not be kept for the next start']],
  );
});

test('a kept entry is used while the store has the archive that it names, and forgotten when no view needs it', async () => {
  const { temp, path } = await openCharts();
  await using _temp = temp;
  const facts = (await decodeChartFacts(await readFile(path)))!;
  const [[first, shop]] = [...facts] as [
    [`sha256:${string}`, typeof facts extends Map<any, infer V> ? V : never],
  ];
  assert.ok('entry' in shop);
  facts.set(first, { ...shop, archive: { ...shop.archive, size: shop.archive.size + 1 } });
  for (let i = 0; i < 200; i += 1) facts.set(hashBytes(`gone ${i}`), shop);
  await writeFile(path, Buffer.concat([...encodeChartFacts(facts, 1 << 20)]));
  {
    await using views = open(temp, temp.store);
    const { charts: listed, leftOut } = await views.index(setting);
    assert.deepEqual([listed, leftOut.map(({ reason }) => reason)], [2, ['archive']]);
  }
  assert.equal((await decodeChartFacts(await readFile(path)))!.size, 3);
});

test('a change has the index made before it is asked for', async () => {
  const { temp } = await openCharts();
  await using _temp = temp;
  await using views = open(temp, temp.store);
  await views.prepare();
  const before = await views.index(setting);
  const late = buildHelmChart('late', '1.0.0');
  const repository = openRepository(temp.store, 'charts.example/late', { owner: { provenance: 'import' } });
  await pushArtifact(repository, late, '1.0.0');
  views.review();
  await views.idle();
  await hideCharts(temp.root, [late]);
  const after = await views.index(setting);
  assert.equal(after.charts, before.charts + 1);
  assert.equal(await views.index(setting), after, 'the one that was made');
});
