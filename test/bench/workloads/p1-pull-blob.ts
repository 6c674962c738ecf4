import type { Bench } from '../bench.ts';
import type { PullJob } from '../load/jobs.ts';
import { startDistributionServer } from '../servers/distribution-server.ts';
import { type MeasuredServer, measureServer } from '../servers/measured-server.ts';
import { startSvcServer } from '../servers/svc-server.ts';
import { startZotServer } from '../servers/zot-server.ts';
import type { Contender, Measure, Sample, Workload } from '../workload.ts';

const mebibyte = 2 ** 20;

const measures: readonly Measure[] = [
  { key: 'throughput', unit: 'MiB/s', better: 'more' },
  { key: 'cpu', unit: 's of server CPU', better: 'less' },
  { key: 'peak', unit: 'MiB of server memory', better: 'less' },
];

/** Servers of every make that is there, each with one blob of this size. */
async function openServers(bench: Bench, size: number) {
  const client = await bench.client();
  const servers: { name: string; server: MeasuredServer; path: string; digest: string }[] = [];
  const add = async (name: string, server: MeasuredServer): Promise<void> => {
    bench.keep(server);
    const { host, authorization } = server;
    const job = { job: 'push', host, authorization, repository: 'large/blob', size, seed: 'P1' } as const;
    const { digest = '' } = await client.do(job);
    const path = `/v2/large/blob/blobs/${digest}`;
    await client.do({ job: 'pull', host, authorization, path, connections: 1, verify: digest });
    servers.push({ name, server, path, digest });
  };
  await add('svc', await startSvcServer(await bench.createFolder('p1-svc')));
  const registry = bench.peer('registry');
  if (registry)
    await add('registry', await startDistributionServer(registry, await bench.createFolder('p1-registry')));
  const older = bench.peer('docker-registry');
  if (older)
    await add(
      'docker-registry',
      await startDistributionServer(older, await bench.createFolder('p1-docker-registry')),
    );
  const zot = bench.peer('zot');
  if (zot) await add('zot', await startZotServer(zot, await bench.createFolder('p1-zot')));
  return servers;
}

export const pullBlob: Workload = {
  id: 'P1',
  title: 'GET of one large blob',
  async run(bench, compare) {
    const size = bench.size(1024, 64) * mebibyte;
    const client = await bench.client();
    const servers = await bench.share('P1', () => openServers(bench, size));
    for (const connections of [1, 4]) {
      const pull = async (at: Pick<PullJob, 'host' | 'authorization' | 'path'>): Promise<number> => {
        const { bytes, seconds } = await client.do({ job: 'pull', connections, ...at });
        return bytes / mebibyte / seconds;
      };
      await compare({
        title: `GET of one blob of ${size / mebibyte} MiB, ${connections} client${connections > 1 ? 's' : ''}`,
        measures,
        contenders: servers.map(
          ({ name, server, path }): Contender => ({
            name,
            run: async (): Promise<Sample> => {
              const { host, authorization } = server;
              const { result, cpu, peak } = await measureServer(server, () =>
                pull({ host, authorization, path }),
              );
              return { throughput: result, cpu, peak };
            },
          }),
        ),
        targets: [
          { measure: 'throughput', against: 'registry', atLeast: 1.4 },
          { measure: 'throughput', against: 'zot', atLeast: 1.1 },
          { measure: 'cpu', against: 'zot', atMost: 1 },
        ],
        missing: bench.missing('registry', 'docker-registry', 'zot'),
        ceiling: async () => {
          const { host } = await bench.zeros();
          await pull({ host, path: `/zeros/${size}` });
          return pull({ host, path: `/zeros/${size}` });
        },
      });
    }
  },
};
