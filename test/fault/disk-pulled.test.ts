import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentReport } from '../../src/base/report.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { ConfigFor } from '../../src/config/requirements.ts';
import { checkStore } from '../../src/operation/check-store.ts';
import { exportLayout } from '../../src/operation/export-layout.ts';
import { createMediumVerifier } from '../../src/operation/verify-medium.ts';
import { buildImage } from '../kit/content/content.ts';
import { publishRecipe, toOrigin } from '../kit/content/origin.ts';
import { eventually } from '../kit/instance/eventually.ts';
import { createMemoryJournal } from '../kit/instance/memory-journal.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import type { RegistryDouble } from '../kit/result/registry-double.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from '../kit/scene/medium.ts';
import { openRehearsal, type Rehearsal } from '../kit/scene/rehearsal.ts';
import { untilJudged } from '../kit/scene/until-judged.ts';
import { trust } from '../kit/scene/verify-carried.ts';
import { mountImage, needsVolume, type SmallVolume } from './rig/small-volume.ts';

const mib = 1 << 20;
const gone = /SVC-STO-019: The disk with \S+ is gone/;
const misread = /in use by another process|SVC-SRV-001|SVC-STO-007/;

const recipeOf = (name: string): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'classic',
  ingredients: [
    {
      name: 'image',
      kind: 'ContainerImage',
      ref: `origin.example:5000/images/${name}`,
      tag: '1.0.0',
      artifact: buildImage(name, { ownLayers: 3, layerSize: mib }),
    },
  ],
});

interface Scene extends AsyncDisposable {
  readonly world: Rehearsal;
  readonly disk: SmallVolume;
  readonly medium: BuiltMedium;
  /** The folder of the medium on the disk. */
  readonly root: string;
  readonly double: RegistryDouble;
  readonly config: string;
}

/** A medium of three recipes on a disk of its own, and the configuration of the zone. */
async function openScene(t: TestContext): Promise<Scene | undefined> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await openRehearsal());
  if (!needsVolume(t, 'ext4', world.folder)) return undefined;
  const medium = stack.use(await buildMedium({ recipes: ['one', 'two', 'three'].map(recipeOf) }));
  const disk = stack.use(mountImage(world.path('disk'), 'ext4', 96 * mib));
  const root = join(disk.path, 'medium');
  await cp(medium.root, root, { recursive: true });
  const double = await world.double();
  const config = await world.configure('zone', {
    mode: 'mirror',
    zone: medium.zone,
    storage: { root },
    sync: { parallelism: 1, retries: 0 },
    registries: { insecure: [double.host] },
    destination: { registry: double.host },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
  });
  const all = stack.move();
  return { world, disk, medium, root, double, config, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Pulls the disk when the registry is asked for an upload the n-th time. */
function pullAtUpload({ double, disk }: Scene, n: number): void {
  let seen = 0;
  double.intercept(({ method, path }) => {
    if (method === 'POST' && /\/blobs\/uploads\//.test(path)) {
      seen += 1;
      if (seen === n) disk.pull();
    }
    return false;
  });
}

test('an import whose disk is pulled says that the disk is gone, and the same command completes it', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  pullAtUpload(scene, 2);
  const cut = await scene.world.svc(['media', 'import', '--config', scene.config]);
  assert.equal(cut.exitCode, 1, cut.stderr);
  assert.match(cut.stderr, gone);
  assert.doesNotMatch(cut.stderr + cut.stdout, misread);
  scene.disk.mountAgain();
  const again = await scene.world.svc(['media', 'import', '--config', scene.config]);
  assert.equal(again.exitCode, 0, again.stderr);
  for (const name of ['one', 'two', 'three'])
    assert.ok(
      scene.double.repositories().some((one) => one.endsWith(`images/${name}`)),
      name,
    );
});

test('a verification whose disk is pulled gives no verdict and says that the disk is gone, at every stage', async (t) => {
  for (const stage of ['inventory', 'manifest', 'recipes', 'extraneous']) {
    await using scene = await openScene(t);
    if (scene === undefined) return;
    const { medium, root, disk, world } = scene;
    await using store = await openStoreAt(
      { root, stateRoot: world.path('zone-state') },
      { zone: medium.zone, access: 'read' },
    );
    let isPulled = false;
    const verifier = createMediumVerifier({
      store,
      zone: medium.zone,
      policy: trust(medium.signer),
      freshness: undefined,
      report: silentReport,
      onProgress: (progress) => {
        if (progress.stage !== stage || isPulled) return;
        isPulled = true;
        disk.pull();
      },
    });
    await assert.rejects(verifier.verify({}, 'operator'), { code: 'SVC-STO-019' }, stage);
    assert.ok(isPulled, stage);
    assert.equal(verifier.state().failure?.code, 'SVC-STO-019');
    assert.equal(verifier.state().report, undefined);
  }
});

