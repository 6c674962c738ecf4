import { toFreshServers } from '../fresh-servers.ts';
import type { ImagesJob } from '../load/jobs.ts';
import { type MeasuredServer, measureServer } from '../servers/measured-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Workload } from '../workload.ts';

/** Small images for one server: five layers of 64 KiB each, four clients. */
export function toImagesJob(
  server: Pick<MeasuredServer, 'host' | 'authorization'>,
  images: number,
  seed: string,
): ImagesJob {
  const { host, authorization } = server;
  return { job: 'images', host, authorization, images, layers: 5, layerBytes: 65_536, connections: 4, seed };
}

export const pushImages: Workload = {
  id: 'P4',
  title: 'push of small images',
  async run(bench, compare) {
    const images = bench.size(200, 40);
    const client = await bench.client();
    await compare({
      title: `push of ${images} images with 5 layers of 64 KiB, 4 clients`,
      measures: [
        { key: 'rate', unit: 'images/s', better: 'more' },
        { key: 'cpu', unit: 's of server CPU', better: 'less' },
        { key: 'peak', unit: 'MiB of server memory', better: 'less' },
      ],
      contenders: toFreshServers(bench, async (server) => {
        await client.do(toImagesJob(server, 5, 'P4, to warm up'));
        await settleDisk();
        const { result, cpu, peak } = await measureServer(server, () =>
          client.do(toImagesJob(server, images, 'P4')),
        );
        return { rate: images / result.seconds, cpu, peak };
      }),
      targets: [
        { measure: 'rate', against: 'registry', atLeast: 3.5 },
        { measure: 'rate', against: 'zot', atLeast: 2.2 },
      ],
      missing: bench.missing('registry', 'docker-registry', 'zot'),
      ceiling: async () => {
        const { seconds } = await client.do(toImagesJob(await bench.zeros(), images, 'P4'));
        return images / seconds;
      },
    });
  },
};
