import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Digest } from '../../../src/base/digest.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { openSegmentSpool } from '../../../src/engine/medium/parts/segment-spool.ts';
import { openArrivals } from '../../../src/zone/arrivals.ts';
import { toRandom } from '../../fault/rig/random.ts';
import { createSigner } from '../../kit/content/signer.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { importCarried } from '../../kit/scene/import-carried.ts';
import { buildMedium, type MediumRecipe } from '../../kit/scene/medium.ts';
import { carryPart } from '../../kit/scene/partial-medium.ts';
import { blobsOf, planRandomDelivery, toPart } from '../../kit/scene/random-delivery.ts';

const id = 'dlv_00000000abcd';
const ways = ['good', 'good', 'down', 'breaks', 'refuses', 'blocked', 'damaged', 'wrong key'] as const;
type Way = (typeof ways)[number];

/** Imports parts in random order and ways, and compares the record of the delivery with the registry after each. */
async function requireRecorded(random: () => number): Promise<void> {
  const below = (count: number): number => Math.floor(random() * count);
  const plan = planRandomDelivery(random);
  const { recipes, places, parts, before } = plan;
  await using medium = await buildMedium({ recipes, inMemory: true });
  await using double = await createRegistryDouble();
  const state = join(medium.folder, 'zone');
  const spool = openSegmentSpool(state);
  const other = createSigner();
  const sizes = new Map(
    recipes.flatMap((one) => [...blobsOf(one)].map(([digest, { bytes }]) => [digest, bytes.length])),
  );
  const bringBase = async () => {
    if (before.length === 0) return;
    await using earlier = await buildMedium({
      recipes: before,
      signer: medium.signer,
      inMemory: true,
      resolvedAt: '2026-01-01T00:00:00.000Z',
    });
    const { task, said } = await importCarried(await earlier.carry(), [medium.signer], double, { state });
    assert.equal(task.status, 'done', said);
  };
  const hasBase = random() < 0.6;
  if (hasBase) await bringBase();

  const repositoriesOf = ({ ingredients }: MediumRecipe): readonly string[] =>
    ingredients.map(({ ref }) => ref);
  const isAt = (all: readonly MediumRecipe[], digest: Digest): boolean =>
    all.flatMap(repositoriesOf).some((repository) => double.blob(repository, digest));
  const isLanded = ({ name, version }: MediumRecipe): boolean =>
    double.manifest(`cookbook/${name}`, version) !== undefined;
  /** Parts with content of recipes that are not in the zone. @param at recipes in whose repositories content counts */
  const listMissing = async (at: (recipe: MediumRecipe) => readonly MediumRecipe[]) => {
    const missing = new Set<number>();
    for (const recipe of recipes.filter((one) => !isLanded(one)))
      for (const digest of blobsOf(recipe).keys()) {
        const place = places.get(digest)!;
        if (place === 'base' || isAt(at(recipe), digest)) continue;
        const kept = new Set((await spool.list(digest)).map(({ offset }) => offset));
        for (const { part, range } of place.cuts) if (!kept.has(range[0])) missing.add(part);
      }
    return missing;
  };

  const importPart = async (part: number, way: Way): Promise<string> => {
    const carried = await carryPart(medium, { ...toPart(plan, part, sizes), delivery: { id, part, parts } });
    const { root } = carried;
    if (way === 'blocked') await rm(join(root, 'blobs'), { recursive: true });
    const layer = [...sizes.keys()].find((digest) => existsSync(carried.blob(digest)));
    if (way === 'damaged' && layer) await rm(carried.blob(layer));
    const refused = `/v2/${recipes[below(recipes.length)]!.ingredients[0]!.ref}/`;
    let left = below(60);
    const restore = double.intercept(({ method, path }, response) => {
      const isRefused =
        way === 'down' ||
        (way === 'breaks' && left-- <= 0) ||
        (way === 'refuses' && method !== 'GET' && path.startsWith(refused));
      if (isRefused) response.writeHead(way === 'refuses' ? 403 : 500).end();
      return isRefused;
    });
    const signers = [way === 'wrong key' ? other : medium.signer];
    const { said } = await importCarried(root, signers, double, { state });
    restore();
    await rm(root, { recursive: true });
    return said;
  };

  const check = async (record: Delivery, said: string): Promise<void> => {
    const all = recipes.every(isLanded);
    assert.equal(record.complete, all, said);
    const needed = new Set(record.needed);
    // content in the repository of another recipe may be found there, or not
    const surely = await listMissing(() => recipes);
    const perhaps = await listMissing((recipe) => [recipe]);
    for (const part of surely) assert.ok(needed.has(part), `part ${part} is not needed: ${said}`);
    for (const { part } of record.landed) {
      assert.ok(!surely.has(part), `part ${part} counts as imported: ${said}`);
      assert.ok(!needed.has(part) || perhaps.has(part), `part ${part} is needed once more: ${said}`);
    }
    if (record.complete || hasBase) assert.equal(needed.size === 0, record.complete, said);
  };
  const arrivals = openArrivals(state);
  for (let i = 2 + below(5); i > 0; i -= 1) {
    const way = ways[below(ways.length)]!;
    const part = 1 + below(parts);
    const former = await arrivals.get(id);
    const said = await importPart(part, way);
    const record = await arrivals.get(id);
    if (record === undefined) continue;
    await check(record, `${part} ${way}: ${JSON.stringify([former, record])} ${said}`);
    for (const one of former?.landed ?? [])
      assert.ok(
        record.landed.some((now) => now.part === one.part),
        `part ${one.part} was taken back`,
      );
    for (const one of former?.recipes.filter(({ state }) => state === 'landed') ?? [])
      assert.equal(record.recipes.find(({ digest }) => digest === one.digest)?.state, 'landed', said);
  }

  const { needed = Array.from({ length: parts }, (_, i) => i + 1) } = (await arrivals.get(id)) ?? {};
  const shuffled = needed.map((part) => [random(), part] as const).sort((a, b) => a[0] - b[0]);
  let said = JSON.stringify(await arrivals.get(id));
  for (const [, part] of shuffled) said += await importPart(part, 'good');
  const last = await arrivals.get(id);
  if (last === undefined) return assert.fail(said);
  assert.deepEqual(last.needed, [], said);
  if (hasBase) assert.ok(last.complete, said);
  await check(last, said);
  // the base comes back: any part lets the held recipes land
  if (last.complete) return;
  await bringBase();
  said = await importPart(1 + below(parts), 'good');
  assert.ok((await arrivals.get(id))?.complete, said);
}

for (let round = 0; round < 6; round += 1)
  test(`round ${round}: the record of a delivery says of each part whether its content is in the zone`, () =>
    requireRecorded(toRandom(`imports ${round}`)));
