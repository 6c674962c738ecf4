import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toSubject, toZoneFile, writeReceipt } from '../../../src/attest/receipt.ts';
import { hashBytes } from '../../../src/base/digest.ts';
import { mediaTypes } from '../../../src/oci/media-types.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { type Artifact, toBlob, toManifest } from '../../kit/content/content.ts';
import { putHole } from '../../kit/content/put-holes.ts';
import { toReceipt } from '../../kit/content/receipt.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import type { Bench } from '../bench.ts';
import { getMedium } from '../medium.ts';
import { zone } from '../mirror.ts';
import { type Measured, type MeasuredOptions, runMeasured } from '../run-measured.ts';
import { startDistributionServer } from '../servers/distribution-server.ts';
import { startSvcServer } from '../servers/svc-server.ts';
import { settleDisk } from '../settle-disk.ts';
import type { Contender, Sample, Workload } from '../workload.ts';
import { weigh } from './p7-verify-medium.ts';

const copyAndReadBack = join(import.meta.dirname, '../floors/copy-and-read-back.ts');
const gibibyte = 2 ** 30;
const measures = [
  { key: 'time', unit: 's', better: 'less' },
  { key: 'cpu', unit: 's of CPU', better: 'less' },
  { key: 'peak', unit: 'MiB of memory', better: 'none' },
] as const;
/** The bound of memory for everything that deliveries do, in MiB. */
const memory = { measure: 'peak', atMost: 180 };

const toSample = ({ seconds, cpu, peak }: Measured): Sample => ({ time: seconds, cpu, peak });

/** Runs `svc media`, as a user with a home folder does. */
const runMedia = (bench: Bench, args: readonly string[], options: MeasuredOptions = {}): Promise<Measured> =>
  runMeasured(process.env.SVC_BIN!, ['media', ...args, '--output', 'json'], {
    ...options,
    env: { HOME: bench.folder },
  });

/** The corpus at its source, and the folders of a delivery in full: on one disk, and on four. */
interface Source {
  readonly root: string;
  readonly config: string;
  readonly key: string;
  /** Bytes of each of four disks. */
  readonly quarter: number;
}

function getSource(bench: Bench): Promise<Source> {
  return bench.share('source of deliveries', async () => {
    // a mirror writes deliveries from its own store, which it need not verify as a carried medium
    const { root, state, corpus } = await getMedium(bench);
    const folder = await bench.createFolder('delivery');
    const config = join(folder, 'source.json');
    const key = join(folder, 'release.pub');
    await writeFile(key, corpus.signer.publicKeyPem);
    const roots = [{ name: 'bench', key: corpus.signer.publicKeyPem }];
    const settings = { mode: 'mirror', zone, storage: { root }, state: { root: state } };
    await writeFile(config, JSON.stringify({ ...settings, trust: { roots } }));
    const { bytes } = await weigh(root);
    // every disk has the documents of the whole delivery, and recipes stay whole
    return { root, config, key, quarter: Math.ceil((bytes / 4) * 1.25 + 2 ** 21) };
  });
}

const writeFlags = ({ config }: Source): string[] => ['--config', config, '--zone', zone, '--base', 'none'];

/** Writes the delivery onto one disk or four. @returns the folders of the disks */
async function writeDisks(
  bench: Bench,
  source: Source,
  folder: string,
  disks: 1 | 4,
  flags: readonly string[] = [],
): Promise<Measured> {
  const sizes = disks === 1 ? [] : ['--volume-size', String(source.quarter)];
  return runMedia(bench, ['write', folder, ...writeFlags(source), ...sizes, ...flags]);
}

async function listDisks(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.includes('media.jsonl') ? [folder] : names.sort().map((name) => join(folder, name));
}

function toWriter(
  bench: Bench,
  source: Source,
  name: string,
  disks: 1 | 4,
  flags: readonly string[] = [],
): Contender {
  return {
    name,
    run: async () => {
      const folder = await bench.createFolder('p19-disks');
      await settleDisk();
      const measured = await writeDisks(bench, source, join(folder, 'disks'), disks, flags);
      const { length } = await listDisks(join(folder, 'disks'));
      if (length !== disks) throw new Error(`${length} disks, not ${disks}`);
      await emptyFiles(folder);
      return toSample(measured);
    },
  };
}

/**
 * Empties files in place of removing them: for minutes, ext4 looks at each number of a removed file whenever it makes a new one.
 * Four disks spent up to 0.4 s of processor time on this, which the disks of a delivery do not.
 */
async function emptyFiles(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) await truncate(join(file.parentPath, file.name));
}

