import { join } from 'node:path';
import type { Task } from '../../src/contract/task.ts';
import { buildImage } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { writeRetriever } from '../kit/content/retriever.ts';
import { createSigner, type Signer } from '../kit/content/signer.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { type LargeStoreShape, toLayerDigest, toRepositoryName } from './large-store.ts';
import type { JobResult, MixJob, MixKind } from './load/jobs.ts';
import type { LoadClient } from './load/load-client.ts';
import { zone } from './mirror.ts';
import { toPagePaths } from './pages/page-paths.ts';
import { peakMebibytes } from './process-usage.ts';
import { type ObservedServer, type ProbeFigures, startObservedServer } from './servers/observed-server.ts';

export interface MixedOptions {
  readonly folder: string;
  /** Of the store that lies in the folder. */
  readonly shape: LargeStoreShape;
  readonly clients: MixJob['clients'];
  readonly seconds: number;
  readonly load: LoadClient;
  /** Makes the pushed content: another one in each run over the same store. */
  readonly seed: string;
}

export interface MixedResult {
  readonly job: JobResult;
  readonly figures: ProbeFigures;
  /** Synchronizations that ended well, each followed by its prune and collection, and tags that they removed. */
  readonly syncs: number;
  readonly pruned: number;
  readonly deletions: number;
  /** Everything that went wrong with them. */
  readonly failures: readonly string[];
  /** Highest resident size in MiB, and the sizes after one and after two thirds and at the end. */
  readonly peak: number;
  readonly memory: readonly number[];
}

const recipes = Array.from({ length: 6 }, (_, i) => `mixed-${i}`);

async function fillOrigin(registry: RegistryDouble, signer: Signer): Promise<void> {
  const origin = toOrigin(registry);
  for (const [i, name] of recipes.entries()) {
    const image = buildImage(name, { ownLayers: 3, layerSize: 256 << 10 });
    await origin.put(`mixed/image-${i}`, image, '1.0.0');
    const { digest } = image.manifest.descriptor;
    const ingredients = [{ name: 'image', repository: `mixed/image-${i}`, version: '1.0.0', digest }];
    await publishRecipe(origin, { name, version: '1.0.0', ingredients, signatures: [{ signer }] });
  }
}

const want = (path: string, host: string, names: readonly string[]): Promise<void> =>
  writeRetriever(
    path,
    { cookbook: `${host}/cookbook`, recipes: names.map((name) => ({ name, version: '1.0.0' })) },
    zone,
  );

/** The requests of the clients: for nothing that a prune or a deletion of the run removes. */
function toJob({ shape, clients, seconds, seed }: MixedOptions, server: ObservedServer): MixJob {
  const { repositories, tags } = shape;
  const count = Math.min(repositories, 200);
  const repositoryAt = (i: number): number => (i * 7919) % (repositories / 2);
  const nameAt = (i: number): string => toRepositoryName(repositoryAt(i));
  const { 'pinned-version': _, recipe: __, mapping: ___, ...paths } = toPagePaths(repositories);
  const list = <T>(toItem: (i: number) => T): T[] => Array.from({ length: count }, (_item, i) => toItem(i));
  return {
    job: 'mix',
    host: server.host,
    authorization: server.authorization,
    clients,
    seed,
    milliseconds: seconds * 1000,
    pulls: list((i) => {
      // the first versions of some repositories are those of recipes that are pruned
      const tag = 5 + (i % (tags - 5));
      const name = nameAt(i);
      const layer = toLayerDigest(repositoryAt(i), tag, i % 4);
      return { manifest: `/v2/${name}/manifests/1.${tag}.0`, blob: `/v2/${name}/blobs/${layer}` };
    }),
    lists: list((i) => [`/v2/_catalog?n=100&last=${nameAt(i)}`, `/v2/${nameAt(i)}/tags/list`]).flat(),
    calls: list((i) => [
      `/api/v1/content?page=${1 + (i % 20)}`,
      `/api/v1/content/${nameAt(i)}`,
      '/api/v1/recipes',
      '/api/v1/tasks?view=summary',
      '/api/v1/status',
    ]).flat(),
    pages: list((i) => Object.values(paths).map((toPath) => toPath(i))).flat(),
  };
}

