import assert from 'node:assert/strict';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Task } from '../../../src/contract/task.ts';
import { planWriting } from '../../../src/operation/delivery/plan-write.ts';
import { toSigner } from '../../../src/signing/signer.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { openSent } from '../../../src/zone/sent.ts';
import { buildImage } from '../../kit/content/content.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createMemoryJournal } from '../../kit/instance/memory-journal.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { runCommand } from '../../kit/program/run-command.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { imageOf, openSplitDelivery } from '../../kit/scene/split-delivery.ts';
import { trust } from '../../kit/scene/verify-carried.ts';
import { writeMediumOf } from '../../kit/scene/write-part-of.ts';
import { mountImage, needsVolume, type SmallVolume } from '../rig/small-volume.ts';

const mib = 1 << 20;

const toRecipe = (name: string): MediumRecipe => ({
  name,
  version: '1.0.0',
  layout: 'bundle',
  ingredients: [
    {
      name: 'image',
      kind: 'ContainerImage',
      ref: `origin.example/${name}/image`,
      tag: '1.0.0',
      artifact: buildImage(name, { ownLayers: 3, layerSize: 3 * mib }),
    },
  ],
});

type Writing = Parameters<typeof writeMediumOf>[0];
type Hooks = Pick<Writing, 'onPlan' | 'onBytes' | 'onPart' | 'journal'>;