/** Writes an archive durably; `readBack`: reads it back from its disk, and hashes it. */
function toTar(
  bench: Bench,
  source: Source,
  name: string,
  { readBack }: { readonly readBack: boolean },
): Contender {
  const reading = readBack ? ' && dd if="$1" iflag=direct bs=2M status=none | openssl dgst -sha256' : '';
  return {
    name,
    run: () =>
      bench.withFolder('p19-tar', async (folder) => {
        await settleDisk();
        const script = `tar cf "$1" -C "$2" . && sync${reading}`;
        return toSample(
          await runMeasured('/bin/sh', ['-c', script, 'sh', join(folder, 'medium.tar'), source.root]),
        );
      }),
  };
}

/** The disk's share of {@link toWriter}: the large files, without documents, records and proof. */
function toFloor(bench: Bench, source: Source, name: string, flags: readonly string[]): Contender {
  return {
    name,
    run: async () => {
      const folder = await bench.createFolder('p19-floor');
      await settleDisk();
      const args = [copyAndReadBack, join(source.root, 'blobs/sha256'), folder, ...flags];
      const measured = await runMeasured(process.execPath, args);
      await emptyFiles(folder);
      return toSample(measured);
    },
  };
}

/** The registry of the zone: CNCF distribution where it is installed. */
function startZone(bench: Bench, folder: string) {
  const program = bench.peer('registry') ?? bench.peer('docker-registry');
  return program
    ? startDistributionServer(program, folder)
    : startSvcServer(folder, { authentication: 'none' });
}

/** Imports disks in another order than they were written. */
function toImporter(bench: Bench, source: Source, name: string, disks: readonly string[]): Contender {
  return {
    name,
    run: () =>
      bench.withFolder('p19-zone', async (folder) => {
        const server = await startZone(bench, join(folder, 'registry'));
        try {
          const config = join(folder, 'zone.json');
          const settings = { mode: 'mirror', zone, state: { root: join(folder, 'state') } };
          const registry = {
            destination: { registry: server.host },
            registries: { insecure: [server.host] },
          };
          const roots = [{ name: 'bench', keyFile: source.key }];
          await writeFile(config, JSON.stringify({ ...settings, ...registry, trust: { roots } }));
          await settleDisk();
          return toSample(await runMedia(bench, ['import', ...disks.toReversed(), '--config', config]));
        } finally {
          await server[Symbol.asyncDispose]();
        }
      }),
  };
}

/** Bytes of each layer that the zone has, and of the one that changed. */
const sizes = { layer: gibibyte, changed: 2 * 2 ** 20 };

/** An image of layers that are holes, and of a small one. */
function toLargeImage(
  holes: readonly { readonly digest: ReturnType<typeof hashBytes> }[],
  seed: string,
): Artifact {
  const config = toBlob(JSON.stringify({ architecture: 'amd64', os: 'linux', seed }), mediaTypes.ociConfig);
  const changed = toBlob(Buffer.alloc(sizes.changed, seed), mediaTypes.ociLayer);
  const layers = [
    ...holes.map(({ digest }) => ({ mediaType: mediaTypes.ociLayer, digest, size: sizes.layer })),
    changed.descriptor,
  ];
  const manifest = toManifest({
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config: config.descriptor,
    layers,
  });
  return { manifest, children: [], blobs: [config, changed] };
}

/** A recipe of 30 GiB at a source whose zone has the version before. @returns arguments of `svc media write` for it */
async function openLargeSource(bench: Bench) {
  const count = bench.size(30, 3);
  const holes = Array.from({ length: count }, (_, i) => ({ digest: hashBytes(`layer ${i}`) }));
  const toVersion = (version: string): MediumRecipe => ({
    name: 'large',
    version,
    layout: 'bundle',
    ingredients: [
      {
        name: 'image',
        kind: 'ContainerImage',
        ref: 'origin.example/large/image',
        tag: version,
        artifact: toLargeImage(holes, version),
      },
    ],
  });
  const medium = bench.keep(
    await buildMedium({
      zone,
      recipes: [toVersion('1.0.0'), toVersion('1.0.1')],
      before: async (store) => {
        for (const { digest } of holes) await putHole(store, digest, sizes.layer);
      },
    }),
  );
  const signer = createSigner();
  const { folder, records } = medium;
  const at = (name: string): string => join(folder, name);
  const [first] = records;
  const recipes = [
    { name: first!.name, version: first!.version, digest: first!.digest, state: 'present' as const },
  ];
  await writeFile(
    at('receipt.json'),
    writeReceipt(toReceipt({ recipes }), [toSubject(toZoneFile(zone))], toSigner(signer.privateKey)),
  );
  await writeFile(at('zone.pub'), signer.publicKeyPem);
  await writeFile(at('release.pub'), medium.signer.publicKeyPem);
  const settings = { mode: 'mirror', storage: { root: medium.root }, state: { root: at('maker') } };
  const trust = { roots: [{ name: 'bench', key: medium.signer.publicKeyPem }] };
  const peers = [{ name: zone, keyFile: at('zone.pub'), for: ['receipt'] }];
  await writeFile(at('source.json'), JSON.stringify({ ...settings, trust, peers }));
  await mkdir(at('disks'));
  return {
    bytes: count * sizes.layer,
    at,
    args: [
      '--config',
      at('source.json'),
      '--zone',
      zone,
      '--base',
      at('receipt.json'),
      '--recipe',
      'large@1.0.1',
    ],
  };
}

