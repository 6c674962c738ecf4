import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashBytes } from '../../src/base/digest.ts';
import type { MediumReport } from '../../src/contract/medium.ts';
import type { Task } from '../../src/contract/task.ts';
import type { ErrorRecord } from '../../src/text/error.ts';
import { buildImage } from '../kit/content/content.ts';
import { demand } from '../kit/content/demand.ts';
import { toOrigin } from '../kit/content/origin.ts';
import { needs } from '../kit/program/peers.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { runSvc } from '../kit/program/svc.ts';
import { buildMedium } from '../kit/scene/medium.ts';
import { openRehearsal, type Rehearsal } from '../kit/scene/rehearsal.ts';
import { checkStoreAt } from './rig/check-store.ts';
import { toFaultEnvironment } from './rig/instrumented.ts';
import { mountImage, mountMemory, needsMount, needsVolume } from './rig/small-volume.ts';

const vfat = 0x4d44;
const exfat = 0x2011bab0;
const mib = 1 << 20;

interface Scene {
  readonly world: Rehearsal;
  readonly config: Record<string, unknown>;
  readonly double: Awaited<ReturnType<Rehearsal['double']>>;
}

/** A zone that wants one image; a layer may be promised that is larger than anything a test moves. */
async function openScene(layerSize: number, promised?: number): Promise<Scene> {
  const world = await openRehearsal();
  const double = await world.double();
  let image = buildImage('wanted', { layerSize });
  if (promised !== undefined) {
    const document = JSON.parse(image.manifest.bytes.toString());
    document.layers[0].size = promised;
    const bytes = Buffer.from(JSON.stringify(document));
    const descriptor = { ...image.manifest.descriptor, digest: hashBytes(bytes), size: bytes.length };
    image = { ...image, manifest: { bytes, descriptor } };
  }
  const source = await demand(world, toOrigin(double), { app: { wanted: image } });
  const config = {
    mode: 'mirror',
    auth: { disabled: true },
    retriever: { source },
    registries: await world.registries([double.host]),
    trust: world.trust,
    sync: { interval: '0', retries: 0 },
  };
  return { world, config, double };
}

