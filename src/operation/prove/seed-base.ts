import type { Digest } from '../../base/digest.ts';
import type { RecipeRecord } from '../../catalog/model.ts';
import type { MediumProof } from '../../contract/proof.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { closeWholeRecipe } from '../../engine/delivery/close.ts';
import type { Destination } from '../../engine/promotion/model.ts';
import type { HashedFiles } from '../../engine/prove/carried-folder.ts';
import {
  type HeldRepository,
  type MemoryRegistry,
  openMemoryRegistry,
} from '../../engine/prove/memory-registry.ts';
import { toDestination, toRecipeDestination } from '../../engine/sync/recipe-places.ts';
import type { CallOptions, ManifestContent } from '../../oci/ports.ts';
import { parseRepositoryReference, type RepositoryReference } from '../../oci/reference.ts';
import type { Store } from '../../store/model.ts';
import { readStoredManifest } from '../../store/read-stored-manifest.ts';
import type { Sent } from '../../zone/sent.ts';

/** The registry of a zone as its receipt describes it. */
export interface ProofBase {
  readonly receipt: Receipt;
  /** Further blobs of the zone, which it lists beside the receipt. */
  readonly inventory?: ReadonlySet<Digest> | undefined;
  /** The store of the sender, which has the manifests of the recipes. Absent: their content counts as unknown. */
  readonly store?: Store | undefined;
  /** What the sender remembers: the content of recipes that its store has pruned since. */
  readonly sent?: Pick<Sent, 'closure'> | undefined;
}

/** A registry that was filled with the content of a receipt. */
interface SeededBase {
  /** Number of present recipes whose content is not known here. */
  readonly unknown: number;
  /**
   * Whether the zone may have an image whose name is not known here: the names of content of a recipe that the store has pruned
   * are in its documents alone.
   *
   * @param digest of the image; undefined where only its tag is known
   */
  readonly mayHave: (digest: Digest | undefined) => boolean;
  /** The repositories that have a blob, as a survey of the zone finds them. */
  readonly homes: ReadonlyMap<Digest, readonly string[]>;
}

/** The names that an import into a registry in memory gets: those of the zone are not known. */
export const destination: Destination = { registry: 'registry.invalid', cookbook: 'cookbook' };

/** Repository for content of recipes that the store has pruned; no repository of a zone has this name. */
const prunedRepository = 'svc-pruned-recipes';

/**
 * Opens the assumed registry of a zone in memory.
 *
 * @param base absent: it is empty, except for `held`
 * @param held sizes in bytes of further blobs, of which no receipt tells
 * @throws errors of reading the store
 */
export async function openZoneRegistry(
  base: ProofBase | undefined,
  files: HashedFiles,
  call: CallOptions,
  held: ReadonlyMap<Digest, number> = new Map(),
): Promise<{ readonly registry: MemoryRegistry } & SeededBase> {
  const registry = openMemoryRegistry({
    traits: {
      sparse: base?.receipt.destination.sparse ?? 'unknown',
      'foreign-layers': 'unknown',
      'long-digest': 'unknown',
    },
    files,
  });
  return { registry, ...(await seedBase(registry, base, held, call)) };
}

/** What the proof assumes, as its report names it. */
export function toAgainst(base: ProofBase | undefined): MediumProof['against'] {
  if (base === undefined) return { kind: 'empty' };
  const { zone, sequence } = base.receipt;
  return { kind: 'receipt', zone, sequence };
}

/**
 * Fills a registry in memory with further blobs, and the content of the recipes that a receipt names as present. It vouches for
 * no content of the others: the registry is asked to take them, as that of the zone will be.
 */
async function seedBase(
  registry: MemoryRegistry,
  { receipt, store, sent }: Partial<ProofBase> = {},
  held: ReadonlyMap<Digest, number>,
  call: CallOptions,
): Promise<SeededBase> {
  const recipes = receipt?.recipes ?? [];
  const present = new Set(recipes.flatMap(({ digest, state }) => (state === 'present' ? [digest] : [])));
  const homes = new Map<Digest, string[]>();
  const seed = (place: RepositoryReference, content: Partial<HeldRepository>): void => {
    registry.seed(place, content);
    for (const blob of content.blobs?.keys() ?? [])
      homes.set(blob, [...(homes.get(blob) ?? []), place.repository]);
  };
  const records = store?.index.recipes() ?? [];
  for (const record of records) {
    if (!present.has(record.digest)) continue;
    const closure = await closeWholeRecipe(store!, record, call);
    if (closure === undefined) continue;
    present.delete(record.digest);
    const places = listPlaces(record, destination);
    for (const { repository, digest, tag } of closure.entries)
      for (const place of places.get(repository) ?? []) seed(place, await readHeld(store!, digest, tag));
  }
  const isNamed = present.size === 0;
  const remembered = new Set<Digest>();
  const blobs = new Map(held);
  for (const digest of present) {
    const closure = await sent?.closure(digest);
    if (closure === undefined) continue;
    present.delete(digest);
    for (const [blob, size] of closure) {
      blobs.set(blob, size);
      remembered.add(blob);
    }
  }
  if (blobs.size > 0) seed({ host: destination.registry, repository: prunedRepository }, { blobs });
  const mayHave = (digest: Digest | undefined): boolean =>
    !isNamed && (digest === undefined || present.size > 0 || remembered.has(digest));
  return { unknown: present.size, mayHave, homes };
}

/** The repositories of the destination for each repository of the store. */
function listPlaces(
  { name, repository, ingredients }: RecipeRecord,
  destination: Destination,
): ReadonlyMap<string, readonly RepositoryReference[]> {
  const places = new Map<string, RepositoryReference[]>();
  const add = (of: string, place: RepositoryReference) => places.set(of, [...(places.get(of) ?? []), place]);
  add(repository, toRecipeDestination(destination, name));
  for (const one of ingredients)
    add(one.repository, toDestination(destination, parseRepositoryReference(one.ref)));
  return places;
}

async function readHeld(store: Store, digest: Digest, tag: string | undefined): Promise<HeldRepository> {
  const content: ManifestContent | undefined = await readStoredManifest(store, digest);
  const blobs = store.index.manifest(digest)?.blobs ?? [];
  return {
    manifests: new Map(content === undefined ? [] : [[digest, content]]),
    blobs: new Map(blobs.map((blob) => [blob.digest, blob.size])),
    tags: new Map(tag === undefined ? [] : [[tag, digest]]),
  };
}
