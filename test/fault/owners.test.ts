import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Digest } from '../../src/base/digest.ts';
import { isSvcError } from '../../src/base/error.ts';
import type { Owner } from '../../src/catalog/model.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { signatureTag } from '../../src/oci/reference.ts';
import { deleteRepository } from '../../src/operation/delete-repository.ts';
import { emptyStore } from '../../src/store/empty-store.ts';
import { buildImage, seededBytes, toBlob } from '../kit/content.ts';
import { type IngredientInput, toIngredient } from '../kit/sync-scene.ts';
import { openZoneScene, type ZoneScene } from '../kit/zone-scene.ts';
import { times } from './rig/form.ts';
import { type Draw, type Histories, runHistories, type Step } from './rig/run-histories.ts';

const repositories = ['x', 'y'] as const;
const tags = ['1', '2'] as const;
const recipes = ['shop', 'desk'] as const;
const variants = 3;
/** The variant of each repository that its origin has signed. */
const signedVariant = 2;
/** Of all variants of all repositories. */
const layers = ['base', 'tools'].map((seed) => seededBytes(seed, 3000));
const platforms = ['linux/amd64', 'linux/arm64'];

interface Pin {
  readonly repository: string;
  readonly tag: string;
  readonly variant: number;
  /** Of a multi-platform image; undefined: all. */
  readonly platform: string | undefined;
}

interface Version {
  readonly version: string;
  readonly digests: readonly Digest[];
}

/** One history: names of its own in a zone that the histories share one after another. */
class World {
  readonly zone: ZoneScene;
  readonly #name: string;
  readonly #images = new Map<string, Descriptor>();
  readonly #published = new Map<string, Version[]>();
  #wanted: readonly (readonly [name: string, version: string])[] = [];
  /** What each owner holds: `<repository>:<tag>` → digest for imports, digests for pushes, recipes by their key. */
  readonly imports = new Map<string, Digest>();
  readonly pushes = new Map<string, Set<Digest>>();
  readonly signed = new Set<Digest>();
  readonly complete = new Map<string, readonly Digest[]>();

  constructor(zone: ZoneScene, name: string) {
    this.zone = zone;
    this.#name = name;
  }

  origin(repository: string): string {
    return `${this.#name}/${repository}`;
  }

  local(repository: string): string {
    return this.zone.toLocal(this.origin(repository));
  }

  /** Points a tag of the origin at a variant of an image. Odd variants have two platforms; all share layers. */
  image({ repository, tag, variant }: Pick<Pin, 'repository' | 'tag' | 'variant'>): Descriptor {
    const { scene } = this.zone;
    const key = `${repository} ${variant}`;
    const at = this.origin(repository);
    const known = this.#images.get(key);
    if (known === undefined) {
      const made = scene.putImage(at, tag, {
        layers: layers.slice(variant % 2),
        ...(variant % 2 === 1 ? { platforms } : {}),
      });
      this.#images.set(key, made);
      if (variant === signedVariant) {
        scene.pushSignature(at, scene.signer.sign(made, 'classic'));
        this.signed.add(made.digest);
      }
      return made;
    }
    const { bytes, mediaType } = scene.origin.manifest(at, known.digest)!;
    scene.origin.putManifest(at, bytes, { tag, mediaType });
    return known;
  }

  publish(recipe: string, pins: readonly Pin[]): void {
    const name = `${this.#name}-${recipe}`;
    const versions = this.#published.get(name) ?? [];
    const ingredients = pins.map((pin, i): IngredientInput => {
      const { repository, tag, platform } = pin;
      const more = platform !== undefined && pin.variant % 2 === 1 ? { platforms: [platform] } : {};
      return toIngredient(`i${i}`, this.origin(repository), tag, this.image(pin), more);
    });
    const version = `1.${versions.length}.0`;
    this.zone.scene.publish(name, version, ingredients);
    const digests = ingredients.map(({ digest }) => digest as Digest);
    this.#published.set(name, [...versions, { version, digests }]);
  }

