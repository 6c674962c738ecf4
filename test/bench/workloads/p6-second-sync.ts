import type { Bench } from '../bench.ts';
import { type Corpus, getCorpus } from '../corpus.ts';
import { startMirror, synchronize } from '../mirror.ts';
import { findMirrorPeers } from '../mirror-peers.ts';
import { measureServer } from '../servers/measured-server.ts';
import type { Contender, Workload } from '../workload.ts';

/** Requests of the work, without those that find out whether a credential is wanted. */
const countRequests = (corpus: Corpus): number =>
  corpus.takeRequests().filter((request) => !/^GET \/v2\/$/.test(request)).length;

async function openContenders(bench: Bench, corpus: Corpus): Promise<Contender[]> {
  const server = bench.keep(await startMirror(await bench.createFolder('p6-svc'), corpus));
  await synchronize(server);
  const own: Contender = {
    name: 'svc',
    run: async () => {
      corpus.takeRequests();
      const { result, cpu, peak } = await measureServer(server, () => synchronize(server));
      if (result.bytes > 0) throw new Error(`nothing was to do, and ${result.bytes} bytes moved`);
      const requests = countRequests(corpus);
      return { time: result.task, requests, each: requests / corpus.recipes.length, cpu, peak };
    },
  };
  const peers: Contender[] = [];
  for (const { name, mirror, repeats } of findMirrorPeers(bench)) {
    if (!repeats) continue;
    const folder = await bench.createFolder(`p6-${name}`);
    await mirror(folder, corpus);
    peers.push({
      name,
      run: async () => {
        corpus.takeRequests();
        const { seconds, cpu, peak } = await mirror(folder, corpus);
        return { time: seconds, requests: countRequests(corpus), cpu, peak };
      },
    });
  }
  return [own, ...peers];
}

export const secondSync: Workload = {
  id: 'P6',
  title: 'the same synchronization again, nothing to do',
  async run(bench, compare) {
    const corpus = await getCorpus(bench);
    await compare({
      title: `the same synchronization again, nothing to do, ${corpus.recipes.length} recipes; peers: the whole process`,
      measures: [
        { key: 'time', unit: 's', better: 'less' },
        { key: 'requests', unit: 'requests at the source', better: 'less' },
        { key: 'each', unit: 'requests a recipe', better: 'none' },
        { key: 'cpu', unit: 's of CPU', better: 'less' },
        { key: 'peak', unit: 'MiB of memory', better: 'less' },
      ],
      contenders: await openContenders(bench, corpus),
      targets: [{ measure: 'time', against: 'regsync', atMost: 1 }],
      limits: [{ measure: 'each', atMost: 3 }],
      missing: bench.missing('regsync', 'oras', 'hauler'),
    });
  },
};
