import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachBounded } from '../../../src/base/concurrency.ts';
import { openRepository } from '../../../src/store/open-repository.ts';
import { openStore } from '../../../src/store/opening/open-store.ts';
import { pushArtifact } from '../../kit/content/content.ts';
import { buildHelmChart } from '../../kit/content/helm-chart.ts';
import { toLargeStoreOptions } from '../large-store.ts';
import { cpuSeconds } from '../process-usage.ts';
import { type SvcServer, startSvcServer } from '../servers/svc-server.ts';
import { settleDisk } from '../settle-disk.ts';
import { toSpread } from '../statistics.ts';
import type { Workload } from '../workload.ts';

const config = {
  files: { views: [{ name: 'charts', kind: 'helm', repositories: ['**'] }] },
} as const;

/** Versions of each chart. */
const versions = 10;

async function makeCharts(folder: string, count: number): Promise<void> {
  await using store = await openStore(toLargeStoreOptions(folder));
  const owner = { provenance: 'import' } as const;
  await forEachBounded(
    Array.from({ length: count }, (_, i) => i),
    8,
    async (i) => {
      const name = `chart-${Math.floor(i / versions)}`;
      const version = `1.${i % versions}.0`;
      const chart = buildHelmChart(name, version, { more: `description: the chart ${i} of a zone\n` });
      await pushArtifact(
        openRepository(store, `charts/${name}`, { owner, kind: 'HelmChart' }),
        chart,
        version,
      );
    },
  );
}

/** Milliseconds of one request for the index, by the clock of a client and of the processors of the instance. */
async function timeIndex({ host, authorization, pid }: SvcServer, count: number): Promise<[number, number]> {
  const cpu = cpuSeconds(pid);
  const began = performance.now();
  const answer = await fetch(`http://${host}/files/charts/index.yaml`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  const bytes = await answer.arrayBuffer();
  const wall = performance.now() - began;
  const text = Buffer.from(bytes).toString();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
  assert.equal(text.match(/"urls":/g)?.length, count);
  return [wall, (cpuSeconds(pid) - cpu) * 1000];
}

export const chartIndex: Workload = {
  id: 'INDEX',
  title: 'the index of a view of charts',
  async run(bench, compare) {
    const count = bench.size(5000, 200);
    const folder = await bench.createFolder('charts');
    await makeCharts(folder, count);
    // with an account, and with the index of an earlier run
    await (await startSvcServer(folder, { config }))[Symbol.asyncDispose]();
    await compare({
      title: `index.yaml of ${count} charts`,
      measures: [
        {
          key: 'cold',
          unit: 'ms, of a store that no instance has read, at once after the start',
          better: 'less',
        },
        { key: 'cold, processor', unit: 'ms', better: 'less' },
        { key: 'restarted', unit: 'ms, at once after a restart', better: 'less' },
        { key: 'restarted, processor', unit: 'ms', better: 'less' },
        { key: 'again', unit: 'ms, the median of eleven requests', better: 'less' },
      ],
      contenders: [
        {
          name: 'svc',
          run: async () => {
            await rm(join(folder, 'state', 'chart-entries'), { force: true });
            await settleDisk();
            const cold = await (async () => {
              await using server = await startSvcServer(folder, { config });
              return await timeIndex(server, count);
            })();
            await using server = await startSvcServer(folder, { config });
            const restarted = await timeIndex(server, count);
            const again: number[] = [];
            // the first ones also show a client that has not run yet
            for (let i = 0; i < 11; i += 1) again.push((await timeIndex(server, count))[0]);
            return {
              cold: cold[0],
              'cold, processor': cold[1],
              restarted: restarted[0],
              'restarted, processor': restarted[1],
              again: toSpread(again).median,
            };
          },
        },
      ],
      limits: [
        { measure: 'restarted', atMost: 100 },
        { measure: 'again', atMost: 5 },
      ],
    });
  },
};
