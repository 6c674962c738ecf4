import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentReport } from '../../../src/base/report.ts';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import { openContext } from '../../../src/operation/context.ts';
import { readZoneBoards } from '../../../src/operation/zone/read-zone-boards.ts';
import { WantedRecipes } from '../../../src/operation/zone/wanted-recipes.ts';
import { writeRetriever } from '../../kit/content/retriever.ts';
import { openSyncScene, toIngredient } from '../../kit/scene/sync-scene.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A zone whose cookbook answers only when it may, with the wanted recipes of an instance and their clock. */
async function openSlowZone() {
  const scene = await openSyncScene();
  scene.publish('shop', '1.0.0', [
    toIngredient('app', 'library/app', '1.0', scene.putImage('library/app', '1.0')),
  ]);
  await scene.setRetriever([['shop', '^1.0.0']]);
  const context = await openContext(scene.config(), {
    report: silentReport,
    version: '0.0.0-test',
  });
  const { source } = context.config.retriever;
  const clock = { at: Date.UTC(2026, 10, 30) };
  let held: PromiseWithResolvers<void> | undefined;
  scene.origin.intercept(async () => {
    await held?.promise;
    return false;
  });
  return {
    scene,
    context,
    clock,
    zone: { name: 'zone-a', retriever: source!, maxAge: 30 * day },
    wanted: new WantedRecipes(context, { now: () => clock.at }),
    hold: () => {
      held = Promise.withResolvers();
    },
    release: () => held?.resolve(),
    [Symbol.asyncDispose]: async () => {
      held?.resolve();
      await context[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

test('a Retriever that was never read is being read, and did not fail', async () => {
  await using slow = await openSlowZone();
  const { wanted, zone } = slow;
  slow.hold();
  const first = await wanted.get(zone, { patience: 1 });
  assert.deepEqual([first.reading, first.recipes], [true, []]);
  const board = planZoneBoard({ name: zone.name, wanted: first, deliveries: [], maxAge: day, now: 0 });
  assert.deepEqual([board.wanted.state, board.wanted.reading], ['unresolved', true]);
  slow.release();
  const read = await wanted.get(zone);
  assert.deepEqual([read.reading, read.recipes.map(({ version }) => version)], [undefined, ['1.0.0']]);
});

test('a Retriever that is being read is named, and so is a host that gives no usable answer', async () => {
  await using slow = await openSlowZone();
  const { context, wanted, zone, scene, clock } = slow;
  slow.hold();
  const { error, code } = await wanted.get(zone, { patience: 1 });
  assert.deepEqual([code, error?.params], ['SVC-SRV-006', { reason: 'reading', retriever: zone.retriever }]);
  slow.release();
  await wanted.get(zone);
  clock.at += 2 * minute;
  scene.origin.failNext(/^GET .*shop/, 503, { times: 100 });
  const read = { wanted, zones: [zone], now: clock.at };
  const [board] = await readZoneBoards(context, read);
  assert.deepEqual(
    board?.recipes.map(({ error: found }) => [found?.code, found?.params.host]),
    [['SVC-REG-002', scene.origin.host]],
  );
});

test('while a Retriever is read again, the reading before it stands with its own date', async () => {
  await using slow = await openSlowZone();
  const { wanted, zone, clock } = slow;
  const first = await wanted.get(zone);
  const perReading = slow.scene.origin.requests.length;
  clock.at += 2 * minute;
  slow.hold();
  assert.deepEqual(await wanted.get(zone, { patience: 1 }), { ...first, reading: true });
  // a reading that takes longer than its answer would serve is not begun twice
  clock.at += 2 * minute;
  assert.deepEqual(await wanted.get(zone, { patience: 1 }), { ...first, reading: true });
  slow.release();
  const second = await wanted.get(zone);
  assert.ok(second.resolvedAt > first.resolvedAt);
  assert.equal(second.reading, undefined);
  assert.equal(slow.scene.origin.requests.length, 2 * perReading);
});

test('the boards of many zones are waited for at once, and not one after the other', async () => {
  await using slow = await openSlowZone();
  const { context, zone } = slow;
  let asked = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const zones = Array.from({ length: 40 }, () => zone);
  const boards = await readZoneBoards(context, {
    wanted: {
      get: async () => {
        asked += 1;
        if (asked === zones.length) resolve();
        await promise;
        return { resolvedAt: '2026-11-30T00:00:00Z', recipes: [] };
      },
    },
    zones,
    now: slow.clock.at,
  });
  assert.equal(boards.length, zones.length);
});

test('a failed answer serves for a minute, where a good one serves for an hour', async () => {
  await using scene = await openSyncScene();
  await using context = await openContext(scene.config(), { report: scene.report, version: '0.0.0-test' });
  let now = 0;
  const wanted = new WantedRecipes(context, { now: () => now });
  const retriever = join(scene.folder, 'zone-b.yaml');
  const zone = { name: 'zone-b', retriever, maxAge: 0 };
  const ask = async () => (await wanted.get(zone, { freshFor: 3_600_000 })).code;
  assert.equal(await ask(), 'SVC-REG-005');
  await writeRetriever(
    retriever,
    { cookbook: `${scene.origin.host}/cookbook`, recipes: [{ name: 'shop', version: '1.0.0' }] },
    'zone-b',
  );
  assert.equal(await ask(), 'SVC-REG-005');
  now = 60_000;
  assert.equal(await ask(), undefined);
});

test('a page has the earlier answer at once while a slow cookbook answers, and the later one then', async () => {
  await using slow = await openSlowZone();
  const { context, wanted, zone, clock } = slow;
  // the first answer is waited for
  const first = await wanted.get(zone, { patience: minute, takesEarlier: true });
  assert.deepEqual([first.reading, first.recipes.map(({ version }) => version)], [undefined, ['1.0.0']]);
  clock.at += day;
  slow.hold();
  // nothing is released: an answer that waited would never come
  const waits = { patience: 1_000_000, takesEarlier: true };
  assert.deepEqual(await wanted.get(zone, waits), { ...first, reading: true });
  const [board] = await readZoneBoards(context, { wanted, zones: [zone], now: clock.at, ...waits });
  assert.deepEqual(
    [board!.wanted, board!.recipes.map((one) => one.wanted)],
    [{ state: 'resolved', resolvedAt: first.resolvedAt, reading: true }, ['1.0.0']],
  );
  slow.release();
  const second = await wanted.get(zone);
  assert.equal(second.resolvedAt, new Date(clock.at).toISOString());
  assert.deepEqual(await wanted.get(zone, waits), second);
});

test('where a cookbook fails, a page keeps the earlier answer with its date and the error, and others have the failure', async () => {
  await using slow = await openSlowZone();
  const { context, wanted, zone, scene, clock } = slow;
  const first = await wanted.get(zone);
  clock.at += day;
  scene.origin.failNext(/^GET .*shop/, 503, { times: 100 });
  const failed = await wanted.get(zone);
  assert.deepEqual(
    failed.recipes.map(({ version, code }) => [version, code]),
    [[undefined, 'SVC-REG-002']],
  );
  const { error: _, ...kept } = await wanted.get(zone, { takesEarlier: true });
  assert.deepEqual(kept, { ...first, code: 'SVC-REG-002' });
  const [board] = await readZoneBoards(context, { wanted, zones: [zone], now: clock.at, takesEarlier: true });
  assert.deepEqual(
    [board!.wanted.state, board!.wanted.resolvedAt, board!.wanted.code, board!.recipes[0]!.wanted],
    ['resolved', first.resolvedAt, 'SVC-REG-002', '1.0.0'],
  );
  // also while it is tried again, and after it failed twice
  clock.at += 2 * minute;
  slow.hold();
  assert.deepEqual(await wanted.get(zone, { takesEarlier: true }), { ...first, reading: true });
  slow.release();
});

test('an entry that several zones want is resolved once for all of them', async () => {
  await using slow = await openSlowZone();
  const { wanted, zone, scene, clock } = slow;
  const retriever = join(scene.folder, 'zone-b.yaml');
  const cookbook = `${scene.origin.host}/cookbook`;
  await writeRetriever(retriever, { cookbook, recipes: [{ name: 'shop', version: '^1.0.0' }] }, 'zone-b');
  const other = { ...zone, name: 'zone-b', retriever };
  const first = await wanted.get(zone);
  const asked = scene.origin.requests.length;
  assert.deepEqual(await wanted.get(other), first);
  assert.equal(scene.origin.requests.length, asked);
  // a later reading asks again
  clock.at += 2 * minute;
  await Promise.all([wanted.get(zone), wanted.get(other)]);
  assert.equal(scene.origin.requests.length, 2 * asked);
});
