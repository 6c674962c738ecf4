import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNginxCache } from '../../kit/program/nginx-cache.ts';
import { tlsPair } from '../../kit/program/tls-pair.ts';
import type { Bench } from '../bench.ts';
import type { LoadClient } from '../load/load-client.ts';
import { cpuSeconds, familyCpuSeconds } from '../process-usage.ts';
import { startCacheServer } from '../servers/cache-server.ts';
import { type SvcServer, startSvcServer } from '../servers/svc-server.ts';
import type { Contender, Measure, Sample, Workload } from '../workload.ts';

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const smallLayer = 2 ** 16;

/** An instance with one large layer, small layers and their manifests. */
interface Source {
  readonly server: SvcServer;
  /** As clients name it: the name of its certificate. */
  readonly host: string;
  readonly authorization: string;
  readonly tls: boolean;
  readonly large: string;
  readonly manifests: readonly string[];
  readonly layers: readonly string[];
}

interface Cache extends AsyncDisposable {
  readonly host: string;
  readonly pid: number;
}

async function openSource(bench: Bench, client: LoadClient, size: number, tls: boolean): Promise<Source> {
  const folder = await bench.createFolder('p20-instance');
  const pushed = await startSvcServer(folder);
  const authorization = `Bearer ${await pushed.instance.createToken('viewer')}`;
  const { host, authorization: writer } = pushed;
  const at = { host, authorization: writer };
  const push = async (repository: string, bytes: number): Promise<string> => {
    const { digest } = await client.do({ job: 'push', ...at, repository, size: bytes, seed: repository });
    return `/v2/${repository}/blobs/${digest}`;
  };
  const large = await push('pulls/large', size);
  const layers: string[] = [];
  for (let n = 0; n < 8; n += 1) layers.push(await push(`pulls/small-${n}`, smallLayer));
  const manifests = layers.map((path) => path.replace(/blobs\/.*/, 'manifests/latest'));
  if (!tls) {
    bench.keep(pushed);
    return { server: pushed, host, authorization, tls, large, manifests, layers };
  }
  await pushed.instance.stop();
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  await writeFile(certFile, tlsPair.cert);
  await writeFile(keyFile, tlsPair.key, { mode: 0o600 });
  const config = { server: { addr: '127.0.0.1:0', tls: { certFile, keyFile } } };
  const server = bench.keep(await startSvcServer(folder, { authentication: 'basic', config }));
  return {
    ...{ server, host: server.host.replace('127.0.0.1', 'localhost') },
    ...{ authorization, tls, large, manifests, layers },
  };
}

async function startCache(program: string, folder: string, { server, tls }: Source): Promise<Cache> {
  if (!tls) return startCacheServer({ program, folder, instance: server.host });
  const cache = await startNginxCache({ program, folder, upstream: Number(server.host.split(':')[1]) });
  return {
    host: `localhost:${cache.port}`,
    pid: cache.child.pid!,
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
}

export const pulls: Workload = {
  id: 'P20',
  title: 'processor time of pulls, from an instance and through a cache, with and without TLS',
  async run(bench, compare) {
    const program = bench.peer('nginx');
    if (program === undefined) throw new Error('needs nginx');
    const client = await bench.client();
    const size = bench.size(1024, 64) * mebibyte;
    for (const tls of [true, false]) {
      const source = await openSource(bench, client, size, tls);
      const { authorization } = source;
      /** Processor seconds of both servers and of the client during some requests, divided by their number. */
      const weigh = async (
        work: () => Promise<{ readonly seconds: number; readonly units: number }>,
        cache?: Cache,
      ): Promise<Sample> => {
        const read = () => ({
          instance: cpuSeconds(source.server.pid),
          ...(cache && { cache: familyCpuSeconds(cache.pid) }),
          client: cpuSeconds(client.pid),
        });
        const before: Sample = read();
        const { seconds, units } = await work();
        const after = Object.entries(read()).map(([key, value]) => [key, (value! - before[key]!) / units]);
        return { rate: units / seconds, ...Object.fromEntries(after) };
      };
      const pull = async (host: string) => {
        const job = { job: 'pull', host, authorization, tls, path: source.large, connections: 1 } as const;
        const { bytes, seconds } = await client.do(job);
        return { seconds, units: bytes / gibibyte };
      };
      const ask = async (host: string, paths: readonly string[]) => {
        const { requests, seconds } = await client.do({
          ...{ job: 'repeat', host, authorization, tls, paths },
          ...{ accept: 'application/vnd.oci.image.manifest.v1+json', connections: 64 },
          milliseconds: bench.size(2000, 500),
        });
        return { seconds, units: requests / 1000 };
      };
      const cacheOf = async (name: string): Promise<Cache> =>
        startCache(program, await bench.createFolder(name), source);
      const warm = bench.keep(await cacheOf('p20-cache'));
      await pull(source.host);
      await pull(warm.host);
      await ask(warm.host, source.layers);
      const measures = (unit: string): Measure[] => [
        { key: 'rate', unit: `${unit} a second`, better: 'none' },
        { key: 'instance', unit: `s of the instance for ${unit}`, better: 'none' },
        { key: 'cache', unit: `s of nginx for ${unit}`, better: 'none' },
        { key: 'client', unit: `s of the client for ${unit}`, better: 'none' },
      ];
      const over = tls ? 'TLS' : 'plain HTTP';
      await compare({
        title: `a layer of ${size / mebibyte} MiB over ${over}, one client`,
        measures: measures('1 GiB'),
        contenders: [
          { name: 'the instance', run: () => weigh(() => pull(source.host)) },
          { name: 'a cache that has it', run: () => weigh(() => pull(warm.host), warm) },
          {
            name: 'a cache that fetches it',
            run: async () => {
              await using cold = await cacheOf('p20-cold');
              return await weigh(() => pull(cold.host), cold);
            },
          },
        ],
      });
      const asking = (name: string, paths: readonly string[]): Contender[] => [
        { name: `${name}, the instance`, run: () => weigh(() => ask(source.host, paths)) },
        { name: `${name}, a cache`, run: () => weigh(() => ask(warm.host, paths), warm) },
      ];
      await compare({
        title: `small requests over ${over}, 64 connections`,
        measures: measures('1000 requests'),
        contenders: [
          ...asking('manifests', source.manifests),
          ...asking(`layers of ${smallLayer / 1024} KiB`, source.layers),
        ],
      });
    }
  },
};
