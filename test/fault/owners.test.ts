import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import type { Owner } from '../../src/contract/content.ts';
import { signatureTag } from '../../src/oci/reference.ts';
import { collectGarbage } from '../../src/store/collect.ts';
import { openZoneScene, type ZoneScene } from '../kit/scene/zone-scene.ts';
import { onlyRound, times } from './rig/form.ts';
import {
  type Pin,
  platforms,
  recipes,
  repositories,
  tags,
  variants,
  versions,
  World,
} from './rig/owner-world.ts';
import { type Draw, type Histories, runHistories, type Step } from './rig/run-histories.ts';

function toPin(draw: Draw): Pin {
  const isContent = draw.chance(0.75);
  return {
    repository: draw.pick(isContent ? repositories : recipes),
    tag: draw.pick(isContent ? tags : versions),
    variant: draw.below(variants),
    ...(draw.chance(0.15) ? { aliasOf: draw.below(variants) } : {}),
    platform: draw.chance(0.5) ? draw.pick(platforms) : undefined,
  };
}

function showName({ repository, tag, aliasOf }: Pin): string {
  return `${repository}:${tag}${aliasOf === undefined ? '' : `-<digest of ${aliasOf}>`}`;
}

function showPin(pin: Pin): string {
  const { variant, platform } = pin;
  return `${showName(pin)} = ${variant}${platform === undefined ? '' : ` for ${platform}`}`;
}

/** Beside a task, clients push and delete. */
function drawPair(draw: Draw): Step<World> {
  const [one, other] = [toPin(draw), toPin(draw)];
  const task = draw.pick(['sync', 'sync with prune', 'import', 'push'] as const);
  const client = draw.pick(['push', 'delete'] as const);
  const first = task.startsWith('sync') ? task : `${task} ${showPin(one)}`;
  return {
    name: `at-once ${first} | ${client} ${client === 'delete' ? other.repository : showPin(other)}`,
    run: async (world) => {
      const works = [
        task === 'import'
          ? world.import(one)
          : task === 'push'
            ? world.push(one)
            : world.syncBeside(task === 'sync with prune'),
        client === 'push' ? world.push(other) : world.delete(other.repository),
      ];
      for (const ended of await Promise.allSettled(works))
        if (ended.status === 'rejected') throw ended.reason;
    },
  };
}

function drawStep(draw: Draw): Step<World> {
  if (draw.chance(0.1)) return drawPair(draw);
  const kind = draw.below(15);
  const pin = toPin(draw);
  const shown = `${showName(pin)} = ${pin.variant}`;
  if (kind < 4) {
    const prune = draw.chance(0.6);
    return { name: `sync ${prune ? 'with' : 'without'} prune`, run: (world) => world.sync(prune) };
  }
  if (kind < 6) {
    const recipe = draw.pick(recipes);
    const pins = [pin, ...(draw.chance(0.5) ? [toPin(draw)] : [])].filter(
      (one, i, all) => all.findIndex(({ repository }) => repository === one.repository) === i,
    );
    const wants = draw.chance(0.8);
    return {
      name: `publish ${recipe}: ${pins.map(showPin).join(', ')}${wants ? ', wanted' : ''}`,
      run: async (world) => {
        world.publish(recipe, pins);
        if (wants) await world.want([{ recipe, age: 0 }]);
      },
    };
  }
  if (kind < 8) {
    const asked = recipes.flatMap((recipe) =>
      draw.chance(0.7) ? [{ recipe, age: draw.chance(0.7) ? 0 : 1 }] : [],
    );
    const names = asked.map(({ recipe, age }) => `${recipe}${age === 0 ? '' : ' before'}`).join(', ');
    return { name: `want ${names}`, run: (world) => world.want(asked) };
  }
  if (kind === 8) return { name: `import ${shown}`, run: (world) => world.import(pin) };
  if (kind === 9) return { name: `push ${shown}`, run: (world) => world.push(pin) };
  if (kind === 10) return { name: `delete ${pin.repository}`, run: (world) => world.delete(pin.repository) };
  if (kind === 11)
    return { name: 'collect', run: async ({ zone: { store } }) => void (await collectGarbage(store)) };
  if (kind === 12) {
    const [crowd, bytes] = draw.pick([[0], [0], [20], [1023], [30, 3_000_000]] as const);
    return {
      name: `sign ${shown} by ${crowd + 1}${bytes === undefined ? '' : `, padded to ${bytes}`}`,
      run: async (world) => world.sign(pin, crowd, bytes),
    };
  }
  if (kind === 13) {
    // two recipes pin one tag, and the first names the alias of the other's pin
    const [first, second] = draw.chance(0.5) ? recipes : [...recipes].reverse();
    const other = draw.below(variants);
    const pins = [
      { ...pin, aliasOf: undefined },
      { ...pin, aliasOf: other },
    ];
    const prune = draw.chance(0.5);
    return {
      name: `clash ${first}: ${pins.map(showPin).join(', ')}; ${second}: ${showPin({ ...pins[0]!, variant: other })}`,
      run: async (world) => {
        world.publish(first!, pins);
        world.publish(second!, [{ ...pins[0]!, variant: other }]);
        await world.want(recipes.map((recipe) => ({ recipe, age: 0 })));
        await world.sync(prune);
      },
    };
  }
  return { name: 'restart', run: (world) => world.zone.restart() };
}

