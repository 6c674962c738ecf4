import { answers, compareLargeStores, toStoreName, toWritten } from '../measure-large-store.ts';
import type { Workload } from '../workload.ts';

/** Operations that cost the same in a store of any size. */
const constant = ['push', 'untag', 'remove', 'list'];
/** Two runs of one store differ by as much. */
const noise = 1.5;

export const largerStore: Workload = {
  id: 'P18',
  title: 'a store of 1 000 000 tags, ten times that of P13',
  run: (bench, compare) => {
    const shapes = [bench.size(50_000, 1000), bench.size(5000, 100)].map((repositories) => ({
      repositories,
      tags: 20,
      // five files an image: a folder of ext4 takes some five and a half million names
      layers: 3,
      isWritten: toWritten(repositories),
    }));
    const [, usual] = shapes;
    return compareLargeStores(bench, compare, {
      title: 'five files for each tag, twenty tags a repository: opening, answering, collecting',
      shapes,
      limits: [
        { measure: 'open', atMost: 5 },
        ...Object.keys(answers).map((measure) => ({ measure, atMost: 10 })),
        { measure: 'slice', atMost: 10 },
        { measure: 'peak', atMost: 2560 },
      ],
      targets: constant.map((measure) => ({ measure, against: toStoreName(usual!), atMost: noise })),
      pairs: bench.size(2, 1),
    });
  },
};
