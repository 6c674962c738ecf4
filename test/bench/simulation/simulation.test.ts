import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseTree, leastSeconds } from './choose-tree.ts';
import {
  bytesOf,
  type Load,
  type Rates,
  simulateFleet,
  type Tree,
  type TreeForecast,
} from './fleet-model.ts';
import { type Prices, parsePrices } from './prices.ts';
import { type Actor, type Resource, runActors, shareRates, type Work } from './run-actors.ts';

const unlimited = 1e15;
const slice = 32 * 2 ** 20;
const load: Load = { images: 2, manifests: 1, blobs: [1000, 5 * slice, slice / 2] };
const free: Prices = {
  instance: { sent: 0, sentToCache: 0, manifest: 1e-9, permission: 1e-9, layer: 1e-9 },
  cache: { kept: 0, fetched: 0, manifest: 0, permission: 0 },
};
const wide: Rates = {
  ...{ instanceCard: unlimited, uplink: unlimited, cacheCard: unlimited, nodeCard: unlimited },
  ...{ instanceProcessors: 1, cacheProcessors: 2, roundTrip: 0 },
};

const simulate = (tree: Partial<Tree>): TreeForecast =>
  simulateFleet([{ nodes: 100, caches: [], load, rates: wide, prices: free, ...tree }])[0]!;

/** Within a thousandth, or another share. */
function assertNear(actual: number, expected: number, share = 1e-3): void {
  assert.ok(Math.abs(actual - expected) <= share * expected, `${actual}, not ${expected}`);
}

const work = (of: Resource, members: number, most?: number): Work => ({
  ...{ amount: 1, members, uses: [{ of, per: 1 }] },
  ...(most === undefined ? {} : { most }),
});

test('a full resource is shared evenly, and members with a limit leave the rest to the others', () => {
  const link: Resource = { capacity: 12 };
  assert.deepEqual(shareRates([work(link, 1), work(link, 2), work(link, 1)]), [3, 3, 3]);
  assert.deepEqual(shareRates([work(link, 2, 1), work(link, 2)]), [1, 5]);
  const narrow: Resource = { capacity: 2 };
  const both: Work = { amount: 1, members: 1, uses: [link, narrow].map((of) => ({ of, per: 1 })) };
  assert.deepEqual(shareRates([both, work(link, 1)]), [2, 10]);
  assert.throws(() => shareRates([work({ capacity: Number.POSITIVE_INFINITY }, 1)]), /without a limit/);
});

test('steps take their time, and a resource counts everything that passes', () => {
  const link: Resource = { capacity: 10 };
  const ends: number[] = [];
  function* send(amount: number, pause: number): Actor {
    yield { pause };
    ends.push(yield { amount, members: 1, uses: [{ of: link, per: 1 }] });
  }
  // 10 alone in the first second, then both share: 5 a second each
  const run = runActors([send(20, 0), send(5, 1)]);
  assert.deepEqual(ends, [2, 2.5]);
  assert.equal(run.seconds, 2.5);
  assert.deepEqual(run.usage(link), { total: 25, busiest: 10 });
});

test('without caches, the card of the instance divides by the bytes of all nodes', () => {
  const instanceCard = 1e9;
  const { ends, instance, received } = simulate({ rates: { ...wide, instanceCard } });
  assertNear(ends, (100 * bytesOf(load)) / instanceCard);
  assertNear(instance.sent, 100 * bytesOf(load));
  assertNear(received, 100 * bytesOf(load));
  // a manifest and three blobs of each image
  assertNear(instance.requests, 100 * 2 * 4);
});

test('a node takes no more than its own card', () => {
  assertNear(simulate({ nodes: 1, rates: { ...wide, nodeCard: 1e8 } }).ends, bytesOf(load) / 1e8);
});

test('each layer crosses each link to a cache once, and each node gets all of it', () => {
  for (const [nodes, caches] of [
    [100, [1]],
    [100, [7]],
    [101, [3, 10]],
    [97, [2, 5, 11]],
    [3, [5]],
  ] as const) {
    const { instance, layers, received } = simulate({ nodes, caches, rates: { ...wide, cacheCard: 1e9 } });
    const bytes = bytesOf(load);
    const fed = caches.map((count) => Math.min(count, nodes));
    assertNear(received, nodes * bytes);
    assertNear(instance.sent, fed[0]! * bytes);
    for (const [i, layer] of layers.entries()) {
      assertNear(layer.received, fed[i]! * bytes);
      assertNear(layer.sent, (fed[i + 1] ?? nodes) * bytes);
    }
  }
});

