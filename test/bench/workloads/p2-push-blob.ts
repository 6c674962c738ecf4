import { toFreshServers } from '../fresh-servers.ts';
import { measureServer } from '../servers/measured-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Workload } from '../workload.ts';

const mebibyte = 2 ** 20;

export const pushBlob: Workload = {
  id: 'P2',
  title: 'PUT of one large blob',
  async run(bench, compare) {
    const size = bench.size(1024, 64) * mebibyte;
    const client = await bench.client();
    let pushes = 0;
    for (const chunk of [undefined, 16 * mebibyte]) {
      const toJob = (at: { host: string; authorization?: string | undefined }) => {
        pushes += 1;
        const { host, authorization } = at;
        return {
          job: 'push',
          host,
          authorization,
          repository: 'large/blob',
          size,
          ...(chunk === undefined ? {} : { chunk }),
          seed: `P2 ${pushes}`,
          warmUp: 32 * mebibyte,
        } as const;
      };
      await compare({
        title: `PUT of one blob of ${size / mebibyte} MiB, ${chunk === undefined ? 'at once' : `in chunks of ${chunk / mebibyte} MiB`}`,
        measures: [
          { key: 'throughput', unit: 'MiB/s', better: 'more' },
          { key: 'cpu', unit: 's of server CPU', better: 'less' },
          { key: 'peak', unit: 'MiB of server memory', better: 'less' },
        ],
        contenders: toFreshServers(bench, async (server) => {
          await settleDisk();
          const { result, cpu, peak } = await measureServer(server, () => client.do(toJob(server)));
          return { throughput: size / mebibyte / result.seconds, cpu, peak };
        }),
        targets: [
          { measure: 'throughput', against: 'registry', atLeast: 1.5 },
          { measure: 'throughput', against: 'zot', atLeast: 1.1 },
        ],
        missing: bench.missing('registry', 'docker-registry', 'zot'),
        ceiling: async () => {
          const { seconds } = await client.do(toJob(await bench.zeros()));
          return size / mebibyte / seconds;
        },
      });
    }
  },
};