  /** Wants these recipes as far as they are published: their newest version, or an earlier one. */
  async want(asked: readonly { readonly recipe: string; readonly age: number }[]): Promise<void> {
    const wanted = asked.flatMap(({ recipe, age }) => {
      const name = `${this.#name}-${recipe}`;
      const versions = this.#published.get(name);
      if (versions === undefined) return [];
      const one = versions[Math.max(0, versions.length - 1 - age)]!;
      return [[name, age === 0 ? '^1.0' : one.version] as const];
    });
    if (wanted.length > 0) this.#wanted = wanted;
    await this.zone.scene.setRetriever(this.#wanted);
  }

  async sync(prune: boolean): Promise<void> {
    if (this.#wanted.length === 0) return;
    const { zone } = this;
    const preview = await zone.preview();
    const { plan } = await zone.plan(prune);
    const { task, outcome } = await zone.sync(prune);
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    const named = preview.items.map(({ sizeBytes: _, ...item }) => item);
    if (prune) {
      assert.deepEqual(plan.prune.items, preview.items, 'plan and preview');
      assert.equal(plan.prune.totalBytes, preview.totalBytes);
      assert.deepEqual(task.pruned ?? [], named, 'run and preview');
      assert.equal(outcome.prunedBytes, preview.totalBytes, 'bytes that the run set free');
      this.complete.clear();
    } else {
      assert.equal(plan.prune.evaluated, false);
      assert.equal(task.pruned, undefined);
      const again = await zone.preview();
      assert.deepEqual(again, preview, 'a preview before the run that prunes nothing, and one after it');
    }
    for (const [name, wanted] of this.#wanted) {
      const versions = this.#published.get(name)!;
      const one = wanted === '^1.0' ? versions.at(-1)! : versions.find(({ version }) => version === wanted)!;
      this.complete.set(`${name}@${one.version}`, one.digests);
    }
  }

  async import(pin: Pick<Pin, 'repository' | 'tag' | 'variant'>): Promise<void> {
    const { digest } = this.image(pin);
    await unlessRefused(async () => {
      await this.zone.take(this.origin(pin.repository), pin.tag);
      this.imports.set(`${this.local(pin.repository)}:${pin.tag}`, digest);
    });
  }

  async push({ repository, tag, variant }: Pick<Pin, 'repository' | 'tag' | 'variant'>): Promise<void> {
    const at = this.local(repository);
    const shared = layers.map((bytes) => toBlob(bytes, 'application/vnd.oci.image.layer.v1.tar+gzip'));
    const image = buildImage(`${this.#name} ${repository} ${variant}`, { layers: shared.slice(variant % 2) });
    await unlessRefused(async () => {
      await this.zone.push(at, tag, image);
      this.pushes.set(at, (this.pushes.get(at) ?? new Set()).add(image.manifest.descriptor.digest));
    });
  }

  async delete(repository: string): Promise<void> {
    const at = this.local(repository);
    await unlessRefused(async () => {
      await deleteRepository(this.zone.store, at);
      for (const tag of tags) this.imports.delete(`${at}:${tag}`);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await emptyStore(this.zone.store);
    this.zone.scene.report.records.length = 0;
    this.zone.scene.report.audits.length = 0;
    this.zone.scene.origin.requests.length = 0;
  }
}

/** What the rules of tags refuse, and what has nothing to do, changes nothing. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const codes = ['SVC-POL-002', 'SVC-POL-003', 'SVC-REG-005'] as const;
    if (!codes.some((code) => isSvcError(error, code))) throw error;
  }
}

function toPin(draw: Draw): Pin {
  return {
    repository: draw.pick(repositories),
    tag: draw.pick(tags),
    variant: draw.below(variants),
    platform: draw.chance(0.5) ? draw.pick(platforms) : undefined,
  };
}

function showPin({ repository, tag, variant, platform }: Pin): string {
  return `${repository}:${tag} = ${variant}${platform === undefined ? '' : ` for ${platform}`}`;
}

function drawStep(draw: Draw): Step<World> {
  const kind = draw.below(12);
  const pin = toPin(draw);
  const shown = `${pin.repository}:${pin.tag} = ${pin.variant}`;
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
  return { name: 'restart', run: (world) => world.zone.restart() };
}

/** Everything that an owner holds has a name of that owner's, and all its content. */
async function checkHeld({ zone: { store }, imports, pushes, complete, signed }: World): Promise<void> {
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
  for (const [name, digest] of imports) {
    const [repository] = name.split(/:(?=[^:/]*$)/) as [string];
    requireNamed(repository, digest, ({ provenance }) => provenance === 'import');
    assert.ok(
      index.tag(repository, name.slice(repository.length + 1)),
      `${name} was imported and names nothing`,
    );
    const signatures = signed.has(digest) ? index.tag(repository, signatureTag(digest)!)?.owners : undefined;
    assert.equal(signatures?.some(({ provenance }) => provenance === 'import') ?? false, signed.has(digest));
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
  for (const [key, digests] of complete) {
    assert.ok(recorded.has(key), `${key} is recorded no more`);
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
  count: times(200, 10_000),
  length: 8,
  open: async () => {
    // the registry of the zone keeps what histories have published
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
  if (ran.size === 0) return;
  for (const step of ['sync', 'publish', 'want', 'import', 'push', 'delete', 'restart'])
    assert.ok((ran.get(step) ?? 0) > 0, step);
});
