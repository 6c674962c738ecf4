import assert from 'node:assert/strict';
import type { Digest } from '../../../src/base/digest.ts';
import type { Descriptor } from '../../../src/oci/descriptor.ts';
import { deleteRepository } from '../../../src/operation/delete-repository.ts';
import { emptyStore } from '../../../src/store/empty-store.ts';
import { isSvcError } from '../../../src/text/error.ts';
import { buildImage, seededBytes, toBlob } from '../../kit/content/content.ts';
import { crowdClassic } from '../../kit/content/signer.ts';
import { type IngredientInput, toIngredient } from '../../kit/scene/sync-scene.ts';
import type { ZoneScene } from '../../kit/scene/zone-scene.ts';

export const repositories = ['x', 'y'] as const;
export const tags = ['1', '2'] as const;
export const recipes = ['shop', 'desk'] as const;
/** The first versions of each recipe: tags of the cookbook that ingredients, imports and pushes name too. */
export const versions = ['1.0.0', '1.1.0'] as const;
export const variants = 3;
/** The variant of each repository that its origin has signed. */
const signedVariant = 2;
/** Of all variants of all repositories. */
const layers = ['base', 'tools'].map((seed) => seededBytes(seed, 3000));
export const platforms = ['linux/amd64', 'linux/arm64'];

export interface Pin {
  /** One of `repositories`, or of `recipes`: the repository of that recipe in the cookbook. */
  readonly repository: string;
  readonly tag: string;
  /** Makes the tag the alias that a store would give to this variant under `tag`. */
  readonly aliasOf?: number | undefined;
  readonly variant: number;
  /** Of a multi-platform image; undefined: all. */
  readonly platform: string | undefined;
}

interface Version {
  readonly version: string;
  /** Of the recipe artifact. */
  readonly digest: Digest;
  readonly digests: readonly Digest[];
}

/** One history: names of its own in a zone that the histories share one after another. */
export class World {
  readonly zone: ZoneScene;
  readonly #name: string;
  readonly #images = new Map<string, Descriptor>();
  readonly #published = new Map<string, Version[]>();
  #wanted: readonly (readonly [name: string, version: string])[] = [];
  /** The content of each owner: `<repository>:<tag>` → digest for imports, digests for pushes, recipes by their key. */
  readonly imports = new Map<string, { readonly digest: Digest; readonly isSigned: boolean }>();
  readonly pushes = new Map<string, Set<Digest>>();
  readonly signed = new Set<Digest>();
  readonly complete = new Map<string, Version>();

  constructor(zone: ZoneScene, name: string) {
    this.zone = zone;
    this.#name = name;
  }

  origin(repository: string): string {
    return isRecipe(repository) ? `cookbook/${this.#name}-${repository}` : `${this.#name}/${repository}`;
  }

  local(repository: string): string {
    return this.zone.toLocal(this.origin(repository));
  }

  /** Points a tag of the origin at a variant of an image; tags of the cookbook stay those of its recipes. */
  image({ repository, tag, variant }: Pick<Pin, 'repository' | 'tag' | 'variant'>): Descriptor {
    const image = this.#built(repository, variant);
    if (!isRecipe(repository)) this.zone.scene.origin.tag(this.origin(repository), tag, image.digest);
    return image;
  }

