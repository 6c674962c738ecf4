// Runs the complete delivery on this machine: origin registry → medium → carried → verified → registry of the
// zone. Everything happens below one temporary folder and on free loopback ports, and is removed at the end.
import { cp, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashBytes } from '../../src/base/digest.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { MediumReport } from '../../src/catalog/medium-verdict.ts';
import type { PlanAnswer } from '../../src/engine/sync/model.ts';
import type { Task } from '../../src/task/model.ts';
import { adminPassword, type Instance, startInstance } from '../../test/kit/instance.ts';
import { killChildren, runSvc, type SvcResult } from '../../test/kit/svc.ts';
import { type Artifact, originContent, push } from './content.ts';
import { type DemoSigner, openSigner } from './signer.ts';
import {
  printChapter,
  printCommand,
  printDetail,
  printLine,
  printTable,
  printTitle,
  type Step,
} from './story.ts';

const folder = await mkdtemp(join(tmpdir(), 'svc-demo-'));
const steps: Step[] = [];
const begun = performance.now();
let interruption: { readonly signal: NodeJS.Signals | undefined } | undefined;

function stopWhenInterrupted(): void {
  if (interruption) throw new Error('interrupted');
}

/** Formats a command as a user would type it, without the configuration and format flags of the demo. */
function show(args: readonly string[]): string {
  const hidden = ['--config', '--token-file', '--output'];
  const shown = args.filter((arg, i) => !hidden.includes(arg) && !hidden.includes(args[i - 1] ?? ''));
  return `svc ${shown.join(' ')}`.replaceAll(folder, '…');
}

/** Runs one command and checks its exit code. */
async function run(
  step: string,
  args: readonly string[],
  expected: number,
  options: { readonly bytes?: (result: SvcResult) => number } = {},
): Promise<SvcResult> {
  stopWhenInterrupted();
  const result = await runSvc(args);
  const { exitCode, milliseconds, stdout, stderr } = result;
  if (exitCode !== expected)
    throw new Error(`${show(args)}\nexit ${exitCode} instead of ${expected}\n${stdout}\n${stderr}`);
  printCommand(show(args), exitCode, milliseconds);
  const bytes = options.bytes?.(result);
  const command = show(args).split(' ').slice(0, 3).join(' ');
  steps.push({ step, command, exitCode, ...(bytes === undefined ? {} : { bytes }), milliseconds });
  return result;
}

