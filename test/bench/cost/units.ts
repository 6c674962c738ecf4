import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import type { LoadClient } from '../load/load-client.ts';
import { getMedium, type Medium, writeZone } from '../medium.ts';
import { zone as receiver, startMirror, synchronize } from '../mirror.ts';
import { openPageClient, type PageClient } from '../pages/page-client.ts';
import { cpuSeconds } from '../process-usage.ts';
import { runMeasured } from '../run-measured.ts';
import { type SvcServer, startSvcServer } from '../servers/svc-server.ts';
import { settleDisk } from '../settle-disk.ts';
import { writeSmallFiles } from '../small-files.ts';
import { firstPull } from './table.ts';

const mebibyte = 2 ** 20;

/** Processor seconds of one unit of each workload, by its name in the table. */
export type Costs = Readonly<Record<string, number>>;

/** Measures a group of workloads once. */
export type MeasureCosts = () => Promise<Costs>;

/** Makes content that was not pushed before. */
let seeds = 0;
const toSeed = (): string => {
  seeds += 1;
  return `cost ${seeds}`;
};

async function costOf(server: SvcServer, work: () => Promise<unknown>): Promise<number> {
  const before = cpuSeconds(server.pid);
  await work();
  return cpuSeconds(server.pid) - before;
}

/** One blob pushed, pulled by the first client and by those after it. */
function measureBlobs(server: SvcServer, client: LoadClient): MeasureCosts {
  const { host, authorization } = server;
  const size = 256 * mebibyte;
  const perGibibyte = 1024 / 256;
  const at = { host, authorization, repository: 'cost/blob', size } as const;
  return async () => {
    let digest: string | undefined;
    const push = async (chunk?: number): Promise<void> => {
      ({ digest } = await client.do({
        job: 'push',
        ...at,
        seed: toSeed(),
        ...(chunk === undefined ? {} : { chunk }),
      }));
    };
    const pull = (connections: number) =>
      client.do({ job: 'pull', host, authorization, path: `/v2/cost/blob/blobs/${digest}`, connections });
    const inChunks = await costOf(server, () => push(16 * mebibyte));
    const atOnce = await costOf(server, () => push());
    const first = await costOf(server, () => pull(1));
    const again = await costOf(server, () => pull(8));
    return {
      'PUT 1 GiB, at once': atOnce * perGibibyte,
      'PUT 1 GiB, in chunks of 16 MiB': inChunks * perGibibyte,
      [firstPull]: first * perGibibyte,
      'GET 1 GiB, again': (again * perGibibyte) / 8,
    };
  };
}

/** Many small requests. */
function measureSmall(server: SvcServer, client: LoadClient, pages: PageClient): MeasureCosts {
  const { host, authorization } = server;
  const accept = 'application/vnd.oci.image.manifest.v1+json';
  const paths = ['/v2/cost/blob/manifests/latest'];
  return async () => {
    let requests = 0;
    const manifests = await costOf(server, async () => {
      const job = { job: 'repeat', host, authorization, paths, accept, connections: 64 } as const;
      ({ requests } = await client.do({ ...job, milliseconds: 600 }));
    });
    const images = 40;
    const pushed = await costOf(server, () =>
      client.do({
        ...{ job: 'images', host, authorization, images, layers: 5, layerBytes: 65_536, connections: 4 },
        seed: toSeed(),
      }),
    );
    const times = 80;
    const shown = await costOf(server, async () => {
      for (let n = 0; n < times; n += 1)
        for (const path of ['/', `/content?page=1&q=${n}`, '/tasks', '/recipes']) {
          const { status } = await pages.get('page', path);
          if (status !== 200) throw new Error(`${path}: ${status}`);
        }
    });
    return {
      'GET of a manifest, 10 000 requests': (manifests * 10_000) / requests,
      'push of 100 small images of 5 layers': (pushed * 100) / images,
      'pages, 100 requests': (shown * 100) / (times * 4),
    };
  };
}

/** The first synchronization of a corpus, and synchronizations with nothing to do. */
function measureSyncs(bench: Bench, medium: Medium): MeasureCosts {
  const repeats = 10;
  // answers cost as well, and a busy machine would be asked more often
  const rarely = 100;
  return () =>
    bench.withFolder('cost-sync', async (folder) => {
      await using mirror = await startMirror(folder, medium.corpus);
      const first = await costOf(mirror, () => synchronize(mirror, rarely));
      const again = await costOf(mirror, async () => {
        for (let n = 0; n < repeats; n += 1) await synchronize(mirror, rarely);
      });
      return { 'first synchronization': first, '10 synchronizations, nothing to do': again };
    });
}

/** Commands, as whole processes. */
async function openCommands(bench: Bench, medium: Medium): Promise<MeasureCosts> {
  const svc = async (...args: readonly string[]): Promise<number> =>
    (await runMeasured(process.env.SVC_BIN!, args, { env: { HOME: bench.folder } })).cpu;
  const zone = await writeZone(await bench.createFolder('cost-zone'), medium);
  // the instance that owns the content writes media, not a zone
  const own = ['--config', zone, '--state-root', medium.state, '--zone', receiver, '--base', 'none'];
  const files = join(await bench.createFolder('cost-files'), 'small');
  await writeSmallFiles(files, 5000);
  const layout = join(await bench.createFolder('cost-layout'), 'all.tar');
  await svc('export', layout, '--storage-root', medium.root);
  return () =>
    bench.withFolder('cost-commands', async (folder) => {
      const at = ['--storage-root', join(folder, 'store'), '--state-root', join(folder, 'state')];
      await using registry = await startSvcServer(join(folder, 'registry'), { authentication: 'none' });
      const target = await writeZone(folder, medium, registry.host);
      let starts = 0;
      for (let n = 0; n < 10; n += 1) starts += await svc('version');
      return {
        'start, 10 times `svc version`': starts,
        '`svc media verify`': await svc('media', 'verify', '--config', zone),
        '`svc media import`': await svc('media', 'import', '--config', target),
        '`svc media write`': await svc('media', 'write', join(folder, 'disk'), ...own),
        '`svc export`': await svc('export', join(folder, 'out.tar'), '--storage-root', medium.root),
        '`svc import`': await svc('import', layout, ...at),
        '`svc fileset pack`, 5 000 files': await svc('fileset', 'pack', files, 'cost:1', ...at),
      };
    });
}

/** Everything that is measured; each function is called once a round. */
export async function openUnits(bench: Bench): Promise<readonly MeasureCosts[]> {
  const client = await bench.client();
  const server = bench.keep(await startSvcServer(await bench.createFolder('cost-server')));
  const pages = openPageClient(server);
  const medium = await getMedium(bench);
  await settleDisk();
  return [
    measureBlobs(server, client),
    measureSmall(server, client, pages),
    measureSyncs(bench, medium),
    await openCommands(bench, medium),
  ];
}
