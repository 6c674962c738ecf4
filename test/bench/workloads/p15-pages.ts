import type { Bench } from '../bench.ts';
import { type LargeStoreShape, makeLargeStore, toRepositoryName } from '../large-store.ts';
import type { RepeatJob } from '../load/jobs.ts';
import { askPages } from '../pages/ask-pages.ts';
import { openPageClient } from '../pages/page-client.ts';
import { polledPages, toPagePaths } from '../pages/page-paths.ts';
import { type ObservedServer, type ProbeFigures, startObservedServer } from '../servers/observed-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Contender, Measure, Sample, Workload } from '../workload.ts';

/** Milliseconds between two pages beside pulls: the rate of ten readers. */
const pace = 50;

const names = Object.keys(toPagePaths(100));
const polls = Object.keys(polledPages).map((name) => `poll-${name}`);

const manifestAccept = 'application/vnd.oci.image.manifest.v1+json';

function toPulls(server: ObservedServer, shape: LargeStoreShape, milliseconds: number): RepeatJob {
  const { host, authorization } = server;
  const paths = Array.from({ length: 200 }, (_, i) => {
    const repository = toRepositoryName((i * 7919) % (shape.repositories / 2));
    return `/v2/${repository}/manifests/1.${i % shape.tags}.0`;
  });
  return { job: 'repeat', host, authorization, paths, accept: manifestAccept, connections: 4, milliseconds };
}

/** Share of the polls that were not answered 304, although nothing changed but the free space of the volume. */
function shareOfFull({ answers }: ProbeFigures): number {
  const found = polls.map((name) => answers[name]!);
  const all = found.reduce((sum, { count }) => sum + count, 0);
  return 1 - found.reduce((sum, { statuses }) => sum + (statuses['304'] ?? 0), 0) / all;
}

/** @param toValue of the figures of one page */
const toMeasures = (
  figures: ProbeFigures,
  suffix: string,
  toValue: (page: ProbeFigures['answers'][string]) => number,
): Record<string, number> =>
  Object.fromEntries(
    [...names, ...polls].map((name) => [`${name} ${suffix}`, toValue(figures.answers[name]!)]),
  );

async function measure(bench: Bench, folder: string, shape: LargeStoreShape): Promise<Sample> {
  await using server = await startObservedServer(folder, { config: { tasks: { keepFinished: 0 } } });
  using client = openPageClient(server);
  const load = await bench.client();
  const { repositories } = shape;
  await askPages(client, { repositories, times: 5 });
  await settleDisk();
  await server.takeFigures();
  await askPages(client, { repositories, times: bench.size(100, 10) });
  const alone = await server.takeFigures();
  const milliseconds = bench.size(15_000, 2000);
  await load.do(toPulls(server, shape, 1000));
  const pulls = await load.do(toPulls(server, shape, milliseconds));
  await server.takeFigures();
  let isOver = false;
  const ask = async (): Promise<void> => {
    while (!isOver) {
      await askPages(client, {
        repositories,
        times: 1,
        pause: () => new Promise((resolve) => setTimeout(resolve, pace)),
      });
    }
  };
  const asking = ask();
  const shared = await load.do(toPulls(server, shape, milliseconds)).finally(() => {
    isOver = true;
  });
  await asking;
  const beside = await server.takeFigures();
  return {
    held: alone.heldCpu,
    'held, wall clock': alone.held,
    full: shareOfFull(alone),
    ...toMeasures(alone, 'p50', ({ p50 }) => p50),
    ...toMeasures(alone, 'p99', ({ p99 }) => p99),
    ...toMeasures(alone, 'processor', ({ cpu50 }) => cpu50),
    ...toMeasures(beside, 'beside pulls', ({ p99 }) => p99),
    pulls: pulls.requests / pulls.seconds,
    shared: shared.requests / shared.seconds / (pulls.requests / pulls.seconds),
    memory: Math.max(alone.memory.rss, beside.memory.rss) / 2 ** 20,
  };
}

export const pages: Workload = {
  id: 'P15',
  title: 'pages of the interface over a store of 100 000 tags, alone and beside pulls',
  async run(bench, compare) {
    const toContender = async (repositories: number): Promise<Contender> => {
      const shape = { repositories, tags: 20 };
      const folder = await bench.createFolder(`p15-${repositories}`);
      await makeLargeStore(folder, shape);
      return { name: `${repositories * shape.tags} tags`, run: () => measure(bench, folder, shape) };
    };
    const large = await toContender(bench.size(5000, 500));
    const small = await toContender(bench.size(500, 100));
    const each = [...names, ...polls].flatMap((name): Measure[] => [
      { key: `${name} p50`, unit: 'ms in the server', better: 'less' },
      { key: `${name} p99`, unit: 'ms in the server', better: 'less' },
      { key: `${name} processor`, unit: 'ms of processor time (median)', better: 'less' },
      { key: `${name} beside pulls`, unit: 'ms in the server (p99)', better: 'less' },
    ]);
    await compare({
      title: 'every page by one client, then beside pulls of manifests over four connections',
      measures: [
        {
          key: 'held',
          unit: 'ms of processor time at most without a turn of the event loop',
          better: 'less',
        },
        { key: 'held, wall clock', unit: 'ms at most without a turn of the event loop', better: 'less' },
        { key: 'full', unit: 'of the polls were not answered 304', better: 'less' },
        ...each,
        { key: 'pulls', unit: 'manifests/s without pages', better: 'more' },
        { key: 'shared', unit: 'of them beside pages', better: 'more' },
        { key: 'memory', unit: 'MiB of memory', better: 'less' },
      ],
      contenders: [large, small],
      limits: [
        ...names.map((name) => ({ measure: `${name} p99`, atMost: 20 })),
        ...polls.map((name) => ({ measure: `${name} p99`, atMost: 2 })),
        { measure: 'held', atMost: 10 },
        { measure: 'full', atMost: 0.05 },
      ],
      pairs: bench.size(3, 1),
    });
  },
};
