// Rehearses the journey on this machine: origin registry → medium → carried → verified → the zone's registry.
// Everything happens below one temporary folder and on free ports of the loopback interface; nothing is left behind.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashBytes } from '../../src/base/digest.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { MediumReport, PlanAnswer } from '../../src/engine/model.ts';
import type { Task } from '../../src/task/model.ts';
import { adminPassword, type Instance, startInstance } from '../../test/kit/instance.ts';
import { runSvc, type SvcResult } from '../../test/kit/svc.ts';
import { type Artifact, originContent, push } from './content.ts';
import { type DemoSigner, openSigner } from './signer.ts';
import { type Step, tell, tellChapter, tellCommand, tellTable, tellTitle } from './story.ts';

const folder = await mkdtemp(join(tmpdir(), 'svc-demo-'));
const running = new Set<Instance>();
const steps: Step[] = [];
const begun = performance.now();

/** Runs one command of the story and holds it to its exit code. */
async function run(
  step: string,
  args: readonly string[],
  expected: number,
  options: { bytes?: (result: SvcResult) => number; input?: string; quiet?: boolean } = {},
): Promise<SvcResult> {
  const result = await runSvc(args, options.input === undefined ? {} : { input: options.input });
  const shown =
    `svc ${args.filter((arg, i) => !(arg === '--config' || args[i - 1] === '--config')).join(' ')}`
      .replaceAll(folder, '…')
      .replace(' --output json', '');
  if (result.exitCode !== expected) {
    throw new Error(
      `${shown}\nexit ${result.exitCode} instead of ${expected}\n${result.stdout}\n${result.stderr}`,
    );
  }
  if (!options.quiet) tellCommand(shown, result.exitCode, result.milliseconds);
  const bytes = options.bytes?.(result);
  steps.push({
    step,
    command: shown.split(' ').slice(0, 3).join(' '),
    exitCode: result.exitCode,
    ...(bytes === undefined ? {} : { bytes }),
    milliseconds: result.milliseconds,
  });
  return result;
}

async function start(name: string, config: Record<string, unknown>): Promise<Instance> {
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const instance = await startInstance({ folder: own, config });
  running.add(instance);
  return instance;
}

async function stop(instance: Instance): Promise<void> {
  await instance.stop();
  running.delete(instance);
}

const json = <T>(result: SvcResult): T => JSON.parse(result.stdout) as T;
const taskBytes = (result: SvcResult): number => json<{ task: Task }>(result).task.progress.bytesDone;
const docker = (hosts: readonly string[]): string =>
  JSON.stringify({
    auths: Object.fromEntries(
      hosts.map((host) => [host, { auth: Buffer.from(`admin:${adminPassword}`).toString('base64') }]),
    ),
  });

function recipe(
  name: string,
  version: string,
  host: string,
  parts: readonly [string, string, Artifact, string?][],
): string {
  return [
    'apiVersion: recipe.tobby.dev/v1alpha1',
    'kind: Recipe',
    `metadata: { name: ${name}, version: ${version} }`,
    'spec:',
    '  ingredients:',
    ...parts.flatMap(([ingredient, kind, artifact, extra]) => [
      `    - name: ${ingredient}`,
      `      kind: ${kind}`,
      `      ref: ${host}/${artifact.repository}`,
      `      version: ${JSON.stringify(artifact.tag)}`,
      `      digest: ${artifact.manifests.at(-1)!.descriptor.digest}`,
      ...(extra ? [`      ${extra}`] : []),
    ]),
    '',
  ].join('\n');
}

