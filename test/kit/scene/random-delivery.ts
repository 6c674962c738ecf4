import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { AbsentBlob } from '../../../src/store/rest/absent-list.ts';
import { type Artifact, type Blob, buildImage, buildIndex, seededBytes, toBlob } from '../content/content.ts';
import type { SignatureArtifact } from '../content/signer.ts';
import { createRegistryDouble, type RegistryDouble } from '../result/registry-double.ts';
import { type CarriedImport, importCarried } from './import-carried.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from './medium.ts';
import { carryPart, type PartOptions } from './partial-medium.ts';

/** Where a blob of the delivery is: at the base, whole on a part, or cut over several. */
type Place =
  | 'base'
  | { readonly cuts: readonly { readonly part: number; readonly range: readonly [number, number] }[] };

const id = 'dlv_00000000abcd';
const base = { zone: 'zone-b', receipt: hashBytes('receipt'), sequence: 1 };

/** A delivery of random recipes over random parts, and the way in which it reaches the zone. */
export interface RandomDelivery {
  readonly description: string;
  readonly recipes: readonly MediumRecipe[];
  readonly places: ReadonlyMap<Digest, Place>;
  readonly parts: number;
  /** The parts that are imported, in their order; some several times, some never. */
  readonly order: readonly number[];
  /** Recipes that the zone has before. */
  readonly before: readonly MediumRecipe[];
}

const layersOf = ({ blobs, children }: Artifact): readonly Blob[] => [
  ...blobs.filter(({ descriptor }) => descriptor.mediaType.includes('layer')),
  ...children.flatMap(({ artifact }) => layersOf(artifact)),
];
export const blobsOf = ({ ingredients }: MediumRecipe): ReadonlyMap<Digest, Blob> =>
  new Map(
    ingredients.flatMap(({ artifact }) => layersOf(artifact)).map((blob) => [blob.descriptor.digest, blob]),
  );

/** The repositories that need a blob. */
const listPlaces = (recipes: readonly MediumRecipe[], digest: Digest): readonly string[] =>
  recipes
    .flatMap(({ ingredients }) => ingredients)
    .filter(({ artifact }) => layersOf(artifact).some(({ descriptor }) => descriptor.digest === digest))
    .map(({ ref }) => ref);

/** Whether the zone has a blob already, in every repository of it that these recipes need it in. */
const isThere = (
  before: readonly MediumRecipe[],
  recipes: readonly MediumRecipe[],
  digest: Digest,
): boolean => {
  const known = new Set(listPlaces(before, digest));
  return listPlaces(recipes, digest).every((ref) => known.has(ref));
};

