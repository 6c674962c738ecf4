// The delivery: origin registry → medium → carried → verified → registry of the zone.

import { cp, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediumReport } from '../../src/contract/medium.ts';
import type { PlanAnswer } from '../../src/contract/plan.ts';
import type { Task } from '../../src/contract/task.ts';
import { formatByteSize } from '../../src/text/size.ts';
import type { Instance } from '../../test/kit/instance/instance.ts';
import type { SvcResult } from '../../test/kit/program/svc.ts';
import { comparePulled } from './compare-pulled.ts';
import { openPublisher, type Publisher, toDockerConfig } from './publisher.ts';
import type { Stage } from './stage.ts';
import { printChapter, printDetail, printLine } from './story.ts';

type Config = Readonly<Record<string, unknown>>;

/** The source of deliveries. Its mirror is stopped. */
export interface Source {
  readonly publisher: Publisher;
  /** Store of the mirror. */
  readonly medium: string;
  /** A copy of the store, made before the second synchronization. */
  readonly older: string;
  readonly mirrorConfig: Config;
  /** File with a token of role operator for the mirror. */
  readonly token: string;
}

/** The parts that are in place when the delivery has arrived. */
export interface Delivery extends Omit<Source, 'older'> {
  readonly zoneRegistry: Instance;
  /** The configuration of an instance in a zone, on a carried medium. */
  toZoneConfig(zone: string, store: string): Config;
}

const json = <T>(result: SvcResult): T => JSON.parse(result.stdout) as T;
const taskBytes = (result: SvcResult): number => json<{ task: Task }>(result).task.progress.bytesDone;

/** Synchronizes a mirror as its operator, and waits for the end. */
export async function synchronize(
  stage: Stage,
  step: string,
  mirror: Instance,
  token: string,
  ...flags: readonly string[]
): Promise<void> {
  const wait = ['sync', '--wait', '--instance', mirror.url, '--token-file', token, '--output', 'json'];
  await stage.run(step, [...wait, ...flags], 0, { bytes: taskBytes });
}

async function fillMirror(stage: Stage, publisher: Publisher): Promise<Omit<Source, 'publisher'>> {
  const { origin, publicKey, credentials } = publisher;
  const path = (name: string): string => join(stage.folder, name);
  const retriever = path('zone-b.yaml');
  await writeFile(
    retriever,
    `apiVersion: recipe.tobby.dev/v1alpha1
kind: Retriever
metadata: { name: zone-b }
spec:
  cookbook: ${origin.host}/cookbook
  recipes:
    - { name: shop, version: ^1.4 }
    - { name: depot, version: 2.0.0 }
`,
  );
  const medium = path('medium');
  const mirrorConfig = {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: retriever },
    registries: { insecure: [origin.host], credentialsFile: credentials },
    trust: { roots: [{ name: 'release', key: publicKey }] },
    sync: { parallelism: 3 },
  };
  const mirror = await stage.start('mirror', mirrorConfig);
  const token = path('token');
  await writeFile(token, await mirror.createToken('operator'), { mode: 0o600 });
  printLine(`svc serve in mirror mode, at ${mirror.url}, for a zone that wants shop ^1.4 and depot 2.0.0`);
  const plan = ['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json'];
  const { totals } = json<PlanAnswer>(await stage.run('plan', plan, 5)).plan;
  printDetail(
    `${totals.recipes} recipes verified, ${totals.ingredients} ingredients, ${formatByteSize(totals.transferBytes)} to move; of the web image two of three platforms`,
  );
  await synchronize(stage, 'synchronize', mirror, token);
  await stage.run('plan again', plan, 0);
  const older = path('older');
  await cp(medium, older, { recursive: true });
  await synchronize(stage, 'synchronize again', mirror, token);
  await mirror.stop();
  printDetail('the mirror is stopped; its store is the medium, and an OCI image layout');
  return { medium, mirrorConfig, token, older };
}

/** Prints the verdict of each recipe. */
function printVerdicts(result: SvcResult): MediumReport {
  const report = json<MediumReport>(result);
  for (const { name, version, pushable, reason } of report.recipes)
    printDetail(
      `${name} ${version}: ${pushable ? 'pushable' : `blocked, ${reason?.code} ${reason?.path ?? ''}`}`,
    );
  return report;
}

