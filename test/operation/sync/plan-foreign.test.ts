import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openContext } from '../../../src/operation/context.ts';
import { planSync } from '../../../src/operation/plan-sync.ts';
import { previewPrune } from '../../../src/operation/prune-preview.ts';
import { sync } from '../../../src/operation/sync.ts';
import { forgeLedgerAt } from '../../kit/hostile/forge-ledger.ts';
import { createMemoryJournal } from '../../kit/instance/memory-journal.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

for (const zone of ['zone-a', undefined])
  test(`a plan of a foreign store whose ledger names another document says what the run does (zone: ${zone})`, async () => {
    await using scene = await openSyncScene({ inMemory: true });
    const image = scene.putImage('library/web', '1.0');
    const other = scene.putImage('library/web', '2.0');
    const old = scene.publish('shop', '0.9.0', [toIngredient('web', 'library/web', '2.0', other)]);
    const { digest } = scene.publish('shop', '1.0.0', [toIngredient('web', 'library/web', '1.0', image)]);
    await scene.setRetriever([
      ['shop', '0.9.0'],
      ['shop', '1.0.0'],
    ]);
    await scene.run();
    const state = join(scene.folder, 'state');
    await rm(state, { recursive: true });
    await mkdir(state);
    await forgeLedgerAt(scene.storeRoot, 'content', (records) =>
      records.map((one) => {
        if (one.op !== 'tag') return one;
        if (one.kind === 'Recipe' && one.tag === '1.0.0') return { ...one, digest: old.digest };
        return one.tag === '1.0' ? { ...one, digest: other.digest } : one;
      }),
    );
    const config = scene.config({
      ...(zone === undefined ? {} : { zone }),
      import: { inspectTimeout: 20_000 },
    });
    await using context = await openContext(config, { report: scene.report, version: '0.0.0-test' });
    await using store = await scene.openStore(zone === undefined ? {} : { zone });
    assert.equal(store.standing, 'foreign');
    const before = await planSync(context, { store, prune: true });
    assert.deepEqual(before.plan.problems, []);
    assert.equal(before.exit_code, 5);
    assert.deepEqual((await previewPrune(context, store)).items, []);
    const { journal, task } = createMemoryJournal();
    await sync(context, { store, task, journal, prune: 'asked' });
    assert.equal(journal.task.counts.failed, 0, JSON.stringify(journal.task.items));
    assert.deepEqual(journal.task.pruned ?? [], []);
    const repository = `${scene.origin.host.replace(':', '_')}/cookbook/shop`;
    assert.equal(store.index.tag(repository, '1.0.0')?.digest, digest);
    const planned = before.plan.recipes.flatMap(({ ingredients }) => ingredients.map(({ status }) => status));
    const ran = (journal.task.resolutions ?? []).flatMap(({ ingredient, status }) =>
      ingredient ? [status] : [],
    );
    assert.deepEqual(ran, planned);
    assert.equal((await planSync(context, { store, prune: true })).exit_code, 0);
  });
