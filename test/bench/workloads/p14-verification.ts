import { getCorpus } from '../corpus.ts';
import { startMirror, synchronize } from '../mirror.ts';
import { measureServer } from '../servers/measured-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Contender, Workload } from '../workload.ts';

export const verificationOverhead: Workload = {
  id: 'P14',
  title: 'what verification costs a synchronization',
  async run(bench, compare) {
    const corpus = await getCorpus(bench);
    const toContender = (name: string, trusted: boolean): Contender => ({
      name,
      run: () =>
        bench.withFolder('p14', async (folder) => {
          await using server = await startMirror(folder, corpus, { trusted });
          await settleDisk();
          const { result, cpu, peak } = await measureServer(server, () => synchronize(server));
          return { time: result.seconds, cpu, peak };
        }),
    });
    await compare({
      title: `first synchronization of ${corpus.recipes.length} recipes with trust roots and without`,
      measures: [
        { key: 'time', unit: 's', better: 'less' },
        { key: 'cpu', unit: 's of CPU', better: 'less' },
        { key: 'peak', unit: 'MiB of memory', better: 'none' },
      ],
      contenders: [toContender('with roots', true), toContender('without', false)],
      targets: [{ measure: 'time', against: 'without', atMost: 1.05 }],
    });
  },
};