/** Makes the source: an origin registry with two signed recipes, and a mirror that has them in its store. */
export async function openSource(stage: Stage): Promise<Source> {
  printChapter('An origin registry, with content and signed recipes');
  const publisher = await openPublisher(stage);
  const { content } = publisher;
  await publisher.publish('shop', '1.4.0', 'classic', [
    ['web', 'ContainerImage', content.web, 'platforms: [linux/amd64, linux/arm64]'],
    ['chart', 'HelmChart', content.chart],
  ]);
  await publisher.publish('depot', '2.0.0', 'bundle', [
    ['worker', 'ContainerImage', content.worker],
    ['packages', 'FileSet', content.packages],
  ]);
  printChapter('A mirror whose store is the medium');
  return { publisher, ...(await fillMirror(stage, publisher)) };
}

/** Runs the whole delivery, with its refusals, and checks every outcome. */
export async function runDelivery(stage: Stage): Promise<Delivery> {
  const path = (name: string): string => join(stage.folder, name);
  const { publisher, medium, older, mirrorConfig, token } = await openSource(stage);
  const { origin, content, credentials, publicKey } = publisher;

  printChapter('The medium is carried to the zone and verified there');
  const carried = path('carried');
  await cp(medium, carried, { recursive: true });
  const zoneRegistry = await stage.start('zone-registry', {});
  const hosts = [origin.host, zoneRegistry.host];
  await writeFile(credentials, toDockerConfig(hosts, stage.password), { mode: 0o600 });
  const toZoneConfig: Delivery['toZoneConfig'] = (zone, store) => ({
    mode: 'mirror',
    zone,
    storage: { root: store },
    state: { root: path(`state-${zone}`) },
    registries: { insecure: [zoneRegistry.host], credentialsFile: credentials },
    destination: { registry: zoneRegistry.host },
    trust: { roots: [{ name: 'release', key: publicKey }] },
  });
  const configure = async (name: string, zone: string, store: string): Promise<string> => {
    const file = path(`${name}.yaml`);
    await writeFile(file, JSON.stringify(toZoneConfig(zone, store)));
    return file;
  };
  const verify = async (step: string, config: string, expected: number): Promise<SvcResult> =>
    stage.run(step, ['media', 'verify', '--config', config, '--output', 'json'], expected);
  const inZone = await configure('in-zone', 'zone-b', carried);
  printLine('an unchanged copy:');
  printVerdicts(await verify('verify', inZone, 0));

  const damaged = path('damaged');
  await cp(carried, damaged, { recursive: true });
  const victim = content.worker.blobs.at(-1)!.descriptor.digest;
  const blob = await open(join(damaged, 'blobs', ...victim.split(':')), 'r+');
  await blob.write(Buffer.from([0xff]), 0, 1, 4096);
  await blob.close();
  printLine('a copy with one changed byte in one layer:');
  const damageReport = printVerdicts(
    await verify('verify, one byte flipped', await configure('damaged', 'zone-b', damaged), 4),
  );
  if (damageReport.recipes.filter((verdict) => verdict.pushable).length !== 1)
    throw new Error('one recipe should pass');
  printLine('the unchanged copy, in zone-c:');
  await verify('verify, another zone', await configure('other-zone', 'zone-c', carried), 3);

  printChapter("Imported into the zone's registry");
  printLine(`svc serve is the registry of zone-b, at ${zoneRegistry.url}`);
  const importInto = async (step: string, config: string, expected: number): Promise<unknown> =>
    stage.run(step, ['media', 'import', '--config', config, '--output', 'json'], expected, {
      ...(expected === 0 ? { bytes: taskBytes } : {}),
    });
  await importInto('import', inZone, 0);
  let compared = 0;
  for (const artifact of Object.values(content))
    compared += await comparePulled(artifact, origin, zoneRegistry);
  printDetail(`pulled ${compared} manifests and blobs; every digest is the same as at the origin`);
  printLine('the same medium again:');
  await importInto('import again', inZone, 0);
  printLine('a medium that was written before the imported one:');
  await importInto('import an older one', await configure('older', 'zone-b', older), 3);
  return { publisher, medium, mirrorConfig, token, zoneRegistry, toZoneConfig };
}
