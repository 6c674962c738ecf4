import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { type LargeStoreShape, makeLargeStore, toRepositoryName } from './large-store.ts';
import { peakMebibytes } from './process-usage.ts';
import { runMeasured } from './run-measured.ts';
import { type SvcServer, startSvcServer } from './servers/svc-server.ts';
import { settleDisk } from './settle-disk.ts';
import type { Comparison, Contender, Measure, Sample } from './workload.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: Buffer;
  readonly status: number;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Milliseconds that one of a hundred exceeds. */
export function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

/** One request after the other over one connection. @returns milliseconds of each, to the last byte of its answer */
async function timeCalls(server: SvcServer, calls: Iterable<Call>): Promise<number[]> {
  const { hostname, port } = new URL(`http://${server.host}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  try {
    for (const { method, path, type, body, status } of calls) {
      const began = performance.now();
      const answered = await new Promise<number>((resolve, reject) => {
        const headers = {
          authorization: server.authorization!,
          ...(type === undefined ? {} : { 'content-type': type }),
          'content-length': body?.length ?? 0,
        };
        const asked = request({ agent, hostname, port, method, path, headers }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode!));
          answer.on('error', reject);
        });
        asked.on('error', reject);
        asked.end(body);
      });
      times.push(performance.now() - began);
      if (answered !== status) throw new Error(`${method} ${path}: ${answered}`);
    }
  } finally {
    agent.destroy();
  }
  return times;
}

/** Everything that a client sends for one small image that is new in every part. */
function* pushCalls(seed: string): Generator<Call> {
  const repository = `pushed/${seed}`;
  const put = (bytes: Buffer): { digest: string; size: number; call: Call } => {
    const digest = digestOf(bytes);
    const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
    const type = 'application/octet-stream';
    return { digest, size: bytes.length, call: { method: 'POST', path, type, body: bytes, status: 201 } };
  };
  const config = put(Buffer.from(JSON.stringify({ os: 'linux', architecture: 'amd64', seed })));
  const layers = Array.from({ length: 4 }, (_, i) => put(Buffer.alloc(65_536, `${seed} ${i} `)));
  for (const { call } of [config, ...layers]) yield call;
  const describe = (mediaType: string, { digest, size }: { digest: string; size: number }) => ({
    mediaType: `application/vnd.oci.image.${mediaType}`,
    digest,
    size,
  });
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: describe('config.v1+json', config),
    layers: layers.map((layer) => describe('layer.v1.tar', layer)),
  };
  const body = Buffer.from(JSON.stringify(manifest));
  const path = `/v2/${repository}/manifests/1.0.0`;
  yield { method: 'PUT', path, type: manifestType, body, status: 201 };
}

export async function measure(
  bench: Bench,
  folder: string,
  shape: LargeStoreShape,
  round: number,
): Promise<Sample> {
  const program = join(import.meta.dirname, 'open-and-collect.ts');
  const child = await runMeasured(process.execPath, ['--expose-gc', program, folder]);
  const { open, collect, slice, sliceWall, objects, arrays, ledger } = JSON.parse(child.stdout) as Record<
    string,
    number
  >;
  await settleDisk();
  const began = performance.now();
  await using server = await startSvcServer(folder);
  const start = (performance.now() - began) / 1000;
  const asked = bench.size(mostAsked, 100);
  const get = async (toPath: (i: number) => string): Promise<number> => {
    const calls = Array.from({ length: asked }, (_, i) => ({ method: 'GET', path: toPath(i), status: 200 }));
    await timeCalls(server, calls.slice(0, 20));
    return p99(await timeCalls(server, calls));
  };
  // the other half is there to be deleted
  const repositoryOf = (i: number): string => toRepositoryName(repositoryAt(i, shape.repositories));
  const pages = Math.ceil(shape.repositories / 25);
  const list = await get((i) => `/api/v1/content?page=${1 + ((i * 31) % pages)}`);
  const search = await get((i) => `/api/v1/content?q=service-${i % 100}&kind=ContainerImage`);
  const catalog = await get((i) => `/v2/_catalog?n=100&last=${repositoryOf(i)}`);
  const tags = await get((i) => `/v2/${repositoryOf(i)}/tags/list`);
  const detail = await get((i) => `/api/v1/content/${repositoryOf(i)}`);
  await settleDisk();
  const pushes = Array.from({ length: bench.size(100, 20) }, (_, i) => [...pushCalls(`${round}-${i}`)]);
  const push = p99(await timeCalls(server, pushes.flat()));
  await settleDisk();
  const untags = Array.from({ length: bench.size(100, 10) }, (_, i) => ({
    method: 'DELETE',
    path: `/v2/${toRepositoryName(i)}/manifests/1.${round}.0`,
    status: 202,
  }));
  const untag = p99(await timeCalls(server, untags));
  await settleDisk();
  // from the end, each round others
  const deleted = bench.size(50, 10);
  const removals = Array.from({ length: deleted }, (_, i) => ({
    method: 'DELETE',
    path: `/api/v1/content/${toRepositoryName(shape.repositories - 1 - round * deleted - i)}`,
    status: 204,
  }));
  const remove = p99(await timeCalls(server, removals));
  const peak = peakMebibytes(server.pid);
  return {
    open: open! / 1000,
    collect: collect!,
    slice: slice!,
    'slice, wall clock': sliceWall!,
    start,
    list,
    search,
    catalog,
    tags,
    detail,
    push,
    untag,
    remove,
    peak,
    objects: objects!,
    arrays: arrays!,
    ledger: ledger!,
  };
}

export const answers = {
  list: 'page of the list',
  search: 'search',
  catalog: 'page of the catalog',
  tags: 'tags/list',
  detail: 'one repository',
  push: 'request of a push',
  untag: 'deletion of one tag with its files',
};

const measures: readonly Measure[] = [
  { key: 'open', unit: 's to open', better: 'less' },
  { key: 'start', unit: 's until the instance answers', better: 'less' },
  ...Object.entries(answers).map(
    ([key, name]): Measure => ({ key, unit: `ms, ${name} (p99)`, better: 'less' }),
  ),
  { key: 'remove', unit: 'ms, deletion of a repository with its files (p99)', better: 'less' },
  { key: 'collect', unit: 'ms, a collection', better: 'less' },
  { key: 'slice', unit: 'ms of processor time at most without a turn of the event loop', better: 'less' },
  { key: 'slice, wall clock', unit: 'ms at most without a turn of the event loop', better: 'less' },
  { key: 'peak', unit: 'MiB of memory', better: 'less' },
  { key: 'objects', unit: 'bytes of objects a tag, open', better: 'less' },
  { key: 'arrays', unit: 'bytes of flat arrays a digest, open', better: 'less' },
  { key: 'ledger', unit: 'bytes of the ledgers a tag', better: 'less' },
];

/** Repositories of which a run asks; all of them are in the first half, as a run deletes from the end. */
const repositoryAt = (i: number, repositories: number): number => (i * 7919) % (repositories / 2);
const mostAsked = 500;

/** Whether a run reads files of a repository: only those need bytes of their own. */
export function toWritten(repositories: number): (repository: number) => boolean {
  const asked = new Set(Array.from({ length: mostAsked }, (_, i) => repositoryAt(i, repositories)));
  return (repository) => asked.has(repository);
}

/** Opens a store, uses it and collects it, with every size of store in turn. */
export async function compareLargeStores(
  bench: Bench,
  compare: (comparison: Comparison) => Promise<void>,
  options: Pick<Comparison, 'title' | 'limits' | 'targets' | 'pairs'> & {
    readonly shapes: readonly LargeStoreShape[];
  },
): Promise<void> {
  const { shapes, ...comparison } = options;
  const contenders: Contender[] = [];
  for (const shape of shapes) {
    const folder = await bench.createFolder(`large-${shape.repositories}`);
    await makeLargeStore(folder, shape);
    let round = 0;
    contenders.push({
      name: toStoreName(shape),
      run: () => {
        round += 1;
        return measure(bench, folder, shape, round - 1);
      },
    });
  }
  await compare({ ...comparison, measures, contenders });
}

export const toStoreName = ({ repositories, tags }: LargeStoreShape): string => `${repositories * tags} tags`;
