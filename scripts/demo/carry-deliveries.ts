// Two deliveries on small disks: in the wrong order, with a receipt back, a delta, and a disk that is lost.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediumWriting } from '../../src/contract/write-medium.ts';
import { formatByteSize } from '../../src/text/size.ts';
import type { SvcResult } from '../../test/kit/program/svc.ts';
import { comparePulled } from './compare-pulled.ts';
import { openSource, synchronize } from './delivery.ts';
import { publishNext, toDockerConfig } from './publisher.ts';
import type { Stage } from './stage.ts';
import { printChapter, printDetail, printLine } from './story.ts';

const read = (result: SvcResult): MediumWriting => JSON.parse(result.stdout) as MediumWriting;
const writtenBytes = (result: SvcResult): number =>
  read(result).volumes.reduce((sum, { bytes }) => sum + bytes, 0);

/** Carries two deliveries to a zone, and checks every outcome. */
export async function carryDeliveries(stage: Stage): Promise<void> {
  const path = (name: string): string => join(stage.folder, name);
  const { publisher, mirrorConfig, token } = await openSource(stage);
  const { origin, content, publicKey } = publisher;

  printChapter('The first delivery, on two small disks');
  await writeFile(path('zone-b.password'), stage.password, { mode: 0o600 });
  await stage.run(
    'key of the zone',
    ['key', 'new', path('zone-b-key'), '--key-password-file', path('zone-b.password')],
    0,
  );
  const sourceFile = path('source.yaml');
  const source = {
    ...mirrorConfig,
    state: { root: path('mirror/state') },
    peers: [{ name: 'zone-b', keyFile: path('zone-b-key.pub'), for: ['receipt'] }],
  };
  await writeFile(sourceFile, JSON.stringify(source));
  await writeFile(path('release.pub'), publicKey);
  const write = async (step: string, folder: string, ...flags: readonly string[]): Promise<MediumWriting> => {
    const args = ['media', 'write', path(folder), '--zone', 'zone-b', ...flags, '--config', sourceFile];
    const result = await stage.run(step, [...args, '--output', 'json'], 0, { bytes: writtenBytes });
    const { delivery, totals, volumes } = read(result);
    for (const { part, bytes, recipes } of volumes)
      printDetail(
        `disk ${part} of ${delivery.parts}: ${formatByteSize(bytes)}, ${recipes.join(', ') || 'no whole recipe'}`,
      );
    printDetail(
      `${delivery.id}: ${formatByteSize(totals.writeBytes)} of content carried, ${formatByteSize(totals.absentBytes)} left out`,
    );
    return read(result);
  };
  const first = await write('write two disks', 'disks', '--volume-size', '10MB');
  if (first.volumes.length !== 2) throw new Error(`${first.volumes.length} disks in place of two`);
  const disks = first.volumes.map((volume) => volume.path);
  await stage.run('prove', ['media', 'prove', ...disks, '--trust-root', path('release.pub')], 0);

  printChapter('The disks arrive in the wrong order');
  const registry = await stage.start('zone-registry', {});
  await writeFile(path('zone-docker.json'), toDockerConfig([registry.host], stage.password), { mode: 0o600 });
  const zoneFile = path('zone.yaml');
  const zone = {
    mode: 'mirror',
    zone: 'zone-b',
    storage: { root: path('zone-store') },
    state: { root: path('zone-state') },
    registries: { insecure: [registry.host], credentialsFile: path('zone-docker.json') },
    destination: { registry: registry.host },
    trust: { roots: [{ name: 'release', key: publicKey }] },
    signing: { keyFile: path('zone-b-key.key'), passwordFile: path('zone-b.password') },
  };
  await writeFile(zoneFile, JSON.stringify(zone));
  const load = async (step: string, disk: string): Promise<unknown> =>
    stage.run(step, ['media', 'import', '--storage-root', disk, '--config', zoneFile], 0);
  const status = async (step: string, expected: number): Promise<unknown> =>
    stage.run(step, ['media', 'status', '--config', zoneFile], expected);
  await load('import disk 2', disks[1]!);
  await status('what is missing', 5);
  await load('import disk 1', disks[0]!);
  await status('nothing is missing', 0);

  printChapter('A receipt goes back');
  const receipt = path('zone-b.sigstore.json');
  await stage.run('write a receipt', ['receipt', 'write', '--out', receipt, '--config', zoneFile], 0);
  printDetail(`${formatByteSize((await readFile(receipt)).length)}, signed by the zone`);
  await stage.run('add it', ['receipt', 'add', receipt, '--config', sourceFile], 0);

  printChapter('A change in the source, and a delta');
  const changed = await publishNext(publisher);
  const mirror = await stage.start('mirror', mirrorConfig);
  await synchronize(stage, 'synchronize 1.5.0', mirror, token);
  await mirror.stop();
  const delta = await write('write a delta', 'delta');
  if (delta.totals.absentBytes === 0) throw new Error('the delta leaves nothing out');

  printChapter('The disk is lost, and written again');
  await rm(path('delta'), { recursive: true });
  const again = await write('write it again', 'delta');
  if (again.volumes[0]!.manifest !== delta.volumes[0]!.manifest) throw new Error('another delivery');
  printDetail('the same delivery, with the same bytes');
  await load('import the delta', path('delta'));
  await status('the zone is complete', 0);
  let compared = 0;
  for (const artifact of [...changed, content.worker, content.packages])
    compared += await comparePulled(artifact, origin, registry);
  printLine(`pulled ${compared} manifests and blobs; every digest is the same as at the origin`);
}
