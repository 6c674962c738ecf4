import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Artifact, buildImage } from '../kit/content/content.ts';
import { type Origin, publishRecipe } from '../kit/content/origin.ts';
import { pushArtifactOverHttp } from '../kit/content/push-artifact.ts';
import { writeRetriever } from '../kit/content/retriever.ts';
import { createSigner, type Signer } from '../kit/content/signer.ts';
import type { NodesJob } from './load/jobs.ts';
import type { LoadClient } from './load/load-client.ts';
import { synchronize } from './mirror.ts';
import { cpuSeconds, familyCpuSeconds, machineSeconds } from './process-usage.ts';
import { type CacheServer, startCacheServer } from './servers/cache-server.ts';
import { startDistributionServer } from './servers/distribution-server.ts';
import { findFreePort } from './servers/free-port.ts';
import type { MeasuredServer } from './servers/measured-server.ts';
import { type SvcServer, startSvcServer } from './servers/svc-server.ts';

const recipe = { name: 'delivery', version: '1.0.0' } as const;

/** The delivery that all nodes pull: images whose layers are the same for all, in an origin, with a signed recipe. */
export interface Delivery {
  /** The origin: `127.0.0.1:<port>`. */
  readonly host: string;
  readonly images: readonly { readonly repository: string; readonly artifact: Artifact }[];
  /** Bytes of all manifests and blobs that a node pulls. */
  readonly bytes: number;
  readonly signer: Signer;
  /** Bytes that the origin has sent since this was asked last. */
  takeSent(): number;
}

export interface FleetOptions {
  /** A folder of its own. */
  readonly folder: string;
  readonly delivery: Delivery;
  /** Of each zone, from the origin outwards: a client that plays its nodes. */
  readonly clients: readonly LoadClient[];
  readonly nodes: number;
  readonly programs: { readonly registry: string; readonly nginx: string };
}

/** Measurements at the nodes of all zones and on the links between the zones. */
export interface FleetResult {
  /** Seconds from the delivery's arrival in the origin until the last node has all of it. */
  readonly seconds: number;
  /** Seconds that the nodes of each zone took, from the origin outwards. */
  readonly pulls: readonly number[];
  /** Nodes that gave up, and why the first of them did. */
  readonly failed: number;
  readonly errors: readonly string[];
  /** Requests that nodes sent again. */
  readonly repeated: number;
  /** How often the delivery crossed each link, from the origin outwards; 1: once. */
  readonly links: readonly number[];
  /** The same of the links from the instances to their caches. */
  readonly caches: readonly number[];
  /** When the nodes of each zone began, and the processor time of everything; absent where a zone was restarted. */
  readonly measured?: {
    readonly begins: readonly number[];
    /** Processor seconds, those of the synchronizations aside. */
    readonly instances: number;
    readonly caches: number;
    readonly nodes: number;
    /** Processors that other work of the machine left while nodes pulled. */
    readonly processors: number;
  };
}

