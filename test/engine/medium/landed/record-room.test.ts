import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  boundLastWrites,
  countRecorded,
  requireRecordRoom,
} from '../../../../src/engine/medium/landed/record-room.ts';
import { isSvcError } from '../../../../src/text/error.ts';
import { buildImage } from '../../../kit/content/content.ts';
import { createRegistryDouble } from '../../../kit/result/registry-double.ts';
import { importCarried } from '../../../kit/scene/import-carried.ts';
import { buildMedium } from '../../../kit/scene/medium.ts';

test('the bound grows by each recipe, each item and each disk', () => {
  const one = { recipes: 1, items: 3, disks: 1 };
  const bound = boundLastWrites(one);
  for (const key of ['recipes', 'items', 'disks'] as const)
    assert.ok(boundLastWrites({ ...one, [key]: one[key] + 1 }) > bound, key);
});

test('a volume of exactly the bound passes, and one byte less is refused with its folder and figures', async () => {
  const recorded = { recipes: 2, items: 5, disks: 3 };
  const needed = boundLastWrites(recorded);
  await requireRecordRoom('/state', recorded, async () => ({ freeBytes: needed }));
  const free = needed - 1;
  await assert.rejects(
    requireRecordRoom('/state', recorded, async () => ({ freeBytes: free })),
    (error) => {
      assert.ok(isSvcError(error, 'SVC-STO-004'));
      assert.deepEqual(error.params, {
        ...{ path: '/state', needed, usable: free, free, shortfall: 1, place: 'state' },
      });
      return true;
    },
  );
});

test('an import of many recipes writes less into the state than the bound', async () => {
  await using medium = await buildMedium({
    recipes: Array.from({ length: 40 }, (_, n) => ({
      ...{ name: `recipe-${n}`, version: '1.0.0', layout: 'bundle' as const },
      ingredients: ['web', 'api'].map((name) => ({
        ...{ name, kind: 'ContainerImage' as const, tag: '1.0.0', artifact: buildImage(`${name}-${n}`) },
        ref: `origin.example/recipe-${n}/${name}`,
      })),
    })),
  });
  await using registry = await createRegistryDouble();
  const state = join(medium.folder, 'state');
  const { verification, error } = await importCarried(medium.root, [medium.signer], registry, { state });
  assert.equal(error, undefined);
  const recorded = countRecorded(verification!);
  assert.deepEqual(recorded, { recipes: 40, items: 120, disks: 1 });
  let written = 0;
  for (const name of await readdir(state, { recursive: true }))
    written += (await stat(join(state, name))).blocks * 512;
  assert.ok(written > 0 && written < boundLastWrites(recorded), `${written}`);
});