/** @param random numbers from 0 up to 1 */
export function planRandomDelivery(random: () => number): RandomDelivery {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
  const shared = Array.from({ length: 3 }, (_, i) =>
    toBlob(
      seededBytes(`shared ${i} ${random()}`, 200 + below(3000)),
      'application/vnd.oci.image.layer.v1.tar+gzip',
    ),
  );
  const toImage = (seed: string): Artifact => {
    const options = {
      layers: shared.filter(() => random() < 0.4),
      ownLayers: below(3),
      layerSize: 100 + below(4000),
    };
    return random() < 0.3
      ? buildIndex(seed, ['linux/amd64', 'linux/arm64'], options)
      : buildImage(seed, options);
  };
  const toRecipe = (name: string, version: string): MediumRecipe => ({
    name,
    version,
    layout: random() < 0.5 ? 'bundle' : 'classic',
    ingredients: Array.from({ length: 1 + below(2) }, (_, i) => ({
      name: `image-${i}`,
      kind: 'ContainerImage',
      ref: `origin.example/${name}/image-${random() < 0.5 ? i : 0}`,
      tag: `${version}-${i}`,
      artifact: toImage(`${name} ${version} ${i}`),
    })),
  });
  const names = ['alpha', 'beta', 'gamma', 'delta'].slice(0, 2 + below(3));
  const before = names.filter(() => random() < 0.4).map((name) => toRecipe(name, '1.0.0'));
  const recipes = names.map((name) => toRecipe(name, '2.0.0'));
  const atBase = new Set(before.flatMap((recipe) => [...blobsOf(recipe).keys()]));
  const parts = 2 + below(4);
  const places = new Map<Digest, Place>();
  for (const recipe of recipes)
    for (const [digest, { descriptor }] of blobsOf(recipe)) {
      if (places.has(digest)) continue;
      // a blob in some of its repositories only may be found for another recipe of the delivery, or may not
      if (atBase.has(digest) && (random() < 0.8 || !isThere(before, recipes, digest)))
        places.set(digest, 'base');
      else if (random() < 0.35) places.set(digest, { cuts: cut(descriptor.size, 2 + below(parts - 1)) });
      else places.set(digest, { cuts: [{ part: 1 + below(parts), range: [0, descriptor.size] }] });
    }
  function cut(size: number, pieces: number) {
    const ends = [...new Set(Array.from({ length: pieces - 1 }, () => 1 + below(size - 1)))].sort(
      (a, b) => a - b,
    );
    return [0, ...ends].map((from, i) => ({
      part: 1 + below(parts),
      range: [from, ends[i] ?? size] as const,
    }));
  }
  const arriving = Array.from({ length: parts }, (_, i) => i + 1).filter(() => random() < 0.8);
  const order = arriving.map((part) => [random(), part] as const).sort((a, b) => a[0] - b[0]);
  const again = arriving.length > 0 ? Array.from({ length: below(3) }, () => pick(arriving)) : [];
  const all = [...order.map(([, part]) => part), ...again];
  const description = `${recipes.length} recipes, ${before.length} before, ${places.size} blobs on ${parts} parts, imported ${all.join(' ') || 'none'}`;
  return { description, recipes, places, parts, order: all, before };
}

/** What a part has and lacks. */
export function toPart(
  { places, parts }: Pick<RandomDelivery, 'places' | 'parts'>,
  part: number,
  sizes: ReadonlyMap<Digest, number>,
): PartOptions {
  const absent = new Map<Digest, AbsentBlob['at']>();
  const cut = new Map<Digest, (readonly [number, number])[]>();
  for (const [digest, place] of places) {
    if (place === 'base') {
      absent.set(digest, 'base');
      continue;
    }
    const others = [...new Set(place.cuts.map((one) => one.part))].sort((a, b) => a - b);
    const own = place.cuts.filter((one) => one.part === part).map(({ range }) => range);
    const isWhole = place.cuts.length === 1 && place.cuts[0]!.range[1] === sizes.get(digest);
    if (!(others.length === 1 && others[0] === part)) absent.set(digest, others);
    if (own.length > 0 && !isWhole) cut.set(digest, own);
  }
  return { delivery: { id, part, parts }, base, absent, cut };
}

/** Recipes of which every blob is at the base, on imported parts, or in its repository already. */
function selectArrived({ recipes, places, order, before }: RandomDelivery): readonly MediumRecipe[] {
  const arrived = new Set(order);
  if (order.length === 0) return [];
  return recipes.filter((recipe) =>
    [...blobsOf(recipe).keys()].every((digest) => {
      const place = places.get(digest)!;
      if (place === 'base' || isThere(before, [recipe], digest)) return true;
      return place.cuts.every(({ part }) => arrived.has(part));
    }),
  );
}

/** Everything of the registry but holding manifests, and blobs that no manifest names. */
function listNamed(double: RegistryDouble): readonly string[] {
  const lines = double.content();
  const holding = new Set(
    lines.flatMap((line) => /^(\S+):svc-holding-\S+ (\S+)$/.exec(line)?.slice(1, 3).join(' manifest ') ?? []),
  );
  const kept = lines.filter((line) => !line.includes(':svc-holding-') && !holding.has(line));
  const named = new Set<string>();
  for (const line of kept) {
    const [, repository, digest] = /^(\S+) manifest (\S+)$/.exec(line) ?? [];
    if (repository === undefined) continue;
    const document = JSON.parse(double.manifest(repository, digest!)!.bytes.toString());
    for (const blob of [document.config, ...(document.layers ?? [])])
      if (blob) named.add(`${repository} blob ${blob.digest}`);
  }
  return kept.filter((line) => !line.includes(' blob ') || named.has(line.split(' ').slice(0, 3).join(' ')));
}

