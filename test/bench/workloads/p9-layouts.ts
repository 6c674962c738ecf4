import { cp, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { getMedium, type Medium } from '../medium.ts';
import { type Measured, runMeasured } from '../run-measured.ts';
import { startDistributionServer } from '../servers/distribution-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Contender, Sample, Workload } from '../workload.ts';

const measures = [
  { key: 'time', unit: 's', better: 'less' },
  { key: 'durable', unit: 's until on disk', better: 'less' },
  { key: 'cpu', unit: 's of CPU', better: 'less' },
  { key: 'peak', unit: 'MiB of memory', better: 'less' },
] as const;

/** The usage of one or several programs, one after the other, until the disk had everything. */
async function toSample(runs: readonly Measured[]): Promise<Sample> {
  const time = runs.reduce((total, { seconds }) => total + seconds, 0);
  const began = performance.now();
  await settleDisk();
  return {
    time,
    durable: time + (performance.now() - began) / 1000,
    cpu: runs.reduce((total, { cpu }) => total + cpu, 0),
    peak: Math.max(...runs.map(({ peak }) => peak)),
  };
}

const svc = (...args: readonly string[]): Promise<Measured> =>
  runMeasured(process.env.SVC_BIN!, [...args, '--output', 'json']);

/** A contender that works in a new folder, on a disk that has nothing left to write. */
function inFolder(
  bench: Bench,
  name: string,
  work: (folder: string) => Promise<readonly Measured[]>,
): Contender {
  return {
    name,
    run: () =>
      bench.withFolder(`p9-${name.replaceAll(' ', '-')}`, async (folder) => {
        await settleDisk();
        return toSample(await work(folder));
      }),
  };
}

/** The images of the medium as a layout of one repository, which is all that oras restores from: a tag an image. */
async function makeTagged({ root, corpus }: Medium, folder: string): Promise<string> {
  const layout = join(folder, 'tagged');
  for (const algorithm of await readdir(join(root, 'blobs'))) {
    await mkdir(join(layout, 'blobs', algorithm), { recursive: true });
    for (const name of await readdir(join(root, 'blobs', algorithm)))
      await link(join(root, 'blobs', algorithm, name), join(layout, 'blobs', algorithm, name));
  }
  await cp(join(root, 'oci-layout'), join(layout, 'oci-layout'));
  const index = JSON.parse(await readFile(join(root, 'index.json'), 'utf8'));
  const manifests = corpus.images.map(({ digest }, n) => ({
    ...index.manifests.find((entry: { digest: string }) => entry.digest === digest),
    annotations: { 'org.opencontainers.image.ref.name': `image-${n}` },
  }));
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  return layout;
}

export const layouts: Workload = {
  id: 'P9',
  title: 'export and import of image layouts',
  async run(bench, compare) {
    const medium = await getMedium(bench);
    const { root, corpus } = medium;
    const skopeo = bench.peer('skopeo');
    const names = (await readdir(root)).filter((name) =>
      ['oci-layout', 'index.json', 'blobs'].includes(name),
    );
    const toTar = inFolder(bench, 'tar cf', async (folder) => [
      await runMeasured('tar', ['-c', '-f', join(folder, 'out.tar'), '-C', root, ...names]),
    ]);
    const bySkopeo = skopeo
      ? [
          inFolder(bench, 'skopeo', async (folder) => {
            const runs: Measured[] = [];
            for (const [n, { repository, tag }] of corpus.images.entries())
              runs.push(
                await runMeasured(
                  skopeo,
                  [
                    ...['--insecure-policy', 'copy', '--all', '--quiet'],
                    `oci:${root}:${corpus.host.replace(':', '_')}/${repository}:${tag}`,
                    `oci-archive:${join(folder, `${n}.tar`)}:${repository}:${tag}`,
                  ],
                  { env: { HOME: folder, TMPDIR: folder } },
                ),
              );
            return runs;
          }),
        ]
      : [];
    const exportTo = (name: string, ...flags: readonly string[]): Contender =>
      inFolder(bench, name, async (folder) => [
        await svc('export', join(folder, 'out'), '--storage-root', root, ...flags),
      ]);
    await compare({
      title: `export of ${corpus.images.length} images as one archive; svc hashes every byte and makes it durable`,
      measures,
      contenders: [exportTo('svc'), toTar, ...bySkopeo],
      targets: [
        { measure: 'time', against: 'tar cf', atMost: 1 },
        { measure: 'durable', against: 'tar cf', atMost: 1 },
        ...(skopeo ? [{ measure: 'time', against: 'skopeo', atMost: 0.3 }] : []),
      ],
      missing: bench.missing('skopeo'),
    });
    await compare({
      title: 'the same as a folder, each file durable',
      measures,
      contenders: [exportTo('svc', '--directory'), toTar],
    });

    const oras = bench.peer('oras');
    const registry = bench.peer('registry') ?? bench.peer('docker-registry');
    const layoutFolder = await bench.createFolder('p9-layouts');
    await svc('export', join(layoutFolder, 'all.tar'), '--storage-root', root);
    await svc('export', join(layoutFolder, 'all'), '--storage-root', root, '--directory');
    const tagged = await makeTagged(medium, layoutFolder);
    const importFrom = (input: string): Contender =>
      inFolder(bench, 'svc', async (folder) => [
        await svc(
          'import',
          join(layoutFolder, input),
          '--storage-root',
          join(folder, 'store'),
          '--state-root',
          join(folder, 'state'),
        ),
      ]);
    const restore = (kind: string, input: string): Contender[] =>
      oras && registry
        ? [
            {
              name: 'oras restore',
              run: () =>
                bench.withFolder(`p9-restore-${kind}`, async (folder) => {
                  await using server = await startDistributionServer(registry, join(folder, 'registry'));
                  await settleDisk();
                  const args = [
                    'restore',
                    '--no-tty',
                    '--input',
                    input,
                    '--plain-http',
                    `${server.host}/restored`,
                  ];
                  return toSample([await runMeasured(oras, args, { env: { HOME: folder } })]);
                }),
            },
          ]
        : [];
    for (const [kind, input] of [
      ['an archive', 'all.tar'],
      ['a folder', 'all'],
    ] as const) {
      const contenders = [importFrom(input), ...restore(kind.replace(' ', '-'), tagged)];
      await compare({
        title: `import of ${kind} into an empty store; oras restores a folder into a registry on this machine`,
        measures,
        contenders,
        targets: contenders.length > 1 ? [{ measure: 'time', against: 'oras restore', atMost: 0.35 }] : [],
        missing: bench.missing('oras', 'registry'),
      });
    }
  },
};