/** Synchronizes with a prune, each time other recipes than before, and deletes a repository, until it is stopped. */
async function changeContent(
  server: ObservedServer,
  { folder, shape }: MixedOptions,
  host: string,
  isOver: () => boolean,
): Promise<Pick<MixedResult, 'syncs' | 'pruned' | 'deletions' | 'failures'>> {
  const { api } = server.instance;
  const failures: string[] = [];
  let syncs = 0;
  let pruned = 0;
  let deletions = 0;
  for (let round = 0; !isOver(); round += 1) {
    await want(join(folder, 'retriever.yaml'), host, recipes.slice(0, round % 2 === 0 ? 3 : undefined));
    const started = await api('POST', '/sync', { prune: true });
    if (started.status !== 201) {
      failures.push(`sync: ${started.status} ${JSON.stringify(started.body)}`);
      break;
    }
    let task = started.body.task as Task;
    while (task.status === 'pending' || task.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 250));
      ({
        body: { task },
      } = await api('GET', `/tasks/${task.id}`));
    }
    if (task.status === 'done') syncs += 1;
    else failures.push(`sync: ${JSON.stringify(task.error ?? task.items.find(({ error }) => error)?.error)}`);
    pruned += task.pruned?.length ?? 0;
    const name = toRepositoryName(shape.repositories - 1 - round);
    const { status, body } = await api('DELETE', `/content/${name}`);
    if (status === 204) deletions += 1;
    else failures.push(`deletion of ${name}: ${status} ${JSON.stringify(body)}`);
  }
  return { syncs, pruned, deletions, failures };
}

/**
 * Has many clients use an instance over a large store, while content is synchronized, pruned, deleted and collected.
 * The folder is used up: repositories are deleted from the end.
 */
export async function runMixed(options: MixedOptions): Promise<MixedResult> {
  const { folder, seconds, load } = options;
  await using registry = await createRegistryDouble();
  const signer = createSigner();
  await fillOrigin(registry, signer);
  const retriever = join(folder, 'retriever.yaml');
  await want(retriever, registry.host, recipes);
  await using server = await startObservedServer(folder, {
    config: {
      tasks: { keepFinished: 0 },
      retriever: { source: retriever },
      registries: { insecure: [registry.host] },
      trust: { roots: [{ name: 'bench', key: signer.publicKeyPem }] },
    },
  });
  await server.takeFigures();
  let isOver = false;
  const changes = changeContent(server, options, registry.host, () => isOver);
  const memory: number[] = [];
  const figures: ProbeFigures[] = [];
  const jobs: JobResult[] = [];
  try {
    // in thirds, so that memory that grows is seen
    for (let third = 0; third < 3; third += 1) {
      const part = { ...options, seconds: seconds / 3, seed: `${options.seed} ${third}` };
      jobs.push(await load.do(toJob(part, server)));
      figures.push(await server.takeFigures());
      memory.push(figures.at(-1)!.memory.rss / 2 ** 20);
    }
  } finally {
    isOver = true;
  }
  return {
    ...(await changes),
    job: mergeJobs(jobs),
    figures: figures.at(-1)!,
    peak: peakMebibytes(server.pid),
    memory,
  };
}

/** @returns the sums, and of each kind the worst third */
function mergeJobs(jobs: readonly JobResult[]): JobResult {
  const sum = (toValue: (job: JobResult) => number): number =>
    jobs.reduce((all, job) => all + toValue(job), 0);
  const kinds = Object.keys(jobs[0]?.p99s ?? {}) as MixKind[];
  return {
    seconds: sum(({ seconds }) => seconds),
    bytes: sum(({ bytes }) => bytes),
    requests: sum(({ requests }) => requests),
    failed: sum(({ failed = 0 }) => failed),
    errors: jobs.flatMap(({ errors = [] }) => errors),
    p99s: Object.fromEntries(
      kinds.map((kind) => [kind, Math.max(...jobs.map(({ p99s }) => p99s?.[kind] ?? 0))]),
    ),
  };
}
