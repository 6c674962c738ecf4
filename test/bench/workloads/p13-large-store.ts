import { answers, compareLargeStores } from '../measure-large-store.ts';
import type { Workload } from '../workload.ts';

export const largeStore: Workload = {
  id: 'P13',
  title: 'a store of 100 000 tags',
  run: (bench, compare) =>
    compareLargeStores(bench, compare, {
      title: 'six files for each tag, twenty tags a repository: opening, answering, collecting',
      shapes: [bench.size(5000, 500), bench.size(500, 100)].map((repositories) => ({
        repositories,
        tags: 20,
      })),
      limits: [
        { measure: 'open', atMost: 0.8 },
        ...Object.keys(answers).map((measure) => ({ measure, atMost: 10 })),
        { measure: 'slice', atMost: 10 },
        { measure: 'peak', atMost: 400 },
      ],
      pairs: bench.size(3, 1),
    }),
};