test('the nodes of a cache take its card once for each of them, and its uplink once', () => {
  const rates = { ...wide, cacheCard: 1e8, uplink: 1e7 };
  const { ends } = simulate({ caches: [10], rates });
  // slices go on while the next ones come: of both, the slower one counts, here the way up with one further slice
  const up = bytesOf(load) / 1e7;
  const down = (10 * bytesOf(load)) / 1e8;
  assert.ok(ends >= Math.max(up, down) && ends <= up + down, `${ends}: ${up}, ${down}`);
});

test('every node asks the instance for each layer, however many caches there are', () => {
  const prices = { ...free, instance: { ...free.instance, manifest: 1e-3, permission: 1e-3, layer: 1e-3 } };
  const asked = 100 * 2 * 4;
  for (const caches of [[], [10], [2, 10]]) {
    const { instance, ends } = simulate({ caches, prices });
    assert.ok(instance.requests >= asked * 0.999 && instance.requests <= asked * 1.5);
    assertNear(instance.processor, instance.requests * 1e-3);
    assert.ok(ends >= instance.processor * 0.999, 'one processor');
    assert.ok(instance.busiest <= 1001, 'a thousand requests a second at most');
  }
});

test('a slice that another node fetches is looked for twice a second', () => {
  const rates = { ...wide, uplink: 1e9 };
  const one = { images: 1, manifests: 0, blobs: [slice] };
  assertNear(simulate({ nodes: 1, caches: [1], load: one, rates }).ends, slice / 1e9);
  assertNear(simulate({ nodes: 2, caches: [1], load: one, rates }).ends, 0.5);
});

test('trees on one machine share its processors, and begin when they are told to', () => {
  const machine: Resource = { capacity: 1 };
  const prices = { ...free, instance: { ...free.instance, sent: 1 } };
  const tree: Tree = { nodes: 1, caches: [], load, rates: wide, prices, machine };
  const [alone] = simulateFleet([tree]);
  const both = simulateFleet([tree, tree]);
  assertNear(both[1]!.ends, 2 * alone!.ends);
  const [, late] = simulateFleet([tree, { ...tree, begins: 10 }]);
  assertNear(late!.ends, 10 + alone!.ends);
});

test('the smallest tree ends in time, and one cache less does not', () => {
  const cards = { instanceCard: 1e8, uplink: 1e8, cacheCard: 1e8 };
  const tree = { nodes: 100, load, rates: { ...wide, ...cards }, prices: free };
  assert.deepEqual(chooseTree(tree, 1000)?.caches, [], '369 s without a cache');
  const single = chooseTree(tree, 60)!;
  const [caches = 0, ...others] = single.caches;
  assert.deepEqual(others, []);
  assert.ok(single.forecast.ends <= 60);
  assert.ok(simulate({ ...tree, caches: [caches - 1] }).ends > 60);
  // the processors of the caches are half as quick as their cards, which give the first guess
  const slow = { ...free, cache: { ...free.cache, kept: 40 } };
  const rates = { ...tree.rates, instanceCard: 1e9, uplink: 1e9 };
  const large = { ...tree, nodes: 300, rates, prices: slow };
  const racks = chooseTree(large, 60)!.caches;
  assert.equal(racks.length, 1);
  assert.ok(simulate({ ...large, caches: [racks[0]! - 1] }).ends > 60);
  // the card feeds six caches in 25 s, and these do not serve 100 nodes
  const double = chooseTree(tree, 25)!;
  assert.equal(double.caches.length, 2);
  assert.ok(double.forecast.ends <= 25);
  assert.equal(chooseTree(tree, 3), undefined, 'a node alone takes longer');
});

test('no tree is quicker than the requests of all nodes to the instance', () => {
  const prices = { ...free, instance: { ...free.instance, manifest: 0.01, permission: 0.02 } };
  const tree = { nodes: 100, load, rates: wide, prices };
  // of each of two images a manifest and three blobs
  assertNear(leastSeconds(tree), 100 * 2 * (0.01 + 3 * 0.02));
  assert.equal(chooseTree(tree, leastSeconds(tree) * 0.99), undefined);
});

test('the page about growth has every price', async () => {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'growing.md'), 'utf8');
  for (const over of ['tls', 'http'] as const) {
    const { instance, cache } = parsePrices(page, over);
    for (const price of [...Object.values(instance), ...Object.values(cache)]) assert.ok(price > 0, over);
  }
  assert.throws(() => parsePrices(page.replace('| 1 GiB from the instance |', '|'), 'tls'), /no figure/);
});