async function syncOnce(
  { world, config }: Scene,
  name: string,
  more: Record<string, unknown>,
  env: Record<string, string> = {},
): Promise<Task> {
  await using instance = await world.start(name, { ...config, ...more }, env);
  const { status, body } = await instance.api('POST', '/sync', {});
  assert.equal(status, 201, JSON.stringify(body));
  for (;;) {
    const answer = await instance.api('GET', `/tasks/${body.task.id}`);
    const task = answer.body.task as Task;
    if (task.status === 'done' || task.status === 'failed') return task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const errorsOf = (task: Task): readonly ErrorRecord[] =>
  [task.error, ...task.items.map((item) => item.error)].filter((error) => error !== undefined);

function requireNothingMoved({ double }: Scene): void {
  const blobs = double.requests.filter(
    ({ method, path }) => method === 'GET' && /shop\/.*\/blobs\//.test(path),
  );
  assert.deepEqual(blobs, [], 'a byte was moved before the refusal');
}

test('what a small volume cannot take is refused before a byte moves, with the shortfall', async (t: TestContext) => {
  const demand = await openScene(20 * mib);
  await using world = demand.world;
  if (!needsMount(t, world.folder)) return;
  await using volume = mountMemory(world.path('volume'), '16m');
  const storage = { root: join(volume.path, 'store') };
  const task = await syncOnce(demand, 'zone', { storage });
  assert.equal(task.status, 'failed');
  const error = errorsOf(task).find(({ code }) => code === 'SVC-STO-004');
  assert.ok(error, JSON.stringify(task));
  assert.ok(Number(error.params.shortfall) > 4 * mib, JSON.stringify(error.params));
  requireNothingMoved(demand);
  // the same without the pre-flight: refused by the disk, and the store is whole
  const disabled = await syncOnce(demand, 'zone', { storage, preflight: { disabled: true } });
  assert.equal(disabled.status, 'failed');
  assert.ok(
    errorsOf(disabled).some(({ code }) => code === 'SVC-STO-004'),
    JSON.stringify(disabled),
  );
  await checkStoreAt(storage.root, join(world.path('zone'), 'state'));
});

test('a full volume of partial downloads says what is lacking, and the next run completes', async (t) => {
  const demand = await openScene(12 * mib);
  await using world = demand.world;
  if (!needsMount(t, world.folder)) return;
  await using volume = mountMemory(world.path('volume'), '8m');
  const more = { state: { root: join(volume.path, 'state') }, transfer: { resumeThreshold: '1MiB' } };
  const refused = await syncOnce(demand, 'zone', more);
  assert.ok(
    errorsOf(refused).some(({ code }) => code === 'SVC-STO-004'),
    JSON.stringify(refused),
  );
  requireNothingMoved(demand);
  const task = await syncOnce(demand, 'zone', { ...more, preflight: { disabled: true } });
  assert.equal(task.status, 'failed');
  for (const { code } of errorsOf(task)) assert.equal(code, 'SVC-STO-004', JSON.stringify(errorsOf(task)));
  volume.remount('size=64m');
  const again = await syncOnce(demand, 'zone', more);
  assert.equal(again.status, 'done', JSON.stringify(again));
  await checkStoreAt(join(world.path('zone'), 'store'), join(volume.path, 'state'));
});

for (const [name, size, refused] of [
  ['one byte more than FAT32 holds in a file', 4_294_967_296, true],
  ['the largest file of FAT32', 4_294_967_295, false],
] as const) {
  test(`${name} is foreseen by plan and pre-flight, and named`, async () => {
    const demand = await openScene(1000, size);
    await using world = demand.world;
    const root = join(world.path('zone'), 'store');
    const env = toFaultEnvironment({ roots: [], filesystems: { [root]: vfat, [world.path('zone')]: vfat } });
    const configPath = await world.configure('zone', demand.config);
    const plan = await runSvc(['sync', '--dry-run', '--config', configPath, '--output', 'json'], { env });
    const { plan: planned } = JSON.parse(plan.stdout);
    const check = planned.checks.find(({ target }: { target: string }) => target === 'store');
    assert.equal(check.filesystem.type, 'vfat');
    assert.equal(check.refusalCode === 'SVC-STO-005', refused, JSON.stringify(check));
    requireNothingMoved(demand);
    if (!refused) return;
    assert.equal(plan.exitCode, 1);
    const task = await syncOnce(demand, 'zone', {}, env);
    const error = errorsOf(task).find(({ code }) => code === 'SVC-STO-005');
    assert.ok(error, JSON.stringify(task));
    assert.equal(error.params.filesystem, 'vfat');
    assert.equal(Number(error.params.limit), 4_294_967_295);
    assert.equal(Number(error.params.size), size);
    requireNothingMoved(demand);
  });
}

test('exFAT takes what FAT32 does not', async () => {
  const demand = await openScene(1000, 5 * 1024 * mib);
  await using world = demand.world;
  const root = join(world.path('zone'), 'store');
  const env = toFaultEnvironment({ roots: [], filesystems: { [world.path('zone')]: exfat, [root]: exfat } });
  const configPath = await world.configure('zone', demand.config);
  const plan = await runSvc(['sync', '--dry-run', '--config', configPath, '--output', 'json'], { env });
  const { plan: planned } = JSON.parse(plan.stdout);
  const check = planned.checks.find(({ target }: { target: string }) => target === 'store');
  assert.deepEqual(check.filesystem.type, 'exfat');
  assert.notEqual(check.refusalCode, 'SVC-STO-005');
});

test('a medium is made on a real exFAT, is what it was when that is mounted again, and verifies there', async (t) => {
  const demand = await openScene(300_000);
  await using world = demand.world;
  if (!needsVolume(t, 'exfat', world.folder)) return;
  await using volume = mountImage(world.path('volume'), 'exfat', 64 * mib);
  const storage = { root: join(volume.path, 'store') };
  const task = await syncOnce(demand, 'zone', { storage });
  assert.equal(task.status, 'done', JSON.stringify(errorsOf(task)));
  await checkStoreAt(storage.root, join(world.path('zone'), 'state'));
  volume.unmount();
  volume.mountAgain();
  await checkStoreAt(storage.root, join(world.path('zone'), 'state'));
  const config = await world.configure('away', {
    ...demand.config,
    zone: 'zone-b',
    storage,
    state: { root: world.path('away-state') },
  });
  const verified = await runSvc(['media', 'verify', '--config', config, '--output', 'json']);
  assert.equal(verified.exitCode, 0, `${verified.stdout}${verified.stderr}`);
  assert.equal((JSON.parse(verified.stdout) as MediumReport).verdict, 'pushable');
});

test('a folder of FAT32 that would overflow is foreseen, and named', async () => {
  const demand = await openScene(1000);
  await using world = demand.world;
  const root = join(world.path('zone'), 'store');
  const env = toFaultEnvironment({ roots: [], filesystems: { [world.path('zone')]: vfat, [root]: vfat } });
  // a store of its own first, then as many blobs as nearly fill the folder
  assert.equal(await (await world.start('zone', demand.config, env)).stop(), 0);
  const blobs = join(root, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  for (let n = 0; n < 10_920; n += 1)
    writeFileSync(join(blobs, hashBytes(Buffer.from(`${n}`)).slice(7)), `${n}`);
  const task = await syncOnce(demand, 'zone', {}, env);
  const error = errorsOf(task).find(({ code }) => code === 'SVC-STO-005');
  assert.ok(error, JSON.stringify(task));
  assert.match(String(error.params.limit), /10.?922/);
  assert.equal(error.params.filesystem, 'vfat');
  requireNothingMoved(demand);
});

test('a medium carried on FAT32 verifies as before', async (t) => {
  const [mformat, mcopy] = [needs(t, 'mformat'), needs(t, 'mcopy')];
  if (!mformat || !mcopy) return;
  await using medium = await buildMedium();
  const [image, back] = [join(medium.folder, 'disk.img'), join(medium.folder, 'back')];
  mkdirSync(back);
  const env = { PATH: process.env.PATH ?? '', MTOOLS_SKIP_CHECK: '1' };
  const must = async (program: string, ...args: string[]) => {
    const result = await runProgram(program, args, { env });
    assert.equal(result.exitCode, 0, `${program} ${args.join(' ')}: ${result.stderr}`);
  };
  await must(mformat, '-C', '-F', '-T', '131072', '-i', image, '::');
  for (const name of await readdir(medium.root))
    await must(mcopy, '-s', '-i', image, join(medium.root, name), '::');
  await must(mcopy, '-s', '-n', '-i', image, '::*', back);
  const list = async (root: string) => {
    const found = await readdir(root, { recursive: true, withFileTypes: true });
    const files = found
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(root.length));
    return Promise.all(
      files.sort().map(async (path) => `${path} ${hashBytes(await readFile(join(root, path)))}`),
    );
  };
  assert.deepEqual(await list(back), await list(medium.root));
  const reports: MediumReport[] = [];
  for (const [n, root] of [medium.root, back].entries()) {
    const config = join(medium.folder, `config-${n}.json`);
    writeFileSync(
      config,
      JSON.stringify({
        mode: 'mirror',
        zone: medium.zone,
        storage: { root },
        state: { root: join(medium.folder, `state-${n}`) },
        trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
      }),
    );
    const result = await runSvc(['media', 'verify', '--config', config, '--output', 'json']);
    assert.equal(result.exitCode, 0, `${result.stdout}${result.stderr}`);
    reports.push(JSON.parse(result.stdout));
  }
  const [before, after] = reports.map(({ startedAt: _start, finishedAt: _end, ...rest }) => rest);
  assert.equal(before!.verdict, 'pushable');
  assert.deepEqual(after, before);
});