/** Everything that an owner holds has a name of that owner's, and all its content. */
async function checkHeld({ zone: { store }, imports, pushes, complete }: World): Promise<void> {
  const { index } = store;
  const requireNamed = (repository: string, digest: Digest, isOwner: (owner: Owner) => boolean) => {
    const named = index.tagsOf(digest).filter((tag) => tag.repository === repository);
    assert.ok(
      named.some(({ owners }) => owners.some(isOwner)),
      `no name of its owner for ${repository}@${digest}`,
    );
  };
  const requireWhole = (digest: Digest) => {
    const manifest = index.manifest(digest);
    assert.ok(manifest, `${digest} is gone`);
    for (const blob of manifest.blobs) assert.equal(index.sizeOf(blob.digest), blob.size, blob.digest);
  };
  for (const [name, { digest, isSigned }] of imports) {
    const [repository] = name.split(/:(?=[^:/]*$)/) as [string];
    requireNamed(repository, digest, ({ provenance }) => provenance === 'import');
    assert.ok(
      index.tag(repository, name.slice(repository.length + 1)),
      `${name} was imported and names nothing`,
    );
    const signatures = index.tag(repository, signatureTag(digest)!)?.owners ?? [];
    if (isSigned) assert.ok(signatures.some(({ provenance }) => provenance === 'import'));
    requireWhole(digest);
  }
  for (const [repository, digests] of pushes) {
    for (const { tag, owners } of index.tags(repository))
      for (const { displaced } of owners)
        if (displaced) assert.ok(index.tag(repository, displaced.tag), `${tag} waits for a tag that is free`);
    for (const digest of digests) {
      assert.ok(index.isManifestIn(repository, digest), `${repository}@${digest} was pushed`);
      requireWhole(digest);
    }
  }
  const recorded = new Set(index.recipes().map(({ name, version }) => `${name}@${version}`));
  for (const [key, { version, digest: recipe, digests }] of complete) {
    assert.ok(recorded.has(key), `${key} is recorded no more`);
    requireWhole(recipe);
    const own = index
      .tagsOf(recipe)
      .find(({ tag, owners }) => tag === version && owners.some((one) => one.recipe === key));
    assert.equal(own?.kind, 'Recipe', `${key} has its tag no more`);
    for (const digest of digests) {
      requireWhole(digest);
      assert.ok(
        index.tagsOf(digest).some(({ owners }) => owners.some(({ recipe }) => recipe === key)),
        `no name of ${key} for ${digest}`,
      );
    }
  }
}

let zone: ZoneScene | undefined;
let opened = 0;

const owners: Histories<World> = {
  name: 'owners',
  count: times(60, 8000),
  length: 8,
  open: async () => {
    // the registry of the zone keeps content that histories have published
    if (opened % 200 === 0) {
      await zone?.[Symbol.asyncDispose]();
      zone = await openZoneScene({ inMemory: true });
    }
    opened += 1;
    return new World(zone!, `h${opened}`);
  },
  draw: drawStep,
  check: checkHeld,
};

after(() => zone?.[Symbol.asyncDispose]());

test('what one owner holds no other takes away, and preview, plan and run of a prune say the same', async (t) => {
  const ran = await runHistories(t, owners);
  if (ran.size === 0 || onlyRound !== undefined) return;
  for (const step of [
    'sync',
    'publish',
    'clash',
    'want',
    'import',
    'push',
    'delete',
    'sign',
    'at-once',
    'restart',
  ])
    assert.ok((ran.get(step) ?? 0) > 0, step);
});
