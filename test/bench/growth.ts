import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { openRepository } from '../../src/store/open-repository.ts';
import { openStore } from '../../src/store/opening/open-store.ts';
import { putTags } from '../../src/store/put-tags.ts';
import { writeRest } from '../../src/store/rest/write-rest.ts';
import { buildImage, pushArtifact } from '../kit/content/content.ts';
import { writeRetriever } from '../kit/content/retriever.ts';
import type { Bench } from './bench.ts';
import { type Corpus, getCorpus } from './corpus.ts';
import { toLargeStoreOptions } from './large-store.ts';
import { synchronize, zone } from './mirror.ts';
import { peakMebibytes } from './process-usage.ts';
import { startSvcServer } from './servers/svc-server.ts';
import { settleDisk } from './settle-disk.ts';
import type { Contender, Sample, Workload } from './workload.ts';
import { putSmallManifest, toManifestJob } from './workloads/p3-manifests.ts';
import { toImagesJob } from './workloads/p4-push-images.ts';

/** A folder with store and state, so many tags over a twentieth as many repositories, of a few images. */
async function makeStore(folder: string, tags: number): Promise<void> {
  await using store = await openStore(toLargeStoreOptions(folder));
  const owner = { provenance: 'push' } as const;
  const images = Array.from({ length: 20 }, (_, i) => buildImage(`growth ${i}`));
  for (const image of images)
    await pushArtifact(
      openRepository(store, 'growth/seed', {
        owner: { provenance: 'recipe', recipe: 'growth', cookbook: 'growth' },
      }),
      image,
      `seed-${image.manifest.descriptor.digest.slice(7, 19)}`,
    );
  const batch = 2000;
  for (let from = 0; from < tags; from += batch) {
    await putTags(
      store,
      Array.from({ length: Math.min(batch, tags - from) }, (_, i) => ({
        repository: `growth/repository-${Math.floor((from + i) / 20)}`,
        tag: `v${(from + i) % 20}`,
        digest: images[i % images.length]!.manifest.descriptor.digest,
        kind: 'ContainerImage' as const,
        owner,
      })),
    );
  }
}

/** Seconds that the files at rest take after one change: they name everything, and a synchronization ends with them. */
async function timeRest(folder: string): Promise<number> {
  await using store = await openStore(toLargeStoreOptions(folder));
  const { digest, kind } = store.index.tag('growth/repository-0', 'v0')!;
  const owner = { provenance: 'import' } as const;
  await putTags(store, [{ repository: 'growth/rest', tag: 'v0', digest, kind, owner }]);
  const began = performance.now();
  await writeRest(store);
  return (performance.now() - began) / 1000;
}

async function measure(bench: Bench, template: string, corpus: Corpus): Promise<Sample> {
  const client = await bench.client();
  const images = bench.size(200, 20);
  return bench.withFolder('growth-run', async (folder) => {
    await cp(template, folder, { recursive: true });
    const retriever = join(folder, 'retriever.yaml');
    const [recipe] = corpus.recipes;
    await writeRetriever(
      retriever,
      {
        cookbook: `${corpus.host}/cookbook`,
        recipes: [{ name: recipe!.name, version: recipe!.version }],
      },
      zone,
    );
    const rest = await timeRest(folder);
    const began = performance.now();
    await using server = await startSvcServer(folder, {
      config: {
        retriever: { source: retriever },
        registries: { insecure: [corpus.host] },
        trust: { roots: [{ name: 'bench', key: corpus.signer.publicKeyPem }] },
      },
    });
    const start = (performance.now() - began) / 1000;
    await putSmallManifest(server);
    const job = toManifestJob(server, '1.0.0', bench.size(2000, 500));
    await client.do(job);
    const gets = await client.do(job);
    await client.do(toImagesJob(server, 5, 'growth, to warm up'));
    await settleDisk();
    const pushes = await client.do(toImagesJob(server, images, 'growth'));
    await settleDisk();
    const first = await synchronize(server);
    const again = await synchronize(server);
    return {
      gets: gets.requests / gets.seconds,
      pushes: images / pushes.seconds,
      sync: first.seconds,
      again: again.task,
      rest,
      start,
      peak: peakMebibytes(server.pid),
    };
  });
}

export const growth: Workload = {
  id: 'growth',
  title: 'pulls, pushes and a synchronization on a small and on a large store',
  async run(bench, compare) {
    const corpus = await getCorpus(bench);
    const contenders: Contender[] = [];
    for (const tags of [bench.size(100_000, 10_000), 100]) {
      const template = await bench.createFolder(`growth-${tags}`);
      await makeStore(template, tags);
      contenders.push({ name: `${tags} tags`, run: () => measure(bench, template, corpus) });
    }
    await compare({
      title: 'the same work on a large store and on a small one',
      measures: [
        { key: 'gets', unit: 'manifests/s (P3)', better: 'more' },
        { key: 'pushes', unit: 'images/s (P4)', better: 'more' },
        { key: 'sync', unit: 's, first synchronization', better: 'less' },
        { key: 'again', unit: 's, nothing to do', better: 'less' },
        { key: 'rest', unit: 's, the files at rest', better: 'less' },
        { key: 'start', unit: 's to start', better: 'less' },
        { key: 'peak', unit: 'MiB of memory', better: 'less' },
      ],
      contenders,
    });
  },
};