async function rehearse(signer: DemoSigner): Promise<void> {
  const content = originContent();

  tellChapter('An origin registry, with content and signed recipes');
  const origin = await start('origin', {});
  tell(`svc serve answers at ${origin.url}`);
  let pushed = 0;
  for (const artifact of Object.values(content))
    pushed += await push(artifact, origin.url, origin.authorization);
  tell(
    `pushed through /v2/: two images of three platforms sharing layers, a chart, a file set (${formatByteSize(pushed)})`,
  );
  const credentials = join(folder, 'docker.json');
  await writeFile(credentials, docker([origin.host]), { mode: 0o600 });
  const registries = { insecure: [origin.host], credentialsFile: credentials };
  const publisher = join(folder, 'publisher.yaml');
  await writeFile(publisher, JSON.stringify({ registries }));
  const recipes = {
    shop: recipe('shop', '1.4.0', origin.host, [
      ['web', 'ContainerImage', content.web, 'platforms: [linux/amd64, linux/arm64]'],
      ['chart', 'HelmChart', content.chart],
    ]),
    depot: recipe('depot', '2.0.0', origin.host, [
      ['worker', 'ContainerImage', content.worker],
      ['packages', 'FileSet', content.packages],
    ]),
  };
  for (const [name, layout] of [
    ['shop', 'classic'],
    ['depot', 'bundle'],
  ] as const) {
    const file = join(folder, `${name}.yaml`);
    await writeFile(file, recipes[name]);
    const version = name === 'shop' ? '1.4.0' : '2.0.0';
    const reference = `${origin.host}/cookbook/${name}`;
    const published = await run(
      `publish ${name}`,
      ['recipe', 'push', file, `${reference}:${version}`, '--config', publisher],
      0,
    );
    await signer.sign({
      registry: origin.url,
      authorization: origin.authorization,
      repository: `cookbook/${name}`,
      host: origin.host,
      digest: published.stdout.trim() as `sha256:${string}`,
      layout,
    });
    tell(`signed ${name} with ${signer.name}, ${layout} layout`);
  }

  tellChapter('A mirror whose store is the medium');
  const retriever = join(folder, 'zone-b.yaml');
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
  const trust = { roots: [{ name: 'release', key: signer.publicKey }] };
  const medium = join(folder, 'medium');
  const mirror = await start('mirror', {
    mode: 'mirror',
    storage: { root: medium },
    retriever: { source: retriever },
    registries,
    trust,
    sync: { parallelism: 3 },
  });
  const token = join(folder, 'token');
  await writeFile(token, await mirror.createToken('operator'), { mode: 0o600 });
  const trigger = ['sync', '--wait', '--instance', mirror.url, '--token-file', token, '--output', 'json'];
  const planned = await run(
    'plan',
    ['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json'],
    5,
  );
  tell(
    `planned: ${json<PlanAnswer>(planned).plan.totals.ingredients} ingredients, ${formatByteSize(json<PlanAnswer>(planned).plan.totals.transferBytes)} to move`,
  );
  await run('synchronize', trigger, 0, { bytes: taskBytes });
  await run('plan again', ['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json'], 0);
  const older = join(folder, 'older');
  await cp(medium, older, { recursive: true });
  await run('synchronize again', trigger, 0, { bytes: taskBytes });
  await stop(mirror);

  tellChapter('Carried across the gap, and verified in the zone');
  const carried = join(folder, 'carried');
  await cp(medium, carried, { recursive: true });
  const zoneRegistry = await start('zone-registry', {});
  await writeFile(credentials, docker([origin.host, zoneRegistry.host]), { mode: 0o600 });
  const zone = (name: string, root: string) => ({
    mode: 'mirror',
    zone: name,
    storage: { root },
    state: { root: join(folder, `state-${name}`) },
    registries: { insecure: [zoneRegistry.host], credentialsFile: credentials },
    destination: { registry: zoneRegistry.host },
    trust,
  });
  const configure = async (name: string, zoneName: string, root: string): Promise<string> => {
    const path = join(folder, `${name}.yaml`);
    await writeFile(path, JSON.stringify(zone(zoneName, root)));
    return path;
  };
  const inZone = await configure('in-zone', 'zone-b', carried);
  await run('verify', ['media', 'verify', '--config', inZone, '--output', 'json'], 0);

  const damaged = join(folder, 'damaged');
  await cp(carried, damaged, { recursive: true });
  const victim = content.worker.blobs.at(-1)!.descriptor.digest;
  const blob = await open(join(damaged, 'blobs', ...victim.split(':')), 'r+');
  await blob.write(Buffer.from([0xff]), 0, 1, 4096);
  await blob.close();
  const damageReport = json<MediumReport>(
    await run(
      'verify, one byte flipped',
      ['media', 'verify', '--config', await configure('damaged', 'zone-b', damaged), '--output', 'json'],
      4,
    ),
  );
  for (const verdict of damageReport.recipes) {
    tell(
      `${verdict.name} ${verdict.version}: ${verdict.pushable ? 'pushable' : `blocked, ${verdict.reason?.code} ${verdict.reason?.path ?? ''}`}`,
    );
  }
  if (damageReport.recipes.filter((verdict) => verdict.pushable).length !== 1)
    throw new Error('one recipe should pass');
  await run(
    'verify, another zone',
    ['media', 'verify', '--config', await configure('other-zone', 'zone-c', carried), '--output', 'json'],
    3,
  );

  tellChapter("Imported into the zone's registry");
  await run('import', ['media', 'import', '--config', inZone, '--output', 'json'], 0, { bytes: taskBytes });
  let compared = 0;
  for (const artifact of Object.values(content)) {
    const path = `${origin.host.replace(':', '_')}/${artifact.repository}`;
    for (const side of [
      { url: origin.url, path: artifact.repository, authorization: origin.authorization },
      { url: zoneRegistry.url, path, authorization: zoneRegistry.authorization },
    ]) {
      const answer = await fetch(`${side.url}/v2/${side.path}/manifests/${artifact.tag}`, {
        headers: { authorization: side.authorization },
      });
      if (
        hashBytes(Buffer.from(await answer.arrayBuffer())) !== artifact.manifests.at(-1)!.descriptor.digest
      ) {
        throw new Error(`${side.url} does not serve ${artifact.repository}:${artifact.tag} as it was`);
      }
    }
    compared += await comparePulled(artifact, zoneRegistry, path);
  }
  tell(`pulled back from the zone: ${compared} manifests and blobs, every digest as at the origin`);
  await run('import again', ['media', 'import', '--config', inZone, '--output', 'json'], 0, {
    bytes: taskBytes,
  });
  await run(
    'import an older one',
    ['media', 'import', '--config', await configure('older', 'zone-b', older), '--output', 'json'],
    3,
  );
}