test('an export and a check of a store whose disk is pulled say that the disk is gone, and report no damage', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { world, disk } = scene;
  const root = join(disk.path, 'store');
  const stateRoot = world.path('store-state');
  await cp(scene.medium.root, root, { recursive: true });
  await cp(join(scene.medium.folder, 'maker'), stateRoot, { recursive: true });
  const path = await world.configure('store-config', {
    mode: 'mirror',
    storage: { root },
    state: { root: stateRoot },
  });
  const { config } = await loadConfig({ flags: {}, env: {}, configPath: path, explicit: true });
  {
    await using store = await openStoreAt({ root, stateRoot }, { access: 'read' });
    const { journal } = createMemoryJournal();
    // called when the plan is made and nothing was copied
    journal.setTotalBytes = () => disk.pull();
    const exported = exportLayout(
      { config, configPath: path, report: silentReport },
      {
        store,
        format: 'directory',
        selection: { recipes: [], repositories: [] },
        output: world.path('layout'),
        overwrite: false,
        actor: 'operator',
        journal,
      },
    );
    await assert.rejects(exported, { code: 'SVC-STO-019' });
  }
  disk.mountAgain();
  const checked = checkStore(config as ConfigFor<'store-check'>, {
    report: silentReport,
    version: '0.0.0-test',
    actor: 'operator',
    quarantine: false,
    repair: false,
    adopt: false,
    onProgress: () => disk.pull(),
  });
  await assert.rejects(checked, { code: 'SVC-STO-019' });
});

test('a synchronization onto a disk that is pulled says that the disk is gone, /readyz says it, and a restart completes it', async (t) => {
  await using world = await openRehearsal();
  if (!needsVolume(t, 'ext4', world.folder)) return;
  await using disk = mountImage(world.path('disk'), 'ext4', 96 * mib);
  const double = await world.double();
  const origin = toOrigin(double);
  const image = buildImage('synced', { ownLayers: 3, layerSize: mib });
  await origin.put('shop/web', image, '1.0');
  await publishRecipe(origin, {
    name: 'shop',
    version: '1.0.0',
    ingredients: [
      { name: 'web', repository: 'shop/web', version: '1.0', digest: image.manifest.descriptor.digest },
    ],
    signatures: [{ signer: world.signer }],
  });
  const settings = {
    mode: 'mirror',
    storage: { root: join(disk.path, 'store') },
    retriever: {
      source: await world.retriever('zone', {
        cookbook: `${origin.host}/cookbook`,
        recipes: [{ name: 'shop', version: '^1.0' }],
      }),
    },
    registries: await world.registries([origin.host]),
    trust: world.trust,
  };
  const mirror = await world.start('mirror', settings);
  let isPulled = false;
  double.intercept(({ method, path }) => {
    if (method === 'GET' && path.includes('/shop/web/blobs/') && !isPulled) {
      isPulled = true;
      disk.pull();
    }
    return false;
  });
  const { result, task } = await world.sync(mirror);
  assert.ok(isPulled);
  assert.equal(result.exitCode, 1, result.stderr);
  assert.equal(task.principalCode, 'SVC-STO-019', JSON.stringify(task.items));
  assert.doesNotMatch(result.stderr, misread);
  await eventually('the instance is not ready', async () => {
    const answer = await fetch(`${mirror.url}/readyz`);
    return answer.status === 503 && /folder of the store is absent/.test(await answer.text());
  });
  await mirror.stop();
  disk.mountAgain();
  const again = await world.start('mirror', settings);
  const { result: second } = await world.sync(again);
  assert.equal(second.exitCode, 0, second.stderr);
});

test('an instance that serves a medium whose disk is pulled says so for its verification and its import, and is not ready', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { world, double, medium, root, disk } = scene;
  const instance = await world.start('zone', {
    mode: 'mirror',
    zone: medium.zone,
    storage: { root },
    sync: { parallelism: 1, retries: 0 },
    registries: { insecure: [double.host] },
    destination: { registry: double.host },
    trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
  });
  await untilJudged(instance);
  pullAtUpload(scene, 2);
  const { status, body } = await instance.api('POST', '/media/import', {});
  assert.equal(status, 201, JSON.stringify(body));
  const { id } = body.task;
  const ended = await eventually('the import has ended', async () => {
    const { body: now } = await instance.api('GET', `/tasks/${id}`);
    return now.task.status === 'failed' && now.task;
  });
  assert.equal(ended.principalCode, 'SVC-STO-019', JSON.stringify(ended));
  await eventually(
    'the instance is not ready',
    async () => (await fetch(`${instance.url}/readyz`)).status === 503,
  );
  assert.equal((await readdir(disk.path)).length, 0, 'nothing is written below the mount point');
  assert.doesNotMatch(instance.log(), /SVC-SRV-001|SVC-STO-007/);
});
