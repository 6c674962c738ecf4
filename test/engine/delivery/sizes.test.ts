import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Digest, isDigest } from '../../../src/base/digest.ts';
import { planDelivery } from '../../../src/engine/delivery/plan.ts';
import { describeWriting } from '../../../src/operation/delivery/describe-writing.ts';
import { buildImage } from '../../kit/content/content.ts';
import { openStoreAt } from '../../kit/instance/open-store-at.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { decideFor } from '../../kit/scene/delivery.ts';
import { buildMedium } from '../../kit/scene/medium.ts';
import { trust, verifyCarried } from '../../kit/scene/verify-carried.ts';
import { writePartOf } from '../../kit/scene/write-part-of.ts';

/** Bytes of blobs on a disk, whole or as segments, by their digests. */
async function measureBlobs(root: string): Promise<ReadonlyMap<Digest, number>> {
  const found = new Map<Digest, number>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const [, kind, algorithm, hex] = /(blobs|segments)\/(sha\d+)\/([0-9a-f]+)/.exec(path) ?? [];
    if (!entry.isFile() || kind === undefined) continue;
    const digest = `${algorithm}:${hex}` as Digest;
    assert.ok(isDigest(digest), path);
    found.set(digest, (found.get(digest) ?? 0) + (await readFile(path)).length);
  }
  return found;
}

test('the sums of a plan and of a check are those of the files on the disks, where one is cut over three', async () => {
  const artifact = buildImage('wide', { ownLayers: 2, layerSize: 5_000_000 });
  await using medium = await buildMedium({
    recipes: [
      {
        name: 'wide',
        version: '1.0.0',
        layout: 'bundle',
        ingredients: [
          { name: 'image', kind: 'ContainerImage', ref: 'origin.example/wide', tag: '1', artifact },
        ],
      },
    ],
  });
  await using folder = await openTempFolder();
  await using store = await openStoreAt({ root: medium.root }, { access: 'read' });
  const delivery = await decideFor(store, { supply: { each: { bytes: 2_300_000 }, most: 99 } });
  assert.ok(delivery.parts.length > 4);
  const disks: ReadonlyMap<Digest, number>[] = [];
  for (const [i] of delivery.parts.entries()) {
    await writePartOf(store, delivery, join(folder.path, `${i + 1}`), i + 1);
    disks.push(await measureBlobs(join(folder.path, `${i + 1}`)));
  }
  const whole = new Map<Digest, number>();
  for (const disk of disks)
    for (const [digest, bytes] of disk)
      whole.set(digest, delivery.content.always.has(digest) ? bytes : (whole.get(digest) ?? 0) + bytes);
  const real = [...whole.values()].reduce((sum, bytes) => sum + bytes, 0);
  const places = delivery.parts.map((_, i) => ({ path: `${i}`, bytes: 0 }));
  const { totals, recipes } = describeWriting({
    delivery,
    blocked: [],
    lacking: [],
    refused: [],
    refusals: new Map(),
    places,
    checks: [],
  });
  assert.deepEqual([totals.writeBytes, recipes[0]?.writeBytes], [real, real]);
  assert.deepEqual(planDelivery(delivery.closures, undefined).blobs, delivery.content.blobs);

  for (const [i, disk] of disks.entries()) {
    const { report } = await verifyCarried(join(folder.path, `${i + 1}`), trust(medium.signer));
    const { needs = [] } = report.recipes[0]!;
    const here = [...disk.values()].reduce((sum, bytes) => sum + bytes, 0);
    const away = needs.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.equal(here + away, real, `part ${i + 1}: ${JSON.stringify(needs)}`);
    const cut = [...whole].filter(([digest, bytes]) => (disk.get(digest) ?? 0) < bytes);
    assert.equal(
      needs.reduce((sum, { files }) => sum + files, 0),
      cut.length,
    );
    const named = new Set(needs.flatMap(({ part, parts = [] }) => (part === undefined ? parts : [part])));
    const others = disks.flatMap((other, n) =>
      n !== i && cut.some(([one]) => other.has(one)) ? [n + 1] : [],
    );
    assert.deepEqual(
      [...named].sort((a, b) => a - b),
      others,
    );
  }
});