export async function publishDelivery(
  folder: string,
  registry: string,
  shape: { readonly images: number; readonly layers: number; readonly layerSize: number },
): Promise<Delivery & AsyncDisposable> {
  let sent = 0;
  const server = await startDistributionServer(registry, folder, {
    onRequest: (request, bytes) => {
      if (request.startsWith('GET ')) sent += bytes;
    },
  });
  const { host } = server;
  const origin: Origin = {
    host,
    put: (repository, artifact, tag) =>
      pushArtifactOverHttp({ registry: `http://${host}`, repository }, artifact, tag),
    putTag: (repository, tag, manifest) =>
      pushArtifactOverHttp({ registry: `http://${host}`, repository }, { manifest, blobs: [] }, tag),
  };
  const signer = createSigner();
  const images = Array.from({ length: shape.images }, (_, i) => ({
    repository: `fleet/image-${i}`,
    artifact: buildImage(`fleet ${i}`, { ownLayers: shape.layers, layerSize: shape.layerSize }),
  }));
  for (const { repository, artifact } of images) await origin.put(repository, artifact, recipe.version);
  await publishRecipe(origin, {
    ...recipe,
    ingredients: images.map(({ repository, artifact }, i) => ({
      name: `image-${i}`,
      repository,
      version: recipe.version,
      digest: artifact.manifest.descriptor.digest,
    })),
    signatures: [{ signer }],
  });
  const bytes = images
    .flatMap(({ artifact: { manifest, blobs } }) => [manifest, ...blobs])
    .reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  return {
    host,
    images,
    bytes,
    signer,
    takeSent: () => {
      const now = sent;
      sent = 0;
      return now;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** @param place where the repositories of the origin are at the registry: a path with its slash */
function toNodesJob(host: string, place: string, { images }: Delivery, nodes: number): NodesJob {
  return {
    job: 'nodes',
    host,
    nodes,
    images: images.map(({ repository, artifact: { blobs } }) => ({
      manifest: `/v2/${place}${repository}/manifests/${recipe.version}`,
      blobs: blobs.map(({ descriptor }) => `/v2/${place}${repository}/blobs/${descriptor.digest}`),
    })),
  };
}

/** Nodes of one zone: the zones share them as evenly as they can. */
export const toShare = (nodes: number, zones: number, zone: number): number =>
  Math.floor(nodes / zones) + (zone < nodes % zones ? 1 : 0);

async function startZone(
  folder: string,
  { host, signer }: Delivery,
  /** The instance that it synchronizes from; undefined: the origin. */
  from: string | undefined,
): Promise<{ readonly server: SvcServer; readonly restart: () => Promise<void> } & AsyncDisposable> {
  await mkdir(folder, { recursive: true });
  const retriever = join(folder, 'retriever.yaml');
  await writeRetriever(retriever, { cookbook: `${host}/cookbook`, recipes: [recipe] }, 'fleet');
  const config = {
    server: { addr: `127.0.0.1:${await findFreePort()}` },
    retriever: { source: retriever },
    registries: {
      insecure: [host, ...(from === undefined ? [] : [from])],
      ...(from === undefined ? {} : { substitutions: { [host]: from } }),
    },
    trust: { roots: [{ name: 'bench', key: signer.publicKeyPem }] },
  };
  const start = () => startSvcServer(folder, { authentication: 'none', config });
  let server = await start();
  return {
    server,
    restart: async () => {
      await server.instance.stop();
      server = await start();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** How often a zone synchronizes before it counts as failed: the zone before it may be away for some seconds. */
const mostSyncs = 20;

/**
 * Synchronizes a zone, again when the zone before it was away, as the schedule of an instance does.
 *
 * @returns bytes that it has received in all
 */
async function follow(server: SvcServer): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await synchronize(server);
      break;
    } catch (error) {
      if (attempt === mostSyncs) throw error;
      await pause(500);
    }
  }
  const metrics = await (await fetch(`${server.instance.url}/metrics`)).text();
  const [, bytes] = /^svc_sync_transferred_bytes_total (\d+)$/m.exec(metrics) ?? [];
  if (bytes === undefined) throw new Error('the instance counts no bytes of its synchronizations');
  return Number(bytes);
}

/**
 * A delivery through zones of svc in cascade, each of which has a cache that its nodes pull from. A zone synchronizes when
 * the one before it has the delivery, and its nodes pull when it has it itself.
 *
 * @param restartAfter seconds that the nodes of the second zone have pulled when its instance is restarted
 */
export async function deliverThroughZones(
  { folder, delivery, clients, nodes, programs }: FleetOptions,
  restartAfter?: number,
): Promise<FleetResult> {
  await using open = new AsyncDisposableStack();
  const zones: { readonly zone: Awaited<ReturnType<typeof startZone>>; readonly cache: CacheServer }[] = [];
  for (const i of clients.keys()) {
    const from = zones[i - 1]?.zone.server.host;
    const zone = open.use(await startZone(join(folder, `zone-${i}`), delivery, from));
    const cache = open.use(
      await startCacheServer({
        program: programs.nginx,
        folder: join(folder, `cache-${i}`),
        instance: zone.server.host,
      }),
    );
    zones.push({ zone, cache });
  }
  const place = `${delivery.host.replace(':', '_')}/`;
  const instances = zones.map(() => 0);
  const weigh = () => ({
    instances: instances.reduce((sum, before, i) => sum + cpuSeconds(zones[i]!.zone.server.pid) - before, 0),
    caches: zones.reduce((sum, { cache }) => sum + familyCpuSeconds(cache.pid), 0),
    nodes: clients.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    machine: machineSeconds(),
  });
  let before = weigh();
  const began = performance.now();
  const begins: number[] = [];
  const links: number[] = [];
  const pulls: Promise<Awaited<ReturnType<LoadClient['do']>>>[] = [];
  const restarts: Promise<void>[] = [];
  open.defer(async () => {
    await Promise.allSettled(restarts);
  });
  for (const [i, { zone, cache }] of zones.entries()) {
    links.push((await follow(zone.server)) / delivery.bytes);
    begins.push((performance.now() - began) / 1000);
    if (restartAfter === undefined) {
      instances[i] = cpuSeconds(zone.server.pid);
      // the first nodes begin now
      if (i === 0) before = weigh();
    }
    pulls.push(clients[i]!.do(toNodesJob(cache.host, place, delivery, toShare(nodes, clients.length, i))));
    if (i === 1 && restartAfter !== undefined)
      restarts.push(pause(restartAfter * 1000).then(() => zone.restart()));
  }
  const results = await Promise.all(pulls);
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(restarts);
  const fetched = await Promise.all(zones.map(({ cache }) => cache.countFetched()));
  const result = {
    ...{ ...summarize(results), seconds, links },
    caches: fetched.map((bytes) => bytes / delivery.bytes),
  };
  if (restartAfter !== undefined) return result;
  const after = weigh();
  const own = {
    instances: after.instances,
    caches: after.caches - before.caches,
    nodes: after.nodes - before.nodes,
  };
  const { busy, all } = {
    busy: after.machine.busy - before.machine.busy,
    all: after.machine.all - before.machine.all,
  };
  const others = Math.max(0, busy - own.instances - own.caches - own.nodes);
  return {
    ...result,
    measured: { begins, ...own, processors: availableParallelism() * (1 - others / all) },
  };
}

/** The same through pull-through caches in cascade, whose nodes pull from the beginning: there is nothing to wait for. */
export async function deliverThroughProxies({
  folder,
  delivery,
  clients,
  nodes,
  programs,
}: FleetOptions): Promise<FleetResult> {
  await using open = new AsyncDisposableStack();
  const sent = clients.map(() => 0);
  const proxies: MeasuredServer[] = [];
  for (const i of clients.keys())
    proxies.push(
      open.use(
        await startDistributionServer(programs.registry, join(folder, `proxy-${i}`), {
          proxy: `http://${proxies[i - 1]?.host ?? delivery.host}`,
          onRequest: (request, bytes) => {
            if (request.startsWith('GET ')) sent[i]! += bytes;
          },
        }),
      ),
    );
  delivery.takeSent();
  const began = performance.now();
  const results = await Promise.all(
    clients.map((client, i) =>
      client.do(toNodesJob(proxies[i]!.host, '', delivery, toShare(nodes, clients.length, i))),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  // the last lines of their logs
  await pause(200);
  const links = [delivery.takeSent(), ...sent.map((bytes, i) => bytes - results[i]!.bytes)];
  return {
    ...summarize(results),
    seconds,
    links: links.slice(0, clients.length).map((bytes) => bytes / delivery.bytes),
    caches: [],
  };
}

function summarize(
  results: readonly Awaited<ReturnType<LoadClient['do']>>[],
): Pick<FleetResult, 'pulls' | 'failed' | 'errors' | 'repeated'> {
  const sum = (key: 'failed' | 'repeated'): number =>
    results.reduce((all, result) => all + (result[key] ?? 0), 0);
  return {
    pulls: results.map(({ seconds }) => seconds),
    failed: sum('failed'),
    repeated: sum('repeated'),
    errors: results.flatMap(({ errors = [] }) => errors),
  };
}
