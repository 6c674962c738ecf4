import { makeLargeStore } from '../large-store.ts';
import type { MixJob } from '../load/jobs.ts';
import { runMixed } from '../mixed.ts';
import type { Measure, Workload } from '../workload.ts';

/** Two hundred. */
const clients: MixJob['clients'] = { pull: 80, push: 20, list: 30, api: 30, page: 40 };
const kinds = Object.keys(clients);

export const mixed: Workload = {
  id: 'P16',
  title: '200 clients that pull, push, list, call the API and look at pages, beside synchronizations',
  async run(bench, compare) {
    const shape = { repositories: bench.size(5000, 200), tags: 20 };
    const seconds = bench.seconds ?? bench.size(300, 12);
    const folder = await bench.createFolder('p16');
    await makeLargeStore(folder, shape);
    await compare({
      title: `200 clients without a pause for ${seconds} s, beside synchronizations with a prune and a collection each`,
      measures: [
        { key: 'requests', unit: 'requests/s', better: 'more' },
        { key: 'errors', unit: 'wrong answers, lost connections, failed tasks', better: 'less' },
        ...kinds.flatMap((kind): Measure[] => [
          { key: `${kind} p99`, unit: 'ms at the client', better: 'less' },
          { key: `${kind} p50 in the server`, unit: 'ms', better: 'less' },
          { key: `${kind} p99 in the server`, unit: 'ms', better: 'less' },
        ]),
        { key: 'held', unit: 'ms at most without a turn of the event loop', better: 'less' },
        { key: 'syncs', unit: 'synchronizations', better: 'none' },
        { key: 'pruned', unit: 'tags pruned', better: 'none' },
        { key: 'first', unit: 'MiB of memory after a third', better: 'less' },
        { key: 'last', unit: 'MiB of memory at the end', better: 'less' },
        { key: 'peak', unit: 'MiB of memory at most', better: 'less' },
      ],
      contenders: [
        {
          name: 'svc',
          run: async () => {
            const seed = `P16 ${Date.now()}`;
            const load = await bench.client();
            const result = await runMixed({ folder, shape, clients, seconds, load, seed });
            const { job, figures, failures, memory } = result;
            for (const text of [...(job.errors ?? []), ...failures]) bench.tell(`    ${text}`);
            const { answers } = figures;
            return {
              requests: job.requests / job.seconds,
              errors: (job.failed ?? 0) + failures.length,
              ...Object.fromEntries(
                kinds.flatMap((kind) => [
                  [`${kind} p99`, job.p99s![kind]!],
                  [`${kind} p50 in the server`, answers[kind]!.p50],
                  [`${kind} p99 in the server`, answers[kind]!.p99],
                ]),
              ),
              held: figures.held,
              syncs: result.syncs,
              pruned: result.pruned,
              first: memory[0]!,
              last: memory.at(-1)!,
              peak: result.peak,
            };
          },
        },
      ],
      limits: [
        { measure: 'errors', atMost: 0 },
        { measure: 'peak', atMost: 400 },
      ],
      pairs: 1,
    });
  },
};
