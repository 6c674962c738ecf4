import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operations } from '../../../server/operations.ts';
import { listZones, peekZones } from '../../../server/views/zones.ts';
import { openPlaces } from '../../../src/base/shares/places.ts';
import { planZoneBoard } from '../../../src/engine/zone/zone-board.ts';
import type { Instance } from '../../../src/operation/instance/instance.ts';
import { svcError } from '../../../src/text/error.ts';

const zones = ['zone-b', 'zone-c'].map((name) => ({ name, retriever: `/etc/${name}.yaml`, maxAge: 1 }));
const holder = { name: 'vera', rank: 'account' } as const;

const toBoards: Operations['readZoneBoards'] = async (_context, { zones: asked, now }) =>
  asked.map(({ name, maxAge }) =>
    planZoneBoard({
      name,
      wanted: { resolvedAt: '2026-11-22T08:00:00Z', recipes: [] },
      deliveries: [],
      maxAge,
      now,
    }),
  );

/** One instance, and the visitors who ask it. */
function open(readZoneBoards: Operations['readZoneBoards']) {
  const places = openPlaces();
  const config = { zones, state: { root: '/state' } };
  const signal = new AbortController().signal;
  const tasks = { listHeads: () => ({ tasks: [] }) };
  const instance = { context: { config }, places, signal, tasks } as unknown as Instance;
  const operations = { readZoneBoards } as Operations;
  return { places, visitor: (leaves = signal) => ({ instance, operations, holder, signal: leaves }) };
}

test('the overview shows boards while plans have their places, and after its first visitor has left', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
  const { places, visitor } = open(async (...parts) => {
    ask();
    await go;
    return toBoards(...parts);
  });
  const { promise: planned, resolve: plan } = Promise.withResolvers<void>();
  const planning = places.plans.run(holder, new AbortController().signal, () => planned);
  const leaver = new AbortController();
  const first = peekZones(visitor(leaver.signal), 2);
  const second = peekZones(visitor(), 2);
  try {
    leaver.abort(new Error('left'));
    await Promise.race([asked, second]);
    goOn();
    for (const peek of [first, second]) assert.deepEqual([...(await peek).keys()], ['zone-b', 'zone-c']);
  } finally {
    plan();
    await planning;
  }
});

test('the list of zones waits for a place while a plan has that of its reader', async () => {
  const { places, visitor } = open(toBoards);
  const { promise: planned, resolve: plan } = Promise.withResolvers<void>();
  const planning = places.plans.run(holder, new AbortController().signal, () => planned);
  const leaver = new AbortController();
  const listing = listZones(visitor(leaver.signal), { page: 1, pageSize: 50 });
  leaver.abort(new Error('left'));
  await assert.rejects(listing, /left/);
  plan();
  await planning;
});

test('boards that cannot be read are none for all visitors, and a mistake of the program is told to each', async () => {
  let readings = 0;
  const refused = open(async () => {
    readings += 1;
    throw svcError('SVC-CFG-001', { setting: 'state.root' });
  });
  const both = [peekZones(refused.visitor(), 2), peekZones(refused.visitor(), 2)];
  assert.deepEqual(await Promise.all(both), [new Map(), new Map()]);
  assert.equal(readings, 1);

  let isBroken = true;
  const broken = open(async (...parts) => {
    if (isBroken) throw new TypeError('broken');
    return toBoards(...parts);
  });
  for (const peek of [peekZones(broken.visitor(), 2), peekZones(broken.visitor(), 2)])
    await assert.rejects(peek, /broken/);
  isBroken = false;
  assert.equal((await peekZones(broken.visitor(), 2)).size, 2);
});

test('boards of Retrievers that have not answered in time are asked for again by the next visitor', async () => {
  let readings = 0;
  const { visitor } = open(async (context, input) => {
    readings += 1;
    const boards = await toBoards(context, input);
    const code = 'SVC-SRV-006';
    return readings > 1
      ? boards
      : boards.map((one) => ({ ...one, wanted: { ...one.wanted, code, reading: true } }));
  });
  const codesOf = async () => [...(await peekZones(visitor(), 2)).values()].map(({ wanted }) => wanted.code);
  assert.deepEqual(await codesOf(), ['SVC-SRV-006', 'SVC-SRV-006']);
  assert.deepEqual(await codesOf(), [undefined, undefined]);
  assert.deepEqual([await codesOf(), readings], [[undefined, undefined], 2]);
});
