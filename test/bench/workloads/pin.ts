import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachBounded } from '../../../src/base/concurrency.ts';
import { buildImage } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { runMeasured } from '../run-measured.ts';
import { startDistributionServer } from '../servers/distribution-server.ts';
import type { Contender, Workload } from '../workload.ts';

/** The work of a shell with a list of images: one process of crane for each, eight at a time. */
const craneDigests = 'xargs -P8 -n1 "$1" digest --insecure < "$2"';

export const pin: Workload = {
  id: 'PIN',
  title: 'svc recipe pin of many images',
  async run(bench, compare) {
    const program = bench.peer('registry');
    if (program === undefined) throw new Error('needs registry, where the images are');
    const count = bench.size(200, 20);
    const folder = await bench.createFolder('pin');
    await using server = await startDistributionServer(program, join(folder, 'registry'));
    const { host } = server;
    const names = Array.from({ length: count }, (_, i) => `image-${i}`);
    await forEachBounded(names, 4, (name) =>
      pushArtifactOverHttp(
        { registry: `http://${host}`, repository: `shop/${name}` },
        buildImage(name),
        '1.0.0',
      ),
    );
    const path = (name: string): string => join(folder, name);
    await writeFile(path('images'), names.map((name) => `${host}/shop/${name}:1.0.0\n`).join(''));
    await writeFile(path('svc.yaml'), JSON.stringify({ registries: { insecure: [host] } }));
    const ingredients = names.map(
      (name) =>
        `    - {name: ${name}, kind: ContainerImage, ref: ${host}/shop/${name}, version: 1.0.0} # ${name}\n`,
    );
    await writeFile(
      path('draft.yaml'),
      `apiVersion: recipe.tobby.dev/v1alpha1\nkind: Recipe\nmetadata: {name: shop, version: 1.0.0}\nspec:\n  ingredients:\n${ingredients.join('')}`,
    );
    // crane is many processes, whose memory is not that of the one which starts them
    const toContender = (
      name: string,
      command: string,
      args: readonly string[],
      isOne: boolean,
    ): Contender => ({
      name,
      run: async () => {
        await rm(path('pinned.yaml'), { force: true });
        const { seconds, cpu, peak } = await runMeasured(command, args, { env: { HOME: folder } });
        return { time: seconds, cpu, ...(isOne ? { peak } : {}) };
      },
    });
    const crane = bench.peer('crane');
    await compare({
      title: `${count} images to digests, each manifest read and checked; crane asks for the digest alone, eight at once`,
      measures: [
        { key: 'time', unit: 's', better: 'less' },
        { key: 'cpu', unit: 's of CPU', better: 'less' },
        { key: 'peak', unit: 'MiB of memory', better: 'none' },
      ],
      contenders: [
        toContender(
          'svc recipe pin',
          process.env.SVC_BIN!,
          ['recipe', 'pin', path('draft.yaml'), '--out', path('pinned.yaml'), '--config', path('svc.yaml')],
          true,
        ),
        ...(crane === undefined
          ? []
          : [toContender('crane', '/bin/sh', ['-c', craneDigests, 'sh', crane, path('images')], false)]),
      ],
      limits: [{ measure: 'peak', atMost: 180 }],
      missing: bench.missing('crane'),
    });
  },
};
