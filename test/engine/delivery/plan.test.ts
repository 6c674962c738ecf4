import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { RecipeRecord } from '../../../src/catalog/model.ts';
import { type RecipeClosure, toContents } from '../../../src/engine/delivery/close.ts';
import { planDelivery } from '../../../src/engine/delivery/plan.ts';

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function toClosure(
  name: string,
  always: readonly (readonly [Digest, number])[],
  blobs: readonly (readonly [Digest, number])[],
): RecipeClosure {
  const record = { name, version: '1.0.0', digest: hashBytes(name) } as RecipeRecord;
  return { record, always: new Map(always), blobs: new Map(blobs), entries: [] };
}

const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0);

test('a delivery writes exactly what the wanted recipes need and the zone lacks', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomFrom(seed);
    const pool = Array.from({ length: 40 }, (_, i) => {
      return [hashBytes(`${seed} ${i}`), Math.floor(random() * 1000)] as const;
    });
    const manifests = pool.slice(0, 8);
    const layers = pool.slice(8);
    const pick = <T>(items: readonly T[], share: number): T[] => items.filter(() => random() < share);
    const all = Array.from({ length: 8 }, (_, i) =>
      toClosure(`recipe-${i}`, pick(manifests, 0.4), pick(layers, 0.3)),
    );
    const wanted = pick(all, 0.5);
    const present = pick(all, 0.4);
    const unknown = new Set(pick(present, 0.2));
    const inventory = new Set(pick(layers, 0.1).map(([digest]) => digest));
    const roots = new Map(
      present.map((one) => [one.record.digest, unknown.has(one) ? undefined : toContents(one)]),
    );
    const plan = planDelivery(wanted, { roots, inventory });

    // written anew, from the definition
    const need = new Map(wanted.flatMap((one) => [...toContents(one)]));
    const always = new Set(wanted.flatMap((one) => [...one.always.keys()]));
    const known = new Set([...inventory, ...[...roots.values()].flatMap((one) => [...(one?.keys() ?? [])])]);
    const written = [...need].filter(([digest]) => always.has(digest) || !known.has(digest));
    assert.equal(
      sum(plan.always.values()) + sum(plan.blobs.values()),
      sum(written.map(([, size]) => size)),
      `seed ${seed}`,
    );
    assert.deepEqual(
      new Set([...plan.always.keys(), ...plan.blobs.keys(), ...plan.absent.keys()]),
      new Set(need.keys()),
    );
    for (const digest of plan.absent.keys()) assert.ok(known.has(digest) && !always.has(digest));
    assert.deepEqual(
      plan.unknownRoots,
      [...unknown].map(({ record }) => record.digest),
    );
    for (const { totalBytes, writeBytes, absentBytes } of plan.recipes)
      assert.equal(totalBytes, writeBytes + absentBytes);
  }
});

test('a blob that is a document of another wanted recipe is on every medium, also when the zone has it', () => {
  const shared = hashBytes('shared');
  const plan = planDelivery([toClosure('a', [[shared, 5]], []), toClosure('b', [], [[shared, 5]])], {
    roots: new Map([[hashBytes('old'), new Map([[shared, 5]])]]),
  });
  assert.deepEqual([...plan.always], [[shared, 5]]);
  assert.equal(plan.absent.size + plan.blobs.size, 0);
  assert.deepEqual(
    plan.recipes.map(({ writeBytes }) => writeBytes),
    [5, 5],
  );
});

test('without a base everything is written', () => {
  const closure = toClosure('a', [[hashBytes('m'), 1]], [[hashBytes('b'), 2]]);
  const plan = planDelivery([closure], undefined);
  assert.equal(plan.absent.size, 0);
  assert.deepEqual(plan.recipes[0]?.writeBytes, 3);
});
