import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MediumWriting } from '../../src/contract/write-medium.ts';
import { readMediumHeader } from '../../src/store/rest/media-manifest.ts';
import { isSvcError } from '../../src/text/error.ts';
import { openSent } from '../../src/zone/sent.ts';
import { buildImage } from '../kit/content/content.ts';
import { openStoreAt } from '../kit/instance/open-store-at.ts';
import { runSvc } from '../kit/program/svc.ts';
import { decideFor } from '../kit/scene/delivery.ts';
import { type BuiltMedium, buildMedium, defaultRecipes } from '../kit/scene/medium.ts';
import { trust, verifyCarried } from '../kit/scene/verify-carried.ts';
import { writeMediumOf, writePartOf } from '../kit/scene/write-part-of.ts';
import { mountMemory, needsMount } from './rig/small-volume.ts';

/** Recipes of two layers of 2 MiB each. */
function buildSource(recipes: number): Promise<BuiltMedium> {
  const [shop] = defaultRecipes();
  return buildMedium({
    recipes: Array.from({ length: recipes }, (_, i) => ({
      ...shop!,
      name: `app-${i}`,
      ingredients: [
        { ...shop!.ingredients[0]!, artifact: buildImage(`app-${i}`, { ownLayers: 2, layerSize: 2 << 20 }) },
      ],
    })),
  });
}

test('a disk that is full in the middle has no manifest, and goes on with more room', async (t) => {
  await using medium = await buildSource(2);
  if (!needsMount(t, medium.folder)) return;
  await using volume = mountMemory(join(medium.folder, 'volume'), '5m');
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const delivery = await decideFor(store);
  const path = join(volume.path, 'disk');
  const write = () => writePartOf(store, delivery, path);
  await assert.rejects(write(), (error) => isSvcError(error, 'SVC-STO-004'));
  assert.ok(!(await readdir(path)).includes('media.jsonl'));
  volume.remount('size=32m');
  await write();
  const { report } = await verifyCarried(path, trust(medium.signer));
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
});

test('a disk that another program fills meanwhile lacks all that is still to be written', async (t) => {
  await using medium = await buildSource(2);
  if (!needsMount(t, medium.folder)) return;
  await using volume = mountMemory(join(medium.folder, 'volume'), '24m');
  const stateRoot = join(medium.folder, 'maker');
  await using store = await openStoreAt({ root: medium.root, stateRoot });
  const write = (onPlan: () => void) =>
    writeMediumOf({
      ...{ store, sent: openSent(stateRoot), zone: 'zone-b', policy: trust(medium.signer), onPlan },
      folders: [join(volume.path, 'disk')],
    });
  const other = join(volume.path, 'other');
  await assert.rejects(
    write(() => writeFileSync(other, Buffer.alloc(20 << 20))),
    (error) => {
      assert.ok(isSvcError(error, 'SVC-STO-004'), String(error));
      const { shortfall, path, place } = error.params;
      assert.ok(Number(shortfall) > 3 << 20, String(shortfall));
      assert.deepEqual([path, place], [join(volume.path, 'disk'), 'disk']);
      return true;
    },
  );
  rmSync(other);
  const { proof } = await write(() => {});
  assert.equal(proof?.ok, true);
});

test('two small disks take a delivery that neither has room for', async (t) => {
  await using medium = await buildSource(2);
  if (!needsMount(t, medium.folder)) return;
  await using one = mountMemory(join(medium.folder, 'one'), '6m');
  await using two = mountMemory(join(medium.folder, 'two'), '6m');
  const config = join(medium.folder, 'sender.json');
  const settings = {
    mode: 'mirror',
    storage: { root: medium.root },
    state: { root: join(medium.folder, 'maker') },
  };
  await writeFile(
    config,
    JSON.stringify({ ...settings, trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] } }),
  );
  const folders = [one, two].map((volume) => join(volume.path, 'delivery'));
  const write = (...to: readonly string[]) =>
    runSvc(['media', 'write', ...to, '--zone', 'zone-b', '--config', config, '--output', 'json']);
  const alone = await write(folders[0]!);
  assert.equal(alone.exitCode, 1);
  assert.match(alone.stderr, /SVC-MED-046/);
  assert.deepEqual(await readdir(one.path), []);
  const both = await write(...folders);
  assert.equal(both.exitCode, 0, both.stderr);
  const { delivery, volumes } = JSON.parse(both.stdout) as MediumWriting;
  assert.deepEqual(
    volumes.map(({ path, recipes }) => [path, recipes.length]),
    folders.map((path) => [path, 1]),
  );
  for (const [i, path] of folders.entries())
    assert.deepEqual((await readMediumHeader(path)).delivery, { id: delivery.id, part: i + 1, parts: 2 });
  // the disks are fuller now, and the delivery is the same
  const again = await write(...folders);
  assert.equal(again.exitCode, 0, again.stderr);
  const repeated = JSON.parse(again.stdout) as MediumWriting;
  assert.deepEqual(repeated.delivery, delivery);
  assert.deepEqual(
    repeated.volumes.map(({ state }) => state),
    ['unchanged', 'unchanged'],
  );
});