/** A sender with two recipes, and two disks of which each takes one. */
async function openScene(t: TestContext) {
  await using stack = new AsyncDisposableStack();
  const medium = stack.use(await buildMedium({ recipes: ['one', 'two'].map(toRecipe) }));
  if (!needsVolume(t, 'ext4', medium.folder)) return undefined;
  const disks = [1, 2].map((n) =>
    stack.use(mountImage(join(medium.folder, `disk-${n}`), 'ext4', 16 * mib)),
  ) as [SmallVolume, SmallVolume];
  const store = stack.use(await openStoreAt({ root: medium.root }, { access: 'read' }));
  const folders = disks.map(({ path }) => join(path, 'delivery'));
  const all = stack.move();
  return {
    medium,
    disks,
    folders,
    plan: () =>
      planWriting({
        store,
        sent: openSent(join(medium.folder, 'sender')),
        zone: medium.zone,
        recipes: [],
        folders,
        marginPercent: 0,
      }),
    write: (hooks: Hooks = {}) =>
      writeMediumOf({
        store,
        sent: openSent(join(medium.folder, 'sender')),
        zone: medium.zone,
        folders,
        policy: trust(medium.signer),
        signer,
        ...hooks,
      }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
type Scene = NonNullable<Awaited<ReturnType<typeof openScene>>>;

const signer = toSigner(createSigner().privateKey);
/** When a disk is pulled, and the disk. */
const moments: Readonly<Record<string, (scene: Scene) => { readonly disk: 0 | 1; readonly hooks: Hooks }>> = {
  'before the first byte': ({ disks }) => ({ disk: 0, hooks: { onPlan: () => disks[0].pull() } }),
  'while it is written': ({ disks }) => ({
    disk: 0,
    hooks: { onBytes: () => disks[0].pull() },
  }),
  'while the first one is written': ({ disks }) => ({ disk: 1, hooks: { onBytes: () => disks[1].pull() } }),
  // it is written, or half of it, while the first one is proved
  'when the first one can leave': ({ disks }) => ({
    disk: 1,
    hooks: { onPart: ({ part }) => part === 1 && disks[1].pull() },
  }),
  'while it is proved': ({ disks }) => {
    const { journal } = createMemoryJournal();
    const line = (text: string) => text.startsWith('proving part 1') && disks[0].pull();
    return { disk: 0, hooks: { journal: Object.assign(journal, { line }) } };
  },
};

test('a disk that is mounted read-only is named by the plan, unless its part is complete', async (t) => {
  await using scene = await openScene(t);
  if (scene === undefined) return;
  const { disks } = scene;
  disks[1].remount('ro');
  await assert.rejects(scene.plan(), (error) => {
    assert.ok(isSvcError(error, 'SVC-STO-002'), String(error));
    assert.deepEqual([error.params.path, error.params.problem], [disks[1].path, 'read-only']);
    assert.doesNotMatch(error.message, /failed/, 'nothing was written yet');
    return true;
  });
  disks[1].remount('rw');
  await scene.write();
  for (const disk of disks) disk.remount('ro');
  assert.equal((await scene.plan()).places.length, 2);
});

for (const [moment, plan] of Object.entries(moments))
  test(`a disk that is pulled ${moment} is named, nothing is written in its place, and the same command completes it`, async (t) => {
    await using scene = await openScene(t);
    if (scene === undefined) return;
    const { disk, hooks } = plan(scene);
    const { disks, folders, medium } = scene;
    const root = folders[disk]!;
    await assert.rejects(scene.write(hooks), (error) => {
      assert.ok(isSvcError(error, 'SVC-STO-019'), String(error));
      assert.ok(String(error.params.path).startsWith(disks[disk].path), String(error.params.path));
      return true;
    });
    await assert.rejects(scene.write(), (error) => isSvcError(error, 'SVC-STO-019'), 'in its absence');
    assert.deepEqual(await readdir(disks[disk].path), [], 'nothing is below the mount point');
    disks[disk].mountAgain();
    const names = await readdir(root).catch((): string[] => []);
    // the copying threads may have finished before the first report of bytes, also those of the next disk
    if (moment === 'before the first byte') assert.ok(!names.includes('media.jsonl'), names.join());
    const written = await scene.write();
    assert.deepEqual(
      written.volumes.map(({ passport }) => passport),
      [true, true],
    );
    await using double = await createRegistryDouble();
    for (const folder of folders) {
      const { task, said } = await importCarried(folder, [medium.signer], double, {
        state: join(medium.folder, 'zone'),
      });
      assert.equal(task.status, 'done', said);
    }
    for (const name of ['one', 'two']) assert.ok(double.tags(`cookbook/${name}`).includes('1.0.0'), name);
  });

for (const n of [1, 2, 3])
  test(`a part whose disk is pulled at upload ${n} lands nothing that is not whole, and is imported again`, async (t) => {
    await using delivery = await openSplitDelivery();
    const { folder, signer: release } = delivery.medium;
    if (!needsVolume(t, 'ext4', folder)) return;
    await using disk = mountImage(join(folder, 'disk'), 'ext4', 16 * mib);
    const root = join(disk.path, 'part-2');
    await cp((await delivery.carry(2)).root, root, { recursive: true });
    await using double = await createRegistryDouble();
    delivery.putBase(double);
    const config = join(folder, 'zone.json');
    const settings = {
      mode: 'mirror',
      zone: delivery.medium.zone,
      state: { root: join(folder, 'zone') },
      sync: { retries: 0 },
      registries: { insecure: [double.host] },
      destination: { registry: double.host },
      trust: { roots: [{ name: 'release', key: release.publicKeyPem }] },
    };
    await writeFile(config, JSON.stringify(settings));
    const bring = (from: string) =>
      runCommand(['media', 'import', from, '--config', config, '--output', 'json']);
    const first = await bring((await delivery.carry(1)).root);
    assert.equal(first.exitCode, 0, first.stderr);
    let seen = 0;
    const stop = double.intercept(({ method, path }) => {
      if (method === 'POST' && path.includes('/blobs/uploads/')) {
        seen += 1;
        if (seen === n) disk.pull();
      }
      return false;
    });
    const cut = await bring(root);
    assert.equal(cut.exitCode, 1, cut.stderr);
    assert.match(cut.stderr, new RegExp(`SVC-STO-019: The disk with ${disk.path}\\S* is gone`));
    assert.equal(double.uploads.size, 0, 'an upload was left open');
    for (const name of ['shop', 'yard'] as const) {
      if (!double.tags(`cookbook/${name}`).includes('1.0.0')) continue;
      for (const digest of delivery.layers[name]) assert.ok(double.blob(imageOf(name), digest), name);
    }
    assert.deepEqual(await readdir(disk.path), []);
    stop();
    disk.mountAgain();
    const again = await bring(root);
    assert.equal(again.exitCode, 0, again.stderr);
    const { delivery: state } = (JSON.parse(again.stdout) as { readonly task: Task }).task;
    assert.deepEqual([state?.complete, state?.needed], [true, []]);
  });
