import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { silentReport } from '../../src/base/report.ts';
import type { RecipeRecord } from '../../src/catalog/model.ts';
import { openPromotion } from '../../src/engine/promotion/promote.ts';
import { type Context, openContext } from '../../src/operation/context.ts';
import type { Store } from '../../src/store/model.ts';
import { openRepository } from '../../src/store/open-repository.ts';
import { createRegistryDouble, type RegistryDouble } from '../kit/result/registry-double.ts';
import { openSyncScene, type SyncScene, toIngredient } from '../kit/scene/sync-scene.ts';
import { times } from './rig/form.ts';
import { type Draw, runHistories, type Step } from './rig/run-histories.ts';

const cookbooks = ['one', 'two', 'three'] as const;

let scene: SyncScene;
let zone: RegistryDouble;
let store: Store;
let context: Context;
const records: RecipeRecord[] = [];
/** The ingredient that has the tag of a recipe at the destination. */
let colliding: string;

before(async () => {
  scene = await openSyncScene({ inMemory: true });
  zone = await createRegistryDouble();
  const change = { registries: { insecure: [scene.origin.host, zone.host] } };
  for (const cookbook of cookbooks) {
    // one tag, pinned to another digest by each
    const image = scene.putImage('library/app', '1.0');
    scene.publish('app', '1.0.0', [toIngredient('app', 'library/app', '1.0', image)], { cookbook });
    await scene.setRetriever([['app', '1.0.0']], { cookbook });
    const { task } = await scene.run({ change, prune: false });
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  }
  // a recipe whose ingredient has, at the destination, the tag of the others
  const image = scene.putImage('book/app', '1.0.0');
  colliding = image.digest;
  scene.publish('other', '1.0.0', [toIngredient('app', 'book/app', '1.0.0', image)]);
  await scene.setRetriever([['other', '1.0.0']]);
  const { task } = await scene.run({ change, prune: false });
  assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
  store = await scene.openStore();
  context = await openContext(scene.config(change), { report: scene.report, version: '0' });
  const isOther = ({ name }: RecipeRecord) => name === 'other';
  const all = store.index.recipes();
  records.push(...all.filter((one) => !isOther(one)), ...all.filter(isOther));
  assert.equal(records.length, cookbooks.length + 1);
});
after(async () => {
  await context[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await zone.close();
  await scene[Symbol.asyncDispose]();
});

/** The last of the recipes: it is promoted to a tag of its own. */
const other = cookbooks.length;

/** One destination, and the content that its recipe tag leads to. */
interface World extends AsyncDisposable {
  readonly basePath: string;
  readonly cookbook: string;
  published: string | undefined;
}

/** Recipes as one run promotes them: all at once. */
function promote(numbers: readonly number[]): Step<World> {
  return {
    name: `promote ${numbers.join(' ')}`,
    run: async (world) => {
      const promotion = openPromotion({
        registry: context.registry,
        destination: { registry: zone.host, cookbook: world.cookbook, basePath: world.basePath },
        policy: context.policy,
        report: silentReport,
        source: (repository) => openRepository(store, repository, { owner: { provenance: 'recipe' } }),
      });
      const landings = await Promise.all(
        numbers.map((n) =>
          promotion.promote(records[n]!, new Map([['app', n === other ? '1.0.0' : `1.0-${n}`]])),
        ),
      );
      const now = zone.manifest(`${world.cookbook}/app`, '1.0.0')?.digest;
      for (const [i, { error }] of landings.entries()) {
        const { digest } = records[numbers[i]!]!;
        if (error) assert.equal(error.code, 'SVC-POL-004', String(error));
        if (numbers[i] === other)
          assert.equal(error === undefined, now === colliding, 'the ingredient landed');
        else assert.equal(error === undefined, digest === now, `${digest} landed where ${now} is`);
      }
    },
  };
}

function drawStep(draw: Draw): Step<World> {
  const n = draw.below(cookbooks.length);
  switch (draw.below(6)) {
    case 0:
      return promote([n]);
    case 1:
      return {
        name: 'publish elsewhere',
        run: async ({ cookbook }) => {
          if (zone.manifest(`${cookbook}/app`, '1.0.0')) return;
          const { digest, repository } = records[n]!;
          const known = scene.origin.manifest(repository.replace(/^[^/]*\//, ''), digest)!;
          zone.putManifest(`${cookbook}/app`, Buffer.from(known.bytes), { tag: '1.0.0' });
        },
      };
    case 2:
      return promote(draw.pick([[other], [n, other], [other, n]]));
    default:
      return promote([n, ...[0, 1, 2].filter((one) => one !== n && draw.chance(0.7))]);
  }
}

test('a recipe tag at a destination has one document, whichever recipes are promoted to it at once', async (t) => {
  let histories = 0;
  await runHistories<World>(t, {
    name: 'destination-tags',
    count: times(60, 10_000),
    length: 4,
    open: async () => {
      histories += 1;
      return {
        basePath: `h${histories}`,
        cookbook: `h${histories}/${scene.origin.host.replace(':', '_')}/book`,
        published: undefined,
        [Symbol.asyncDispose]: async () => {},
      };
    },
    draw: drawStep,
    check: async (world) => {
      const now = zone.manifest(`${world.cookbook}/app`, '1.0.0')?.digest;
      if (world.published !== undefined) assert.equal(now, world.published);
      world.published = now;
    },
  });
});