  /** A variant of an image at the origin, without a tag. Odd variants have two platforms; all share layers. */
  #built(repository: string, variant: number): Descriptor {
    const { scene } = this.zone;
    const key = `${repository} ${variant}`;
    const at = this.origin(repository);
    const known = this.#images.get(key);
    if (known !== undefined) return known;
    const made = scene.putImage(at, 'built', {
      layers: layers.slice(variant % 2),
      ...(variant % 2 === 1 ? { platforms } : {}),
    });
    scene.origin.untag(at, 'built');
    this.#images.set(key, made);
    if (variant === signedVariant) {
      scene.pushSignature(at, scene.signer.sign(made, 'classic'));
      this.signed.add(made.digest);
    }
    return made;
  }

  /** The pin with the tag that it means: an alias is known once its variant has been built. */
  #toNamed<T extends Pick<Pin, 'repository' | 'tag' | 'aliasOf'>>(pin: T): T {
    const { repository, tag, aliasOf } = pin;
    if (aliasOf === undefined) return pin;
    const { digest } = this.#built(repository, aliasOf);
    return { ...pin, tag: `${tag}-${digest.slice(7, 19)}` };
  }

  /** The target of a pin: an image, or the recipe of its version where there is one. */
  #pinned(pin: Pin): { readonly digest: Digest } {
    const { repository, tag, variant } = pin;
    const recipe = isRecipe(repository) && variant === 0 ? this.#recipeAt(repository, tag) : undefined;
    return recipe ?? this.image(pin);
  }

  #recipeAt(recipe: string, version: string): { readonly digest: Digest } | undefined {
    return this.#published.get(`${this.#name}-${recipe}`)?.find((one) => one.version === version);
  }

  /** Adds signatures to an image of the origin: one more, or so many that there is no room for others. */
  sign({ repository, variant }: Pin, crowd: number, bytes?: number): void {
    const { scene } = this.zone;
    const known = this.#images.get(`${repository} ${variant}`);
    if (known === undefined) return;
    const signature = scene.signer.sign(known, 'classic');
    scene.pushSignature(
      this.origin(repository),
      crowd === 0 ? signature : crowdClassic(signature, crowd, bytes),
    );
    this.signed.add(known.digest);
  }

  publish(recipe: string, drawn: readonly Pin[]): void {
    const name = `${this.#name}-${recipe}`;
    const pins = drawn.map((pin) => this.#toNamed(pin));
    const versions = this.#published.get(name) ?? [];
    const ingredients = pins.map((pin, i): IngredientInput => {
      const { repository, tag, platform } = pin;
      const more = platform !== undefined && pin.variant % 2 === 1 ? { platforms: [platform] } : {};
      const pinned = this.#pinned(pin);
      const kind = this.#images.has(`${repository} ${pin.variant}`) ? 'ContainerImage' : 'OCIArtifact';
      return toIngredient(`i${i}`, this.origin(repository), tag, pinned, { kind, ...more });
    });
    const version = `1.${versions.length}.0`;
    const { digest } = this.zone.scene.publish(name, version, ingredients);
    this.signed.add(digest);
    const digests = ingredients.map((one) => one.digest as Digest);
    this.#published.set(name, [...versions, { version, digest, digests }]);
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
    this.#noteComplete();
  }

  #noteComplete(): void {
    for (const [name, wanted] of this.#wanted) {
      const versions = this.#published.get(name)!;
      const one = wanted === '^1.0' ? versions.at(-1)! : versions.find(({ version }) => version === wanted)!;
      this.complete.set(`${name}@${one.version}`, one);
    }
  }

  /** While clients change the store, no preview holds until the run. */
  async syncBeside(prune: boolean): Promise<void> {
    if (this.#wanted.length === 0) return;
    const { task } = await this.zone.sync(prune);
    assert.equal(task.counts.failed, 0, JSON.stringify(task.items));
    if (prune) this.complete.clear();
    this.#noteComplete();
  }

  async import(drawn: Pick<Pin, 'repository' | 'tag' | 'aliasOf' | 'variant'>): Promise<void> {
    const pin = this.#toNamed(drawn);
    const { repository, tag } = pin;
    const named = isRecipe(repository) ? this.#recipeAt(repository, tag) : this.image(pin);
    if (named === undefined) return;
    const { digest } = named;
    await unlessRefused(async () => {
      await this.zone.take(this.origin(repository), tag);
      this.imports.set(`${this.local(repository)}:${tag}`, { digest, isSigned: this.signed.has(digest) });
    });
  }

  async push(drawn: Pick<Pin, 'repository' | 'tag' | 'aliasOf' | 'variant'>): Promise<void> {
    const { repository, tag, variant } = this.#toNamed(drawn);
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
      for (const name of this.imports.keys()) if (name.startsWith(`${at}:`)) this.imports.delete(name);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await emptyStore(this.zone.store);
    this.zone.scene.report.records.length = 0;
    this.zone.scene.report.audits.length = 0;
    this.zone.scene.origin.requests.length = 0;
  }
}

const isRecipe = (repository: string): boolean => (recipes as readonly string[]).includes(repository);

/** Does work; a step that the rules of tags refuse, or that has nothing to do, changes nothing. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const codes = ['SVC-POL-002', 'SVC-POL-003', 'SVC-POL-004', 'SVC-REG-005'] as const;
    if (!codes.some((code) => isSvcError(error, code))) throw error;
  }
}
