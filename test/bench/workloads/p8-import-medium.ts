import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { getMedium, type Medium, writeZone } from '../medium.ts';
import { type Measured, runMeasured } from '../run-measured.ts';
import { startDistributionServer } from '../servers/distribution-server.ts';
import type { MeasuredServer } from '../servers/measured-server.ts';
import { startSvcServer } from '../servers/svc-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Contender, Sample, Workload } from '../workload.ts';

const toSample = ({ seconds, cpu, peak }: Pick<Measured, 'seconds' | 'cpu' | 'peak'>): Sample => ({
  time: seconds,
  cpu,
  peak,
});

/** Runs `svc media` with a home folder, as its peers and everybody have one. */
const runMedia = (bench: Bench, command: string, configuration: string): Promise<Measured> =>
  runMeasured(process.env.SVC_BIN!, ['media', command, '--config', configuration, '--output', 'json'], {
    env: { HOME: bench.folder },
  });

/** The zone's registry: CNCF distribution where it is installed. */
function startZoneRegistry(bench: Bench, folder: string): Promise<MeasuredServer> {
  const program = bench.peer('registry') ?? bench.peer('docker-registry');
  return program
    ? startDistributionServer(program, folder)
    : startSvcServer(folder, { authentication: 'none' });
}

/** Copies every image of the medium, one process each. */
async function copyImages(
  medium: Medium,
  copy: (digest: string, to: string) => Promise<Measured>,
  host: string,
): Promise<Sample> {
  const runs: Measured[] = [];
  for (const { repository, tag, digest } of medium.corpus.images)
    runs.push(await copy(digest, `${host}/${repository}:${tag}`));
  return toSample({
    seconds: runs.reduce((total, { seconds }) => total + seconds, 0),
    cpu: runs.reduce((total, { cpu }) => total + cpu, 0),
    peak: Math.max(...runs.map(({ peak }) => peak)),
  });
}

function toPeers(bench: Bench, medium: Medium): { name: string; run(host: string): Promise<Sample> }[] {
  const oras = bench.peer('oras');
  const skopeo = bench.peer('skopeo');
  return [
    ...(oras
      ? [
          {
            name: 'oras',
            run: (host: string) =>
              copyImages(
                medium,
                (digest, to) =>
                  runMeasured(
                    oras,
                    [
                      'cp',
                      '--no-tty',
                      '--from-oci-layout',
                      '--to-plain-http',
                      `${medium.root}@${digest}`,
                      to,
                    ],
                    { env: { HOME: bench.folder } },
                  ),
                host,
              ),
          },
        ]
      : []),
    // it finds an image of a layout by its name only, and knows no other names than those of its own making
    ...(skopeo && !oras
      ? [
          {
            name: 'skopeo',
            run: (host: string) =>
              copyImages(
                medium,
                (digest, to) =>
                  runMeasured(
                    skopeo,
                    [
                      '--insecure-policy',
                      'copy',
                      '--all',
                      '--dest-tls-verify=false',
                      `docker://${medium.corpus.host}/${medium.corpus.images.find((image) => image.digest === digest)!.repository}@${digest}`,
                      '--src-tls-verify=false',
                      `docker://${to}`,
                    ],
                    { env: { HOME: bench.folder } },
                  ),
                host,
              ),
          },
        ]
      : []),
  ];
}

export const importMedium: Workload = {
  id: 'P8',
  title: 'import of a medium into a registry',
  async run(bench, compare) {
    const medium = await getMedium(bench);
    const { images } = medium.corpus;
    const measures = [
      { key: 'time', unit: 's', better: 'less' },
      { key: 'cpu', unit: 's of CPU', better: 'less' },
      { key: 'peak', unit: 'MiB of memory', better: 'less' },
    ] as const;
    const intoEmpty = (name: string, work: (host: string, folder: string) => Promise<Sample>): Contender => ({
      name,
      run: () =>
        bench.withFolder(`p8-${name}`, async (folder) => {
          await using registry = await startZoneRegistry(bench, join(folder, 'registry'));
          await settleDisk();
          return await work(registry.host, folder);
        }),
    });
    await compare({
      title: `import of a medium of ${images.length} images into an empty registry; svc verifies before and reads back`,
      measures,
      contenders: [
        intoEmpty('svc', async (host, folder) =>
          toSample(await runMedia(bench, 'import', await writeZone(folder, medium, host))),
        ),
        ...toPeers(bench, medium).map(({ name, run }) => intoEmpty(name, run)),
      ],
      targets: [{ measure: 'time', against: 'best', atMost: 0.8 }],
      missing: bench.missing('oras'),
    });

    const folder = await bench.createFolder('p8-again');
    const registry = bench.keep(await startZoneRegistry(bench, join(folder, 'registry')));
    const configuration = await writeZone(folder, medium, registry.host);
    await runMedia(bench, 'import', configuration);
    await compare({
      title: 'the same import again, everything there',
      measures: [
        { key: 'time', unit: 's', better: 'less' },
        { key: 'beyond', unit: 's beyond a verification', better: 'none' },
        ...measures.slice(1),
      ],
      contenders: [
        {
          name: 'svc',
          run: async () => {
            const verified = await runMedia(bench, 'verify', configuration);
            const again = await runMedia(bench, 'import', configuration);
            return { ...toSample(again), beyond: again.seconds - verified.seconds };
          },
        },
      ],
      limits: [{ measure: 'beyond', atMost: 0.25 }],
    });
    await rm(folder, { recursive: true, force: true });
  },
};