/** Imports the parts, and requires the registry that an import of the arrived recipes as a whole makes. */
export async function requireDelivered(delivery: RandomDelivery): Promise<void> {
  const { before, order, places } = delivery;
  const signatures = new Map<Digest, readonly SignatureArtifact[]>();
  // two media with one recipe have the same signature of it
  const recipes = delivery.recipes.map(
    (recipe): MediumRecipe => ({
      ...recipe,
      sign: (signer, subject) => {
        const made = signatures.get(subject.digest) ?? [signer.sign(subject, recipe.layout)];
        signatures.set(subject.digest, made);
        return made;
      },
    }),
  );
  await using medium: BuiltMedium = await buildMedium({ recipes, inMemory: true });
  const { signer, folder } = medium;
  const earlier =
    before.length === 0
      ? undefined
      : await buildMedium({
          recipes: before,
          signer,
          inMemory: true,
          resolvedAt: '2026-01-01T00:00:00.000Z',
        });
  await using _earlier = earlier;
  const arrived = selectArrived({ ...delivery, recipes });
  await using whole =
    arrived.length === 0 ? undefined : await buildMedium({ recipes: arrived, signer, inMemory: true });
  const sizes = new Map(
    recipes.flatMap((one) => [...blobsOf(one)].map(([digest, { bytes }]) => [digest, bytes.length])),
  );
  await using zone = await createRegistryDouble();
  await using mirror = await createRegistryDouble();
  const bring = async (made: BuiltMedium, to: RegistryDouble, state: string) => {
    const root = await made.carry();
    const { task } = await importCarried(root, [signer], to, { state: join(folder, state) });
    assert.equal(task.status, 'done', summarize({ task }));
    await rm(root, { recursive: true });
  };
  for (const [to, state] of [
    [zone, 'zone'],
    [mirror, 'mirror'],
  ] as const)
    if (earlier) await bring(earlier, to, state);
  if (whole) await bring(whole, mirror, 'mirror');
  let last: CarriedImport | undefined;
  for (const part of order) {
    const { root } = await carryPart(medium, toPart(delivery, part, sizes));
    last = await importCarried(root, [signer], zone, { state: join(folder, 'zone') });
    assert.equal(last.task.status, 'done', summarize(last));
    await rm(root, { recursive: true });
  }
  assert.deepEqual(listNamed(zone).map(toHost(zone)), listNamed(mirror).map(toHost(mirror)));
  assert.equal(zone.uploads.size, 0);
  if (last === undefined) return;
  const needed = new Set<number>();
  for (const recipe of recipes)
    if (!arrived.includes(recipe))
      for (const digest of blobsOf(recipe).keys()) {
        const place = places.get(digest)!;
        if (place === 'base' || isThere(before, [recipe], digest)) continue;
        for (const { part } of place.cuts) if (!order.includes(part)) needed.add(part);
      }
  assert.deepEqual(
    last.task.delivery?.needed,
    [...needed].sort((a, b) => a - b),
    last.said,
  );
  assert.equal(last.task.delivery?.complete, arrived.length === recipes.length);
}

/** Signatures by tags and manifests are the same at both registries: only the host differs. */
const toHost =
  ({ host }: RegistryDouble) =>
  (line: string): string =>
    line.replaceAll(host, 'registry');

const summarize = ({ task }: Pick<CarriedImport, 'task'>): string =>
  JSON.stringify([task.error, task.delivery, task.items.filter(({ status }) => status !== 'done')]);