/** Pulls what the zone should hold of an artifact and compares every digest; platforms that were not asked for are absent. */
async function comparePulled(artifact: Artifact, registry: Instance, path: string): Promise<number> {
  let compared = 0;
  const get = async (kind: string, digest: string): Promise<void> => {
    const answer = await fetch(`${registry.url}/v2/${path}/${kind}/${digest}`, {
      headers: { authorization: registry.authorization },
    });
    if (answer.status === 404) return;
    if (hashBytes(Buffer.from(await answer.arrayBuffer())) !== digest)
      throw new Error(`${path}@${digest} arrived altered`);
    compared += 1;
  };
  for (const { descriptor } of artifact.manifests) await get('manifests', descriptor.digest);
  for (const { descriptor } of artifact.blobs) await get('blobs', descriptor.digest);
  if (compared < 3) throw new Error(`${path}: only ${compared} parts arrived`);
  return compared;
}

async function cleanUp(): Promise<void> {
  await Promise.all([...running].map((instance) => instance.kill()));
  await rm(folder, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void cleanUp().then(() => process.kill(process.pid, signal));
  });
}

try {
  const cosign = spawnSync('cosign', ['version'], { stdio: 'ignore' }).status === 0;
  tellTitle('svc · a delivery across the gap, rehearsed on this machine');
  tell(
    cosign
      ? 'signing with cosign, found on PATH'
      : "signing with the test kit's signer, in cosign's formats (no cosign on PATH)",
  );
  await rehearse(await openSigner({ folder, cosign }));
  tellTable(steps);
  tell('');
  tell(
    `done in ${((performance.now() - begun) / 1000).toFixed(1)} s; nothing is left running, nothing is left behind`,
  );
} catch (error) {
  process.stderr.write(`\nthe rehearsal failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