export const deliveries: Workload = {
  id: 'P19',
  title: 'deliveries: written on one disk and four, proved, imported, and a small change of a large one',
  async run(bench, compare) {
    const source = await getSource(bench);
    const { bytes } = await weigh(source.root);
    const size = `${Math.round(bytes / 2 ** 20)} MiB`;
    await compare({
      title: `media write of ${size} in full, hashed, durable and proved`,
      measures,
      contenders: [
        toWriter(bench, source, 'svc --skip-read-back', 1, ['--skip-read-back']),
        toTar(bench, source, 'tar, sync', { readBack: false }),
      ],
      targets: [{ measure: 'time', against: 'tar, sync', atMost: 1 }],
      limits: [memory],
    });
    await compare({
      title: `media write of ${size} in full, and read back from its disk`,
      measures,
      contenders: [
        toWriter(bench, source, 'svc', 1),
        toTar(bench, source, 'tar, sync, read back', { readBack: true }),
        toFloor(bench, source, 'floor of the disk', []),
        toFloor(bench, source, 'floor with the hash', ['hash']),
      ],
      targets: [{ measure: 'time', against: 'tar, sync, read back', atMost: 1 }],
      limits: [memory],
    });
    await compare({
      title: `media write of ${size} onto four disks`,
      measures,
      contenders: [
        toWriter(bench, source, 'svc, four disks', 4),
        toWriter(bench, source, 'svc, one disk', 1),
      ],
      targets: [{ measure: 'time', against: 'svc, one disk', atMost: 1.1 }],
      limits: [memory],
    });
    const folder = await bench.createFolder('p19-disks');
    const one = join(folder, 'one');
    await writeDisks(bench, source, one, 1);
    await writeDisks(bench, source, join(folder, 'four'), 4);
    const four = await listDisks(join(folder, 'four'));
    await compare({
      title: `media prove of ${size}, beside media verify`,
      measures: [...measures, { key: 'beyond', unit: 's beyond verify', better: 'none' }],
      contenders: [
        {
          name: 'svc',
          run: async () => {
            const flags = [
              '--config',
              source.config,
              '--storage-root',
              one,
              '--state-root',
              join(folder, 'state'),
            ];
            const verified = await runMedia(bench, ['verify', ...flags]);
            const proved = await runMedia(bench, ['prove', one, '--trust-root', source.key]);
            return { ...toSample(proved), beyond: proved.seconds - verified.seconds };
          },
        },
      ],
      limits: [{ measure: 'beyond', atMost: 1 }, memory],
    });
    await compare({
      title: `media import of ${size} from four disks`,
      measures,
      contenders: [
        toImporter(bench, source, 'svc, four disks', four),
        toImporter(bench, source, 'svc, one disk', [one]),
      ],
      targets: [{ measure: 'time', against: 'svc, one disk', atMost: 1.15 }],
      limits: [memory],
    });
    await rm(folder, { recursive: true, force: true });
    const large = await openLargeSource(bench);
    let disks = 0;
    await compare({
      title: `a delivery of ${large.bytes / gibibyte} GiB of which 2 MiB changed`,
      measures: [
        ...measures,
        { key: 'plan', unit: 's of the plan', better: 'none' },
        { key: 'proof', unit: 's of the proof', better: 'none' },
        { key: 'medium', unit: 'MB of the medium', better: 'none' },
      ],
      contenders: [
        {
          name: 'svc',
          run: async () => {
            disks += 1;
            const disk = large.at(`disks/${disks}`);
            const plan = await runMedia(bench, ['write', disk, ...large.args, '--dry-run'], {
              expected: [5],
            });
            const written = await runMedia(bench, ['write', disk, ...large.args]);
            const flags = ['--config', large.at('source.json'), '--against', large.at('receipt.json')];
            const proved = await runMedia(bench, ['prove', disk, ...flags], { expected: [0, 4] });
            const { bytes: carried } = await weigh(disk);
            return { ...toSample(written), plan: plan.seconds, proof: proved.seconds, medium: carried / 1e6 };
          },
        },
      ],
      limits: [{ measure: 'plan', atMost: 2 }, { measure: 'medium', atMost: 20 }, memory],
    });
  },
};
