import assert from 'node:assert/strict';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import type { ChartFacts } from '../../../src/chart/chart-facts.ts';
import { readCharts } from '../../../src/engine/fileset/read-charts.ts';
import { blobPath } from '../../../src/oci/layout.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { pushArtifact } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { openTempStore } from '../../kit/instance/temp-store.ts';

test('charts are read by the thread and beside it, each once, and what is altered or absent is left to who reports it', async () => {
  const { store, root, ...temp } = await openTempStore({ access: 'serve' });
  await using _ = { [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
  const repository = openRepository(store, 'charts/x', { owner: { provenance: 'import' } });
  const all = Array.from({ length: 40 }, (_none, i) => buildHelmChart(`chart-${i}`, '1.0.0'));
  for (const [i, chart] of all.entries()) await pushArtifact(repository, chart, `1.0.${i}`);
  const charts = all.map(({ manifest: { descriptor } }, i) => ({
    manifest: descriptor.digest,
    reference: `charts/x:1.0.${i}`,
  }));
  const configOf = (i: number): string => join(root, blobPath(all[i]!.blobs[0]!.descriptor.digest));
  const read = async () => {
    const taken = new Map<Digest, ChartFacts>();
    const failed: Digest[] = [];
    const take = (manifest: Digest, facts: ChartFacts): void => {
      assert.equal(taken.has(manifest), false);
      taken.set(manifest, facts);
    };
    const fail = (manifest: Digest): unknown => failed.push(manifest);
    const error = await readCharts(store, { charts, take, fail, together: 4 }).then(
      () => undefined,
      (thrown: { readonly code: string }) => thrown.code,
    );
    return { names: charts.map(({ manifest }) => nameOf(taken.get(manifest))), failed, error };
  };
  const nameOf = (facts: ChartFacts | undefined): string | undefined =>
    facts !== undefined && 'entry' in facts ? facts.entry.name : undefined;
  const names = all.map((_none, i): string | undefined => `chart-${i}`);
  assert.deepEqual(await read(), { names, failed: [], error: undefined });
  // the first is read by the thread, the last beside it
  for (const i of [0, 39]) await unlink(configOf(i));
  const without = names.map((name, i) => (i === 0 || i === 39 ? undefined : name));
  assert.deepEqual(await read(), { names: without, failed: [], error: undefined });
  for (const i of [1, 38]) {
    const bytes = await readFile(configOf(i));
    await unlink(configOf(i));
    await writeFile(configOf(i), bytes.fill(0x20, 0, 1));
    const { error, failed } = await read();
    assert.equal(error, 'SVC-SIG-002');
    assert.deepEqual(failed, [charts[i]!.manifest]);
    await unlink(configOf(i));
  }
});
