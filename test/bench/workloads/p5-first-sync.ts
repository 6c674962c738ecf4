import { getCorpus } from '../corpus.ts';
import { startMirror, synchronize } from '../mirror.ts';
import { findMirrorPeers } from '../mirror-peers.ts';
import { measureServer } from '../servers/measured-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Workload } from '../workload.ts';

export const firstSync: Workload = {
  id: 'P5',
  title: 'first synchronization of a mirror',
  async run(bench, compare) {
    const corpus = await getCorpus(bench);
    await compare({
      title: `first synchronization of ${corpus.images.length} images, ${Math.round(corpus.bytes / 2 ** 20)} MiB; svc verifies signatures and is durable at the end`,
      measures: [
        { key: 'time', unit: 's', better: 'less' },
        { key: 'durable', unit: 's until on disk', better: 'less' },
        { key: 'cpu', unit: 's of CPU', better: 'less' },
        { key: 'peak', unit: 'MiB of memory', better: 'less' },
      ],
      contenders: [
        {
          name: 'svc',
          run: () =>
            bench.withFolder('p5-svc', async (folder) => {
              await using server = await startMirror(folder, corpus);
              await settleDisk();
              const { result, cpu, peak } = await measureServer(server, () => synchronize(server));
              return { time: result.seconds, durable: result.seconds, cpu, peak };
            }),
        },
        ...findMirrorPeers(bench).map(({ name, mirror }) => ({
          name,
          run: () =>
            bench.withFolder(`p5-${name}`, async (folder) => {
              await settleDisk();
              const { seconds, cpu, peak } = await mirror(folder, corpus);
              const began = performance.now();
              await settleDisk();
              return { time: seconds, durable: seconds + (performance.now() - began) / 1000, cpu, peak };
            }),
        })),
      ],
      targets: [
        { measure: 'time', against: 'best', atMost: 1 },
        { measure: 'durable', against: 'best', atMost: 0.75 },
        { measure: 'durable', against: 'hauler', atMost: 0.9 },
      ],
      missing: bench.missing('regsync', 'oras', 'skopeo', 'hauler'),
    });
  },
};