async function start(name: string, config: Record<string, unknown>): Promise<Instance> {
  stopWhenInterrupted();
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  return startInstance({ folder: own, config });
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

async function runDelivery(signer: DemoSigner): Promise<void> {
  const content = originContent();

  printChapter('An origin registry, with content and signed recipes');
  const origin = await start('origin', {});
  printLine(`svc serve is the origin, at ${origin.url}`);
  let pushed = 0;
  for (const artifact of Object.values(content))
    pushed += await push(artifact, origin.url, origin.authorization);
  printLine(
    `pushed through /v2/: two images of three platforms that share layers, a chart and a FileSet, ${formatByteSize(pushed)}`,
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
    printDetail(`signed in the ${layout} layout`);
  }

  printChapter('A mirror whose store is the medium');
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
  printLine(`svc serve in mirror mode, at ${mirror.url}, for a zone that wants shop ^1.4 and depot 2.0.0`);
  const planned = await run(
    'plan',
    ['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json'],
    5,
  );
  const { totals } = json<PlanAnswer>(planned).plan;
  printDetail(
    `${totals.recipes} recipes verified, ${totals.ingredients} ingredients, ${formatByteSize(totals.transferBytes)} to move; of the web image two of three platforms`,
  );
  await run('synchronize', trigger, 0, { bytes: taskBytes });
  await run('plan again', ['sync', '--dry-run', '--config', mirror.configPath, '--output', 'json'], 0);
  const older = join(folder, 'older');
  await cp(medium, older, { recursive: true });
  await run('synchronize again', trigger, 0, { bytes: taskBytes });
  await mirror.stop();
  printDetail('the mirror is stopped; its store is the medium, and an OCI image layout');

  printChapter('The medium is carried to the zone and verified there');
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
  printLine('an unchanged copy:');
  printVerdicts(await run('verify', ['media', 'verify', '--config', inZone, '--output', 'json'], 0));

  const damaged = join(folder, 'damaged');
  await cp(carried, damaged, { recursive: true });
  const victim = content.worker.blobs.at(-1)!.descriptor.digest;
  const blob = await open(join(damaged, 'blobs', ...victim.split(':')), 'r+');
  await blob.write(Buffer.from([0xff]), 0, 1, 4096);
  await blob.close();
  printLine('a copy with one changed byte in one layer:');
  const damageReport = printVerdicts(
    await run(
      'verify, one byte flipped',
      ['media', 'verify', '--config', await configure('damaged', 'zone-b', damaged), '--output', 'json'],
      4,
    ),
  );
  if (damageReport.recipes.filter((verdict) => verdict.pushable).length !== 1)
    throw new Error('one recipe should pass');
  printLine('the unchanged copy, in zone-c:');
  await run(
    'verify, another zone',
    ['media', 'verify', '--config', await configure('other-zone', 'zone-c', carried), '--output', 'json'],
    3,
  );

  printChapter("Imported into the zone's registry");
  printLine(`svc serve is the registry of zone-b, at ${zoneRegistry.url}`);
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
        throw new Error(`${side.url} serves other bytes for ${artifact.repository}:${artifact.tag}`);
      }
    }
    compared += await comparePulled(artifact, zoneRegistry, path);
  }
  printDetail(`pulled ${compared} manifests and blobs; every digest is the same as at the origin`);
  printLine('the same medium again:');
  await run('import again', ['media', 'import', '--config', inZone, '--output', 'json'], 0, {
    bytes: taskBytes,
  });
  printLine('a medium that was written before the imported one:');
  await run(
    'import an older one',
    ['media', 'import', '--config', await configure('older', 'zone-b', older), '--output', 'json'],
    3,
  );
}

/**
 * Pulls the content that the zone should have of an artifact and compares every digest. Platforms that were
 * not requested must be absent.
 */
async function comparePulled(artifact: Artifact, registry: Instance, path: string): Promise<number> {
  let compared = 0;
  const get = async (kind: string, digest: string): Promise<void> => {
    const answer = await fetch(`${registry.url}/v2/${path}/${kind}/${digest}`, {
      headers: { authorization: registry.authorization },
    });
    if (answer.status === 404) return;
    if (hashBytes(Buffer.from(await answer.arrayBuffer())) !== digest)
      throw new Error(`${path}@${digest} has other bytes`);
    compared += 1;
  };
  for (const { descriptor } of artifact.manifests) await get('manifests', descriptor.digest);
  for (const { descriptor } of artifact.blobs) await get('blobs', descriptor.digest);
  if (compared < 3) throw new Error(`${path}: only ${compared} manifests and blobs were pulled`);
  return compared;
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

// An interruption ends every child process; the demo then fails and cleans up below.
function interrupt(signal?: NodeJS.Signals): void {
  interruption ??= { signal };
  void killChildren();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// the reader of stdout has exited
process.stdout.on('error', () => interrupt());

try {
  printTitle('svc demo: a delivery between two zones, on this machine');
  const signer = await openSigner(folder);
  printLine(`recipes are signed with ${signer.name}`);
  await runDelivery(signer);
  printTable(steps);
} catch (error) {
  process.exitCode = 1;
  const reason = error instanceof Error ? error.message : String(error);
  if (!interruption) process.stderr.write(`\nthe demo failed: ${reason}\n`);
} finally {
  await killChildren();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (interruption?.signal) {
  process.removeAllListeners(interruption.signal);
  process.kill(process.pid, interruption.signal);
} else if (process.exitCode === undefined) {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  printLine('');
  printLine(`done in ${seconds} s; all processes and files are removed`);
}
